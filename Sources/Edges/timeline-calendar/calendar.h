// timeline-calendar: reads an iCalendar file (RFC 5545) from standard input and writes its events as plain dates.
//
//   timeline-calendar FIRST-YEAR LAST-YEAR
//
// Every line of the output is a record whose fields have tabs between. Of each event there is
//
//   event   LINE  START-LINE  END-LINE  START  END  SUMMARY
//   except  LINE  MOMENT
//   at      LINE  FROM  TO  UNTIL
//
// first `event`: its line in the file, from 1, those that say when it starts and ends, DTSTART, DTEND or nothing, and
// a summary of one line. Each `except` is a moment that is no occurrence, by EXDATE or by the RECURRENCE-ID of another
// event. Each `at` is an occurrence, unless a moment of `except` is the same or UNTIL, which may be
// nothing, is before it. TO, which is not in it, can have seconds behind it, `MOMENT+SECONDS`; without TO the
// occurrence takes exactly as long as from START to END. Events that repeat have the occurrences that touch the years
// from FIRST-YEAR through LAST-YEAR; canceled events are left out.
//
// A moment is `20261224` for a day, `20261224T180000` for a time of any zone, `20261224T170000Z` in UTC,
// `20261224T180000/Europe/Berlin` in a zone by its name in the zone database, and
// `20261224T180000=20261224T170000Z` in a zone that the file describes. Which of two moments is earlier is left to the
// reader: it has the zone database, and this process has no files.
//
//   timeline-calendar series FIRST-SECOND LAST-SECOND
//
// writes the events as they are written, for a reader that makes a rule of each. Of each event there is
//
//   event     LINE  IS-OVERRIDE  UID
//   refused   LINE  COLUMN  REASON
//   summary   LINE  SUMMARY
//   start     LINE  MOMENT
//   instead   LINE  MOMENT
//   rule      LINE  RULE
//   extra     LINE  MOMENT  IS-PERIOD
//   except    LINE  MOMENT
//   canceled  LINE
//   alarm     LINE
//   times     LINE  IS-CUT  SECONDS
//   untimed   LINE  REASON
//
// first `event`, and the others in the order of the file. An event with `refused` cannot be read. `times` has what libical itself
// makes of the rule between the two seconds: seconds since 1970 on the clock of DTSTART, each less the one before it, with
// UNTIL in UTC two days late; `untimed` has the reason why there are none. Both are left out where the last second is not after the
// first. A zone has its name as it is written. Besides, there are
//
//   zone       LINE  TZID  LOCATION
//   component  LINE  NAME
//
// for the place in the zone database that a described zone names as X-LIC-LOCATION, and for what is neither event nor zone.
//
// A file that is refused has one line of output, which begins with `!`: its line, column and reason, with tabs
// between. Exit status 0 means that the output is complete, 1 that the file was refused; any other end means that
// nothing is known.
//
// A process of its own keeps libical, and ICU behind it, out of the daemon; whoever wrote the file has no rights
// here, see main.c.
#ifndef TIMELINE_CALENDAR_H
#define TIMELINE_CALENDAR_H

#include <setjmp.h>
#include <stddef.h>
#include <stdio.h>

#if !__has_include(<libical/ical.h>)
#error "libical is missing, which reads holidays from iCalendar files: install libical-dev (Debian)"
#endif
#include <libical/ical.h>

/// A line of the file, its continuations joined.
struct line {
  /// The text, NUL-terminated.
  char *text;
  /// The number of its first line, from 1.
  int number;
};

/// The lines of a file; those that are empty left out.
struct lines {
  struct line *items;
  size_t count;
};

/// A refusal that ends one event and not the program, and the place after that event.
struct trap {
  jmp_buf place;
  int line, column;
  char reason[512];
};

/// The trap that is set, or NULL: then a refusal ends the program.
extern struct trap *trap;

/// Ends the program with a refusal of the file, or goes on at the trap.
_Noreturn void refuse(int line, int column, const char *format, ...) __attribute__((format(printf, 3, 4)));

/// Keeps this process from the kernel and from all files, for good, where the kernel has Landlock and seccomp.
void enter_sandbox(void);

/// Memory for `count` items, which the caller keeps; the program ends where there is none.
void *take_memory(void *former, size_t count, size_t size);

/// Parts a file into lines.
struct lines read_lines(char *bytes, size_t count);

/// Whether a line is `word`, such as `BEGIN:VEVENT`, in capitals or not.
int is_line(const struct line *line, const char *word);

/// Whether a line is the property `name`.
int is_property(const struct line *line, const char *name);

/// The place of the value in a line, behind the first colon that is not quoted; the file is refused where there is none.
const char *value_of(const struct line *line);

/// Ends the program with a refusal of the file at a place in a line.
_Noreturn void refuse_at(const struct line *line, const char *place, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/// Writes every event of a file to `output`.
void write_events(const struct lines *lines, int first_year, int last_year, FILE *output);

/// Writes every event of a file as it is written, with the times of rules from second `first` through `last`.
void write_series(const struct lines *lines, long first, long last, FILE *output);

#endif
