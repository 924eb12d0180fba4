#pragma once
#include <stddef.h>
#include <stdint.h>

/* A full-screen terminal by ncursesw, whose own functions take any number of arguments, are macros, or keep their state in globals.
   There is one screen in a process, used by one thread. */

/* Keys that are not characters, above every code point. */
enum timeline_key {
  TIMELINE_KEY_NONE = 0x200000,
  TIMELINE_KEY_UP,
  TIMELINE_KEY_DOWN,
  TIMELINE_KEY_LEFT,
  TIMELINE_KEY_RIGHT,
  TIMELINE_KEY_PAGE_UP,
  TIMELINE_KEY_PAGE_DOWN,
  TIMELINE_KEY_HOME,
  TIMELINE_KEY_END,
  TIMELINE_KEY_ENTER,
  TIMELINE_KEY_ESCAPE,
  TIMELINE_KEY_BACKSPACE,
  TIMELINE_KEY_OTHER
};

/* Bits of a style above its color, which is 0 for none or the number of a color. */
enum timeline_style { TIMELINE_STYLE_BOLD = 0x100, TIMELINE_STYLE_DIM = 0x200, TIMELINE_STYLE_REVERSED = 0x400 };

/* Puts the terminal of standard input and output into full-screen mode. Returns 0, or -1 if it is no terminal or its type is unknown. */
int timeline_screen_open(void);
/* Restores the terminal. Does nothing if it is not in full-screen mode. */
void timeline_screen_close(void);
/* Returns to full-screen mode after timeline_screen_close(). The next timeline_screen_show() draws the whole screen. */
void timeline_screen_reopen(void);
/* Whether the terminal shows colors, and all of Unicode's characters. */
int timeline_screen_has_colors(void);
int timeline_screen_has_unicode(void);
/* The size of the terminal as it is now, in cells. */
void timeline_screen_size(int *width, int *height);
/* Puts one line of characters with their styles; of a line that is too long the rest is left out. */
void timeline_screen_put(int line, const uint32_t *characters, const uint16_t *styles, size_t count);
/* Shows what was put. */
void timeline_screen_show(void);
/* The next key, a code point or one of enum timeline_key; TIMELINE_KEY_NONE where none was pressed. Does not wait. */
uint32_t timeline_screen_key(void);
