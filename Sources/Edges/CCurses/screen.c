#if !__has_include(<ncurses.h>)
#error "ncurses is missing, which shows the full-screen views: install libncurses-dev (Debian)"
#endif
#include "CCurses.h"

#include <langinfo.h>
#include <locale.h>
#include <ncurses.h>
#include <signal.h>
#include <string.h>
#include <sys/ioctl.h>
#include <term.h>
#include <termios.h>
#include <unistd.h>
#include <wchar.h>

/* Time for the rest of the sequence of a key, after an escape: a terminal sends it at once, also over a network. */
enum { ESCAPE_DELAY_MS = 50 };

static SCREEN *screen;
static int has_colors_now;
static int is_open;
/* State for restoring the terminal in a signal handler, which must not allocate. */
static struct termios former_mode;
static char leave_sequence[256];
static size_t leave_length;

/* Signals that end the program with a core dump: crashes, and Ctrl-\ with which a person asks for one. */
static const int crashes[] = {SIGQUIT, SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV};
/* Signals that ncurses handles itself unless it is prevented. */
static const int taken[] = {SIGINT, SIGTERM, SIGTSTP, SIGWINCH};
enum { TAKEN_COUNT = sizeof taken / sizeof taken[0] };
enum { CRASH_COUNT = sizeof crashes / sizeof crashes[0] };

static void restore_and_crash(int signal_number) {
  tcsetattr(STDIN_FILENO, TCSANOW, &former_mode);
  ssize_t ignored = write(STDOUT_FILENO, leave_sequence, leave_length);
  (void)ignored;
  signal(signal_number, SIG_DFL);
  raise(signal_number);
}

static void append_sequence(const char *name) {
  const char *text = tigetstr((char *)name);
  if (text == NULL || text == (char *)-1) return;
  size_t length = strlen(text);
  if (leave_length + length > sizeof leave_sequence) return;
  memcpy(leave_sequence + leave_length, text, length);
  leave_length += length;
}

/* Restores the terminal after a crash; the signal then takes its default action. */
static void catch_crashes(void) {
  const char *names[] = {"sgr0", "cnorm", "rmkx", "rmcup"};
  leave_length = 0;
  for (size_t index = 0; index < 4; index++) append_sequence(names[index]);
  for (size_t index = 0; index < CRASH_COUNT; index++) signal(crashes[index], restore_and_crash);
}

static void take_terminal(void) {
  cbreak();
  noecho();
  nonl();
  curs_set(0);
  keypad(stdscr, TRUE);
  nodelay(stdscr, TRUE);
  is_open = 1;
}

int timeline_screen_open(void) {
  if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO)) return -1;
  setlocale(LC_CTYPE, "");
  if (tcgetattr(STDIN_FILENO, &former_mode) != 0) return -1;
  /* newterm() installs signal handlers; the former ones are restored below. */
  struct sigaction former[TAKEN_COUNT];
  for (size_t index = 0; index < TAKEN_COUNT; index++) sigaction(taken[index], NULL, &former[index]);
  /* Where it finds this one ignored it leaves it alone. Otherwise it would discard a Ctrl-Z that comes while it draws. */
  signal(SIGTSTP, SIG_IGN);
  /* Unlike initscr() it does not end the program where the terminal is not known. */
  screen = newterm(NULL, stdout, stdin);
  for (size_t index = 0; index < TAKEN_COUNT; index++) sigaction(taken[index], &former[index], NULL);
  if (screen == NULL) return -1;
  set_escdelay(ESCAPE_DELAY_MS);
  has_colors_now = has_colors();
  if (has_colors_now) {
    start_color();
    use_default_colors();
    for (short color = 1; color < 8; color++) init_pair(color, color, -1);
  }
  catch_crashes();
  take_terminal();
  return 0;
}

void timeline_screen_close(void) {
  if (!is_open) return;
  is_open = 0;
  endwin();
}

void timeline_screen_reopen(void) {
  take_terminal();
  clearok(stdscr, TRUE);
}

int timeline_screen_has_colors(void) { return has_colors_now; }

int timeline_screen_has_unicode(void) { return strcmp(nl_langinfo(CODESET), "UTF-8") == 0; }

void timeline_screen_size(int *width, int *height) {
  struct winsize size;
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 && size.ws_row > 0 &&
      (size.ws_col != COLS || size.ws_row != LINES)) {
    resizeterm(size.ws_row, size.ws_col);
    clearok(stdscr, TRUE);
  }
  *width = COLS;
  *height = LINES;
}

void timeline_screen_put(int line, const uint32_t *characters, const uint16_t *styles, size_t count) {
  for (size_t column = 0; column < count && column < (size_t)COLS; column++) {
    uint16_t style = styles[column];
    attr_t attributes = A_NORMAL;
    if (style & TIMELINE_STYLE_BOLD) attributes |= A_BOLD;
    if (style & TIMELINE_STYLE_DIM) attributes |= A_DIM;
    if (style & TIMELINE_STYLE_REVERSED) attributes |= A_REVERSE;
    wchar_t text[2] = {(wchar_t)characters[column], 0};
    cchar_t cell;
    short pair = has_colors_now ? (short)(style & 0x7) : 0;
    if (setcchar(&cell, text, attributes, pair, NULL) == OK) mvadd_wch(line, (int)column, &cell);
  }
}

void timeline_screen_show(void) { refresh(); }

uint32_t timeline_screen_key(void) {
  wint_t key;
  int kind = get_wch(&key);
  if (kind == ERR) return TIMELINE_KEY_NONE;
  if (kind == OK) {
    switch (key) {
    case '\r':
    case '\n': return TIMELINE_KEY_ENTER;
    case 27: return TIMELINE_KEY_ESCAPE;
    case 8:
    case 127: return TIMELINE_KEY_BACKSPACE;
    default: return key < 32 ? TIMELINE_KEY_OTHER : (uint32_t)key;
    }
  }
  switch (key) {
  case KEY_UP: return TIMELINE_KEY_UP;
  case KEY_DOWN: return TIMELINE_KEY_DOWN;
  case KEY_LEFT: return TIMELINE_KEY_LEFT;
  case KEY_RIGHT: return TIMELINE_KEY_RIGHT;
  case KEY_PPAGE: return TIMELINE_KEY_PAGE_UP;
  case KEY_NPAGE: return TIMELINE_KEY_PAGE_DOWN;
  case KEY_HOME: return TIMELINE_KEY_HOME;
  case KEY_END: return TIMELINE_KEY_END;
  case KEY_ENTER: return TIMELINE_KEY_ENTER;
  case KEY_BACKSPACE: return TIMELINE_KEY_BACKSPACE;
  default: return TIMELINE_KEY_OTHER;
  }
}
