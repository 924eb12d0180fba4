// The text of a file in lines.
#include "calendar.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

// Where a line goes on in another one of the file.
struct fold {
  const char *place;
  int number;
};

// Of the one file of this process, in order; for refusals alone.
static struct fold *folds;
static size_t fold_count;

static void add_fold(const char *place, int number) {
  // It doubles at every power of two.
  if ((fold_count & (fold_count - 1)) == 0)
    folds = take_memory(folds, fold_count == 0 ? 1 : fold_count * 2, sizeof *folds);
  folds[fold_count++] = (struct fold){.place = place, .number = number};
}

struct lines read_lines(char *bytes, size_t count) {
  struct lines lines = {0};
  size_t room = 0;
  int number = 0;
  char *end = bytes + count;
  // Windows' programs put the byte order mark in front of the text.
  char *next = count >= 3 && memcmp(bytes, "\xEF\xBB\xBF", 3) == 0 ? bytes + 3 : bytes;
  char *free_place = next;
  while (next < end) {
    number++;
    char *begin = next;
    char *stop = memchr(begin, '\n', (size_t)(end - begin));
    next = stop == NULL ? end : stop + 1;
    if (stop == NULL) stop = end;
    if (stop > begin && stop[-1] == '\r') stop--;
    const int goes_on = begin < stop && (*begin == ' ' || *begin == '\t') && lines.count > 0;
    if (goes_on) begin++;
    if (begin == stop && !goes_on) continue;
    if (goes_on) {
      // Behind the text so far, over its NUL.
      free_place--;
      add_fold(free_place, number);
    } else {
      if (lines.count == room) {
        room = room == 0 ? 1024 : room * 2;
        lines.items = take_memory(lines.items, room, sizeof *lines.items);
      }
      lines.items[lines.count++] = (struct line){.text = free_place, .number = number};
    }
    const size_t length = (size_t)(stop - begin);
    memmove(free_place, begin, length);
    // A NUL would hide what follows.
    for (size_t index = 0; index < length; index++)
      if (free_place[index] == 0) refuse(number, 1, "a NUL byte is in it");
    free_place += length;
    *free_place++ = 0;
  }
  return lines;
}

int is_line(const struct line *line, const char *word) {
  const size_t length = strlen(word);
  if (strncasecmp(line->text, word, length) != 0) return 0;
  for (const char *rest = line->text + length; *rest != 0; rest++)
    if (!isspace((unsigned char)*rest)) return 0;
  return 1;
}

int is_property(const struct line *line, const char *name) {
  const size_t length = strlen(name);
  return strncasecmp(line->text, name, length) == 0 && (line->text[length] == ':' || line->text[length] == ';');
}

const char *value_of(const struct line *line) {
  int is_quoted = 0;
  for (const char *next = line->text; *next != 0; next++) {
    if (*next == '"') is_quoted = !is_quoted;
    if (*next == ':' && !is_quoted) return next + 1;
  }
  refuse_at(line, line->text + strlen(line->text), "\":\" and a value are expected");
}

void refuse_at(const struct line *line, const char *place, const char *format, ...) {
  char reason[512];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(reason, sizeof reason, format, arguments);
  va_end(arguments);
  int number = line->number;
  long column = place - line->text + 1;
  for (size_t index = 0; index < fold_count && folds[index].place <= place; index++) {
    if (folds[index].place < line->text) continue;
    number = folds[index].number;
    // Behind the space at its begin.
    column = place - folds[index].place + 2;
  }
  refuse(number, (int)column, "%s", reason);
}
