// Rules of events that repeat (RRULE of RFC 5545) and the days and times that they name.
//
// The expansion is not libical's: of 1,000 random rules that are right by RFC 5545, libical 3.0.16 refuses 105 and gives
// other days for 44, among them rules with BYWEEKNO, with BYSETPOS in a week, and with INTERVAL and WKST.
#ifndef TIMELINE_RECURRENCE_H
#define TIMELINE_RECURRENCE_H

#include "calendar.h"

enum {
  // Of a list such as BYYEARDAY: every day of a year.
  rule_numbers_max = 366,
};

/// A list of numbers of a rule, such as those of BYMONTH.
struct numbers {
  short items[rule_numbers_max];
  int count;
};

/// The parts of a rule; their order is that of the names in recurrence-text.c.
enum rule_part {
  part_freq, part_interval, part_count, part_until, part_wkst, part_month, part_week, part_year_day, part_month_day,
  part_day, part_hour, part_minute, part_second, part_position, rule_part_count
};

/// The length of the periods in which a rule selects days.
enum frequency { frequency_daily, frequency_weekly, frequency_monthly, frequency_yearly };

/// A rule as it is written.
struct rule {
  /// The line of the file.
  const struct line *line;
  /// The place of each part in the line, or NULL for those that it does not have.
  const char *parts[rule_part_count];
  enum frequency frequency;
  int interval;
  /// The number of occurrences, the first one included, or 0.
  long count;
  /// The last moment, if it has one.
  struct icaltimetype until;
  /// The first day of a week, 0 for Monday.
  int week_start;
  struct numbers months, weeks, year_days, month_days, hours, minutes, seconds, positions;
  /// Weekdays, 0 for Monday, and for each its number within the month or year, from the end if negative, or 0 for all.
  struct numbers weekdays, weekday_numbers;
};

/// Days from 1970-01-01 to a date.
long days_of(struct icaltimetype time);

/// The date of a number of days since 1970-01-01, at midnight.
struct icaltimetype date_of(long days);

/// The day of the week, 0 for Monday, of a number of days since 1970-01-01.
int weekday_of(long days);

/// Reads the rule in a line; the file is refused, with line and column, where it is not one whose meaning is certain.
struct rule *read_rule(const struct line *line);

/// Calls `each` for every occurrence of a rule later than `start`, in order, through the year `last_year`.
///
/// Occurrences have the zone and the kind of `start`. UNTIL ends them a day late: the reader compares instants.
void expand_rule(const struct rule *rule, struct icaltimetype start, int last_year,
                 void (*each)(void *context, struct icaltimetype time), void *context);

#endif
