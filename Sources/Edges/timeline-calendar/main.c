// The program: its rights, its bounds, its input.
#include "calendar.h"

#include <errno.h>
#include <grp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

enum {
  // The limit of any other file of a configuration.
  file_bytes_max = 32 << 20,
  // The lines of a file, and what libical makes of one event: some forty times the largest file.
  memory_bytes_max = 1536 << 20,
  processor_seconds_max = 20,
  // Every occurrence with the longest summary.
  output_bytes_max = 4 << 20,
  // The most events with the most dates, and the times of many.
  series_bytes_max = 32 << 20,
  // `nobody` of every Linux.
  nobody = 65534,
};

struct trap *trap;

void refuse(int line, int column, const char *format, ...) {
  char reason[sizeof trap->reason];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(reason, sizeof reason, format, arguments);
  va_end(arguments);
  if (trap != NULL) {
    trap->line = line, trap->column = column;
    memcpy(trap->reason, reason, sizeof reason);
    longjmp(trap->place, 1);
  }
  dprintf(STDOUT_FILENO, "!%d\t%d\t%s\n", line, column, reason);
  _exit(1);
}

void *take_memory(void *former, size_t count, size_t size) {
  void *memory = reallocarray(former, count, size);
  if (memory == NULL) _exit(2);
  return memory;
}

// Limits the damage that an event of an untrusted file can do through the library: no user's rights, no new privileges, limits of
// resources, no further descriptors, and the sandbox.
static void drop_rights(rlim_t output_max) {
  const struct rlimit memory = {memory_bytes_max, memory_bytes_max};
  const struct rlimit processor = {processor_seconds_max, processor_seconds_max};
  const struct rlimit output = {output_max, output_max};
  const struct rlimit none = {0, 0};
  if (setrlimit(RLIMIT_AS, &memory) != 0 || setrlimit(RLIMIT_CPU, &processor) != 0 || setrlimit(RLIMIT_CORE, &none) != 0
      || setrlimit(RLIMIT_FSIZE, &output) != 0)
    _exit(2);
  if (geteuid() == 0
      && (setgroups(0, NULL) != 0 || setresgid(nobody, nobody, nobody) != 0 || setresuid(nobody, nobody, nobody) != 0))
    _exit(2);
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) _exit(2);
  enter_sandbox();
}

static char *read_input(size_t *count) {
  size_t room = 0;
  char *bytes = NULL;
  *count = 0;
  while (1) {
    if (*count + 1 >= room) bytes = take_memory(bytes, room = room == 0 ? 1 << 16 : room * 2, 1);
    const ssize_t more = read(STDIN_FILENO, bytes + *count, room - *count - 1);
    if (more < 0 && errno == EINTR) continue;
    if (more < 0) _exit(2);
    if (more == 0) return bytes;
    *count += (size_t)more;
    if (*count > file_bytes_max) refuse(1, 1, "the file has more than %d bytes", file_bytes_max);
  }
}

int main(int argc, char **argv) {
  const int is_series = argc == 4 && strcmp(argv[1], "series") == 0;
  drop_rights(is_series ? series_bytes_max : output_bytes_max);
  if (argc != 3 && !is_series) {
    fputs("usage: timeline-calendar FIRST-YEAR LAST-YEAR < FILE\n"
          "       timeline-calendar series FIRST-SECOND LAST-SECOND < FILE\n", stderr);
    return 2;
  }
  size_t count;
  char *bytes = read_input(&count);
  const struct lines lines = read_lines(bytes, count);
  if (lines.count == 0 || !is_line(&lines.items[0], "BEGIN:VCALENDAR"))
    refuse(1, 1, "\"BEGIN:VCALENDAR\" is expected: it is no iCalendar file");
  // libical reports internal errors instead of aborting.
  icalerror_set_errors_are_fatal(0);
  // Kept until the end, so that a file that is refused has its refusal alone.
  char *text = NULL;
  size_t length = 0;
  FILE *output = open_memstream(&text, &length);
  if (output == NULL) return 2;
  if (is_series) write_series(&lines, atol(argv[2]), atol(argv[3]), output);
  else write_events(&lines, atoi(argv[1]), atoi(argv[2]), output);
  if (fclose(output) != 0) return 2;
  return fwrite(text, 1, length, stdout) == length && fflush(stdout) == 0 ? 0 : 2;
}
