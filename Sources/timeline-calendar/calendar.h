// timeline-calendar: reads an iCalendar file (RFC 5545) from standard input and writes its events as plain dates.
//
//   timeline-calendar FIRST-YEAR LAST-YEAR
//
// Every line of the output is one occurrence of an event, in four fields with a tab between:
//
//   LINE  FROM  TO  SUMMARY
//
// LINE is the line of the event in the file, from 1. FROM and TO, which is not in the event, are `20261224` for days,
// `20261224T180000` for a time of any zone, `20261224T170000Z` in UTC and `20261224T180000/Europe/Berlin` in a zone
// by its name in the zone database. SUMMARY is one line. Events that repeat (RRULE, RDATE, EXDATE, RECURRENCE-ID)
// have a line for each occurrence that touches the years from FIRST-YEAR through LAST-YEAR; canceled events have
// none.
//
// A file that is refused has one line of output, which begins with `!`: its line, column and reason, with tabs
// between. Exit status 0 means that the output is complete, 1 that the file was refused; any other end means that
// nothing is known.
//
// A process of its own keeps libical, and ICU behind it, out of the daemon; whoever wrote the file has no rights
// here, see main.c.
#ifndef TIMELINE_CALENDAR_H
#define TIMELINE_CALENDAR_H

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

/// Ends the program with a refusal of the file.
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

/// Writes every event of a file to `output`.
void write_events(const struct lines *lines, int first_year, int last_year, FILE *output);

#endif
