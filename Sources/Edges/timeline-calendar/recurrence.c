// The expansion of rules: the days of each period that every part of the rule allows, and the times on them.
#include "recurrence.h"

#include <stdlib.h>
#include <string.h>

enum {
  // Steps through the occurrences of one rule: a day of every day from 1601 on.
  steps_max = 250000,
  // Times of one day, by BYHOUR, BYMINUTE and BYSECOND.
  day_times_max = 1440,
};

long days_of(struct icaltimetype time) {
  // Howard Hinnant's civil_from_days in reverse, exact for every year.
  const long year = time.month <= 2 ? time.year - 1L : time.year;
  const long era = (year >= 0 ? year : year - 399) / 400;
  const long of_era = year - era * 400;
  const long of_year = (153L * (time.month + (time.month > 2 ? -3 : 9)) + 2) / 5 + time.day - 1;
  return era * 146097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719468;
}

struct icaltimetype date_of(long days) {
  const long shifted = days + 719468;
  const long era = (shifted >= 0 ? shifted : shifted - 146096) / 146097;
  const long of_era = shifted - era * 146097;
  const long year = (of_era - of_era / 1460 + of_era / 36524 - of_era / 146096) / 365;
  const long of_year = of_era - (365 * year + year / 4 - year / 100);
  const long month = (5 * of_year + 2) / 153;
  struct icaltimetype date = {.is_date = 1};
  date.day = (int)(of_year - (153 * month + 2) / 5 + 1);
  date.month = (int)(month < 10 ? month + 3 : month - 9);
  date.year = (int)(year + era * 400 + (date.month <= 2));
  return date;
}

int weekday_of(long days) { return (int)(((days + 3) % 7 + 7) % 7); }

static long first_day(int year, int month) { return days_of((struct icaltimetype){.year = year, .month = month, .day = 1}); }

static int has(const struct numbers *numbers, int number) {
  for (int index = 0; index < numbers->count; index++)
    if (numbers->items[index] == number) return 1;
  return 0;
}

// Whether a list has the number `index` from 0, or the same from the end of `count`; one without numbers allows all.
static int allows(const struct numbers *numbers, long index, long count) {
  return numbers->count == 0 || has(numbers, (int)index + 1) || has(numbers, (int)(index - count));
}

// The first day of week 1 of a year, which is the first with four days in the year.
static long first_week(const struct rule *rule, int year) {
  const long fourth = first_day(year, 1) + 3;
  return fourth - (weekday_of(fourth) - rule->week_start + 7) % 7;
}

static int allows_week(const struct rule *rule, long day, int year) {
  if (rule->weeks.count == 0) return 1;
  // Days at the ends of a year can lie in a week of the year before or after.
  if (day < first_week(rule, year)) year--;
  else if (day >= first_week(rule, year + 1)) year++;
  const long first = first_week(rule, year);
  return allows(&rule->weeks, (day - first) / 7, (first_week(rule, year + 1) - first) / 7);
}

static int allows_weekday(const struct rule *rule, long day, struct icaltimetype date) {
  if (rule->weekdays.count == 0) return 1;
  // Numbers count within the month if the rule has months.
  const int is_in_month = rule->frequency == frequency_monthly || rule->parts[part_month] != NULL;
  const long first = first_day(date.year, is_in_month ? date.month : 1);
  const long next = is_in_month ? first + icaltime_days_in_month(date.month, date.year) : first_day(date.year + 1, 1);
  const int from_start = (int)((day - first) / 7) + 1, from_end = -(int)((next - 1 - day) / 7) - 1;
  for (int index = 0; index < rule->weekdays.count; index++) {
    if (rule->weekdays.items[index] != weekday_of(day)) continue;
    const int number = rule->weekday_numbers.items[index];
    if (number == 0 || number == from_start || number == from_end) return 1;
  }
  return 0;
}

// Every part limits the days of the period; RFC 5545's expansion of the larger periods comes to the same.
static int allows_day(const struct rule *rule, long day) {
  const struct icaltimetype date = date_of(day);
  const long year = first_day(date.year, 1);
  return (rule->months.count == 0 || has(&rule->months, date.month)) && allows_week(rule, day, date.year)
         && allows(&rule->year_days, day - year, first_day(date.year + 1, 1) - year)
         && allows(&rule->month_days, date.day - 1, icaltime_days_in_month(date.month, date.year))
         && allows_weekday(rule, day, date);
}

static void set_default(struct numbers *numbers, int number) {
  if (numbers->count == 0) *numbers = (struct numbers){.items = {(short)number}, .count = 1};
}

// Adds what the rule does not say and its first occurrence does, as RFC 8984, section 4.3.3.1, puts it.
static void add_defaults(struct rule *rule, struct icaltimetype start) {
  // RFC 5545, section 3.3.10: "These rule parts MUST be ignored" where DTSTART is a date.
  if (start.is_date) rule->hours.count = rule->minutes.count = rule->seconds.count = 0;
  const int has_days = rule->year_days.count > 0 || rule->month_days.count > 0 || rule->weekdays.count > 0;
  set_default(&rule->hours, start.hour);
  set_default(&rule->minutes, start.minute);
  set_default(&rule->seconds, start.second > 59 ? 59 : start.second);
  if (has_days || rule->frequency == frequency_daily) return;
  if (rule->frequency == frequency_weekly || rule->weeks.count > 0) {
    set_default(&rule->weekdays, weekday_of(days_of(start)));
    rule->weekday_numbers = (struct numbers){.count = 1};
    return;
  }
  if (rule->frequency == frequency_yearly) set_default(&rule->months, start.month);
  set_default(&rule->month_days, start.day);
}

static int is_earlier(const void *left, const void *right) { return *(const int *)left - *(const int *)right; }

// The seconds of a day at which a rule has occurrences, in order and each once; returns their number.
static int day_times(const struct rule *rule, int times[day_times_max]) {
  int count = 0, unique = 0;
  for (int hour = 0; hour < rule->hours.count; hour++)
    for (int minute = 0; minute < rule->minutes.count; minute++)
      for (int second = 0; second < rule->seconds.count; second++) {
        if (count == day_times_max)
          refuse(rule->line->number, 1, "at most %d times of a day are read", day_times_max);
        times[count++] = rule->hours.items[hour] * 3600 + rule->minutes.items[minute] * 60 + rule->seconds.items[second];
      }
  qsort(times, (size_t)count, sizeof *times, is_earlier);
  for (int index = 0; index < count; index++)
    if (unique == 0 || times[unique - 1] != times[index]) times[unique++] = times[index];
  return unique;
}

// The first day of a period, counted from that of the start.
static long period_start(const struct rule *rule, struct icaltimetype start, long period) {
  const long day = days_of(start), month = start.month - 1 + period;
  switch (rule->frequency) {
    case frequency_daily: return day + period;
    case frequency_weekly: return day - (weekday_of(day) - rule->week_start + 7) % 7 + period * 7;
    case frequency_monthly: return first_day((int)(start.year + month / 12), (int)(month % 12) + 1);
    case frequency_yearly: return first_day((int)(start.year + period), 1);
  }
  abort();
}

void expand_rule(const struct rule *written, struct icaltimetype start, int last_year,
                 void (*each)(void *context, struct icaltimetype time), void *context) {
  struct rule rule = *written;
  add_defaults(&rule, start);
  static int times[day_times_max];
  const int time_count = day_times(&rule, times);
  const long start_day = days_of(start), start_second = start.hour * 3600L + start.minute * 60L + start.second;
  long last_day = first_day(last_year + 1, 1) - 1;
  if (rule.parts[part_until] != NULL && days_of(rule.until) + 1 < last_day) last_day = days_of(rule.until) + 1;
  // The start is the first occurrence, whether the rule has it or not.
  long count = 1;
  int steps = 0;
  for (long period = 0; period_start(&rule, start, period) <= last_day; period += rule.interval) {
    const long first = period_start(&rule, start, period), next = period_start(&rule, start, period + 1);
    long days[366];
    long day_count = 0;
    for (long day = first; day < next; day++)
      if (allows_day(&rule, day)) days[day_count++] = day;
    for (long index = 0; index < day_count * time_count; index++) {
      if (!allows(&rule.positions, index, day_count * time_count)) continue;
      const long day = days[index / time_count];
      const int second = times[index % time_count];
      if (day > last_day) return;
      if (day < start_day || (day == start_day && second <= start_second)) continue;
      if (++count > rule.count && rule.count > 0) return;
      if (++steps > steps_max)
        refuse(rule.line->number, 1, "a rule of at most %d occurrences is expected", steps_max);
      const struct icaltimetype date = date_of(day);
      struct icaltimetype time = start;
      time.year = date.year, time.month = date.month, time.day = date.day;
      time.hour = second / 3600, time.minute = second / 60 % 60, time.second = second % 60;
      each(context, time);
    }
  }
}
