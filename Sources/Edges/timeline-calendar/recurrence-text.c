// The text of a rule: its parts, and what they may say together.
#include "recurrence.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static const char *const part_names[rule_part_count] = {
    "FREQ",       "INTERVAL", "COUNT",  "UNTIL",    "WKST",     "BYMONTH",  "BYWEEKNO", "BYYEARDAY",
    "BYMONTHDAY", "BYDAY",    "BYHOUR", "BYMINUTE", "BYSECOND", "BYSETPOS",
};

enum {
  // Periods from one occurrence to the next: as many years as a calendar has.
  interval_max = 9999,
  // Occurrences of one rule: a day of every day from 1601 on.
  rule_count_max = 250000,
};

// The number at a place, which moves behind it; the file is refused where it is not from `low` through `high` or, with
// `is_signed`, from `-high`.
static int number(const struct line *line, const char *name, const char **next, int low, int high, int is_signed) {
  const char *begin = *next, *digit = begin;
  const int is_negative = is_signed && *digit == '-';
  if (is_signed && (*digit == '-' || *digit == '+')) digit++;
  long value = 0;
  const char *first = digit;
  for (; isdigit((unsigned char)*digit) && value <= high; digit++) value = value * 10 + (*digit - '0');
  if (digit == first || value < low || value > high) {
    const char *signs = is_signed ? ", or from the end with \"-\"" : "";
    refuse_at(line, begin, "%s is expected from %d through %d%s", name, low, high, signs);
  }
  *next = digit;
  return (int)(is_negative ? -value : value);
}

// The next item of a list: whether there is one behind the place, which moves behind the comma.
static int goes_on(const struct line *line, const char *name, const char **next, const char *end) {
  if (*next == end) return 0;
  if (**next != ',') refuse_at(line, *next, "\",\" or the end of %s is expected", name);
  (*next)++;
  return 1;
}

static void add(const struct line *line, const char *place, struct numbers *numbers, int value) {
  if (numbers->count == rule_numbers_max)
    refuse_at(line, place, "at most %d numbers in a list are read", rule_numbers_max);
  numbers->items[numbers->count++] = (short)value;
}

static int weekday(const struct line *line, const char **next) {
  static const char names[] = "MOTUWETHFRSASU";
  for (int day = 0; day < 7; day++)
    if (strncasecmp(*next, names + day * 2, 2) == 0) {
      *next += 2;
      return day;
    }
  refuse_at(line, *next, "a weekday such as MO is expected");
}

static void read_weekdays(struct rule *rule, const char *next, const char *end) {
  do {
    const char *begin = next;
    const int has_number = *next == '-' || *next == '+' || isdigit((unsigned char)*next);
    add(rule->line, begin, &rule->weekday_numbers, has_number ? number(rule->line, "BYDAY", &next, 1, 53, 1) : 0);
    add(rule->line, begin, &rule->weekdays, weekday(rule->line, &next));
  } while (goes_on(rule->line, "BYDAY", &next, end));
}

static void read_until(struct rule *rule, const char *next, const char *end) {
  char text[20] = "";
  const size_t length = (size_t)(end - next);
  if (length < sizeof text) memcpy(text, next, length);
  int is_right = length == 8 || length == 15 || (length == 16 && toupper((unsigned char)text[15]) == 'Z');
  for (size_t index = 0; index < 15 && index < length; index++)
    is_right = is_right && (index == 8 ? toupper((unsigned char)text[8]) == 'T' : isdigit((unsigned char)text[index]));
  if (is_right) rule->until = icaltime_from_string(text);
  const struct icaltimetype until = rule->until;
  if (!is_right || until.month < 1 || until.month > 12 || until.day < 1
      || until.day > icaltime_days_in_month(until.month, until.year) || until.hour > 23 || until.minute > 59
      || until.second > 60)
    refuse_at(rule->line, next, "UNTIL is expected as 20261224 or 20261224T235959Z");
}

static void read_frequency(struct rule *rule, const char *next, const char *end) {
  static const char *const names[] = {"DAILY", "WEEKLY", "MONTHLY", "YEARLY"};
  const size_t length = (size_t)(end - next);
  for (int index = 0; index < 4; index++)
    if (length == strlen(names[index]) && strncasecmp(next, names[index], length) == 0) {
      rule->frequency = (enum frequency)index;
      return;
    }
  static const char *const times[] = {"HOURLY", "MINUTELY", "SECONDLY"};
  for (int index = 0; index < 3; index++)
    if (length == strlen(times[index]) && strncasecmp(next, times[index], length) == 0)
      refuse_at(rule->line, next, "FREQ=%s is not read: days are expected, as DAILY",
             times[index]);
  refuse_at(rule->line, next, "FREQ is expected as DAILY, WEEKLY, MONTHLY or YEARLY");
}

// Reads the value of a part from `next` up to `end`.
static void read_part(struct rule *rule, enum rule_part part, const char *next, const char *end) {
  const struct list {
    struct numbers *numbers;
    int low, high, is_signed;
  } lists[rule_part_count] = {
      [part_month] = {&rule->months, 1, 12, 0},       [part_week] = {&rule->weeks, 1, 53, 1},
      [part_year_day] = {&rule->year_days, 1, 366, 1}, [part_month_day] = {&rule->month_days, 1, 31, 1},
      [part_hour] = {&rule->hours, 0, 23, 0},         [part_minute] = {&rule->minutes, 0, 59, 0},
      [part_second] = {&rule->seconds, 0, 59, 0},     [part_position] = {&rule->positions, 1, 366, 1},
  };
  const struct line *line = rule->line;
  const char *name = part_names[part];
  switch (part) {
    case part_freq: read_frequency(rule, next, end); return;
    case part_until: read_until(rule, next, end); return;
    case part_day: read_weekdays(rule, next, end); return;
    case part_wkst: rule->week_start = weekday(line, &next); break;
    case part_interval: rule->interval = number(line, name, &next, 1, interval_max, 0); break;
    case part_count: rule->count = number(line, name, &next, 1, rule_count_max, 0); break;
    default:
      do {
        const char *begin = next;
        const struct list *list = &lists[part];
        add(line, begin, list->numbers, number(line, name, &next, list->low, list->high, list->is_signed));
      } while (goes_on(line, name, &next, end));
      return;
  }
  if (next != end) refuse_at(line, next, "the end of %s is expected", name);
}

_Noreturn static void refuse_part(const struct rule *rule, enum rule_part part, const char *reason) {
  refuse_at(rule->line, rule->parts[part], "%s%s", part_names[part], reason);
}

// Weeks of a number that can lie in two years: it depends on the program for which of the two they are taken.
static int has_week_of_two_years(const struct rule *rule) {
  for (int index = 0; index < rule->weeks.count; index++)
    if (abs(rule->weeks.items[index]) < 2 || abs(rule->weeks.items[index]) > 51) return 1;
  return 0;
}

// Refuses combinations of parts that RFC 5545, section 3.3.10, does not allow, and those whose meaning it leaves open.
static void check_parts(const struct rule *rule) {
  const char *const *has = rule->parts;
  const int is_yearly = rule->frequency == frequency_yearly;
  if (!has[part_freq]) refuse_at(rule->line, value_of(rule->line), "a rule such as FREQ=YEARLY is expected");
  if (has[part_count] && has[part_until]) refuse_part(rule, part_until, " and COUNT are not allowed in one rule");
  if (has[part_week] && !is_yearly) refuse_part(rule, part_week, " is allowed with FREQ=YEARLY alone");
  if (has[part_year_day] && !is_yearly) refuse_part(rule, part_year_day, " is allowed with FREQ=YEARLY alone");
  if (has[part_month_day] && rule->frequency == frequency_weekly)
    refuse_part(rule, part_month_day, " is not allowed with FREQ=WEEKLY");
  for (int index = 0; index < rule->weekdays.count; index++) {
    if (rule->weekday_numbers.items[index] == 0) continue;
    if (rule->frequency < frequency_monthly)
      refuse_part(rule, part_day, " with a number is allowed with FREQ=MONTHLY and FREQ=YEARLY alone");
    if (has[part_week]) refuse_part(rule, part_day, " with a number is not allowed beside BYWEEKNO");
  }
  int others = 0;
  for (int part = part_month; part < part_position; part++) others += has[part] != NULL;
  if (has[part_position] && others == 0) refuse_part(rule, part_position, " is expected beside another part, such as BYDAY");
  if (has[part_month_day] && is_yearly && !has[part_month] && !has[part_year_day])
    refuse_part(rule, part_month_day,
                " of FREQ=YEARLY is expected with BYMONTH: programs differ in which months it means without");
  if ((rule->interval > 1 || has[part_position]) && has_week_of_two_years(rule))
    refuse_part(rule, part_week,
                " 1, 52 and 53 are not read with INTERVAL or BYSETPOS: programs differ in the year that such a week is of");
}

struct rule *read_rule(const struct line *line) {
  struct rule *rule = take_memory(NULL, 1, sizeof *rule);
  memset(rule, 0, sizeof *rule);
  rule->line = line;
  rule->interval = 1;
  for (const char *next = value_of(line);; next++) {
    const char *end = strchrnul(next, ';');
    // Behind the last part there can be a semicolon.
    if (end == next && *end == 0 && rule->parts[part_freq]) break;
    const char *equal = memchr(next, '=', (size_t)(end - next));
    const size_t length = equal == NULL ? 0 : (size_t)(equal - next);
    enum rule_part part = 0;
    while (part < rule_part_count
           && (length != strlen(part_names[part]) || strncasecmp(next, part_names[part], length) != 0))
      part++;
    if (length == 0) refuse_at(line, next, "a rule such as FREQ=YEARLY is expected");
    if (part == rule_part_count)
      refuse_at(line, next, "%.*s of a rule is not read", length > 40 ? 40 : (int)length, next);
    if (rule->parts[part] != NULL) refuse_at(line, next, "%s is expected once", part_names[part]);
    rule->parts[part] = next;
    read_part(rule, part, equal + 1, end);
    if (*end == 0) break;
    next = end;
  }
  check_parts(rule);
  return rule;
}
