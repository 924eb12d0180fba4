// Events as they are written, and the times that libical itself makes of their rules.
#include "properties.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum {
  // Of one file: a calendar of ten years with an event on each working day has half as many.
  series_max = 5000,
  // Of RDATE, and of EXDATE, of one event: what a job takes.
  dates_max = 4096,
  // Of a UID, of the name of a zone and of that of a component: RFC 7986 advises 255.
  name_bytes_max = 1000,
  // Of a rule: what a job takes.
  rule_bytes_max = 8192,
  // Times of one rule: each minute of three days; a proof leaves out the first and the last.
  times_max = 5000,
  // Times of all rules: the most events, each of them daily for two years.
  times_total_max = 4000000,
  // Steps through the rules of a file from their starts: half of what the limit of the processor's time leaves room for.
  steps_max = 5000000,
};

/// What is written, and how far.
struct series {
  const struct lines *lines;
  long first, last;
  FILE *output;
  struct zones zones;
  long steps, times;
};

/// What an event has so far.
struct written {
  int has_start, is_override, has_alarm, has_summary;
  int extra_count, exception_count;
  struct moment start;
  const struct line *rule;
};

// The name of a component that begins at a line, up to its end, or NULL.
static char *begun(const struct line *line) {
  if (strncasecmp(line->text, "BEGIN:", 6) != 0) return NULL;
  char *name = one_line(line->text + 6);
  size_t length = strlen(name);
  if (length > name_bytes_max) refuse(line->number, 7, "a name of at most %d bytes is expected", name_bytes_max);
  while (length > 0 && name[length - 1] == ' ') name[--length] = 0;
  return name;
}

// The index of the line that ends a component.
static size_t end_of(const struct lines *lines, size_t begin, const char *name) {
  char end[name_bytes_max + 5];
  snprintf(end, sizeof end, "END:%s", name);
  int depth = 0;
  for (size_t index = begin + 1; index < lines->count; index++) {
    const struct line *line = &lines->items[index];
    if (depth == 0 && is_line(line, end)) return index;
    if (is_line(line, "BEGIN:VEVENT")) refuse(line->number, 1, "\"%s\" is expected before another event", end);
    if (strncasecmp(line->text, "BEGIN:", 6) == 0) depth++;
    if (strncasecmp(line->text, "END:", 4) == 0 && --depth < 0) refuse(line->number, 1, "\"%s\" is expected", end);
  }
  const struct line *last = &lines->items[lines->count - 1];
  refuse_at(last, last->text + strlen(last->text), "\"%s\" is expected", end);
}

static void write_field(const struct series *series, const char *name, int line, struct moment moment) {
  if (moment.zone != NULL && strlen(moment.zone) > name_bytes_max)
    refuse(line, 1, "a TZID of at most %d bytes is expected", name_bytes_max);
  fprintf(series->output, "%s\t%d\t", name, line);
  write_moment(series->output, moment);
}

static void write_dates(const struct series *series, const struct line *line, int *count, int are_extra) {
  expect_short_list(line);
  icalcomponent *component = parsed(line, "a date such as 20261224 is expected");
  for (icalproperty *property = icalcomponent_get_first_property(component, ICAL_ANY_PROPERTY); property != NULL;
       property = icalcomponent_get_next_property(component, ICAL_ANY_PROPERTY)) {
    if (++*count > dates_max) refuse(line->number, 1, "at most %d dates of an event are read", dates_max);
    struct icaldatetimeperiodtype value = {.period.start = icaltime_null_time()};
    if (are_extra) value = icalproperty_get_rdate(property);
    else value.time = icalproperty_get_exdate(property);
    const int is_period = are_extra && icaltime_is_null_time(value.time);
    const struct icaltimetype time = is_period ? value.period.start : value.time;
    write_field(series, are_extra ? "extra" : "except", line->number,
                moment_of(&series->zones, property, time, line->number));
    if (are_extra) fprintf(series->output, "\t%d", is_period);
    putc('\n', series->output);
  }
  icalcomponent_free(component);
}

static void write_rule(const struct series *series, struct written *event, const struct line *line) {
  if (event->rule != NULL)
    refuse(line->number, 1, "one RRULE is expected in an event: write an event of its own for the other");
  char *rule = one_line(value_of(line));
  if (strlen(rule) > rule_bytes_max) refuse(line->number, 1, "a rule of at most %d bytes is expected", rule_bytes_max);
  fprintf(series->output, "rule\t%d\t%s\n", line->number, rule);
  free(rule);
  event->rule = line;
}

static void write_property(const struct series *series, struct written *event, const struct line *line) {
  if (is_property(line, "DTSTART")) {
    expect_first(line, event->has_start);
    event->has_start = 1;
    event->start = moment_in(&series->zones, line, ICAL_DTSTART_PROPERTY);
    write_field(series, "start", line->number, event->start);
    putc('\n', series->output);
  } else if (is_property(line, "RECURRENCE-ID")) {
    expect_first(line, event->is_override);
    event->is_override = 1;
    refuse_range(line);
    write_field(series, "instead", line->number, moment_in(&series->zones, line, ICAL_RECURRENCEID_PROPERTY));
    putc('\n', series->output);
  } else if (is_property(line, "RRULE")) {
    write_rule(series, event, line);
  } else if (is_property(line, "EXRULE")) {
    refuse(line->number, 1, "EXRULE is not read: write the dates as EXDATE");
  } else if (is_property(line, "RDATE")) {
    write_dates(series, line, &event->extra_count, 1);
  } else if (is_property(line, "EXDATE")) {
    write_dates(series, line, &event->exception_count, 0);
  } else if (is_property(line, "SUMMARY") && !event->has_summary && *value_of(line) != 0) {
    event->has_summary = 1;
    char *summary = summary_of(line);
    fprintf(series->output, "summary\t%d\t%s\n", line->number, summary);
    free(summary);
  } else if (is_property(line, "STATUS")) {
    if (strcasecmp(value_of(line), "CANCELLED") == 0) fprintf(series->output, "canceled\t%d\n", line->number);
  }
}

// UNTIL on the clock of the start: that of a day is its end, and one in UTC is two days late, which the reader cuts off.
static struct icaltimetype until_of(struct icaltimetype until, struct icaltimetype start) {
  if (icaltime_is_null_time(until)) return until;
  const int is_utc = icaltime_is_utc(until);
  until.zone = NULL;
  if (start.is_date) {
    until.is_date = 1, until.hour = until.minute = until.second = 0;
  } else if (until.is_date) {
    until.is_date = 0, until.hour = 23, until.minute = until.second = 59;
  } else if (is_utc) {
    icaltime_adjust(&until, 2, 0, 0, 0);
  }
  return until;
}

static void write_times(struct series *series, const struct written *event) {
  static long times[times_max];
  const int number = event->rule->number;
  struct icaltimetype start = event->start.time;
  start.zone = NULL;
  struct icalrecurrencetype rule = icalrecurrencetype_from_string(value_of(event->rule));
  icalrecur_iterator *steps = NULL;
  if (rule.freq != ICAL_NO_RECURRENCE) {
    rule.until = until_of(rule.until, start);
    steps = icalrecur_iterator_new(rule, start);
  }
  if (steps == NULL) {
    fprintf(series->output, "untimed\t%d\tlibical does not read the rule\n", number);
    return;
  }
  int count = 0, is_cut = 0;
  for (struct icaltimetype time = icalrecur_iterator_next(steps); !icaltime_is_null_time(time);
       time = icalrecur_iterator_next(steps)) {
    const long second = seconds_of(time);
    if (second > series->last) break;
    if (++series->steps > steps_max) break;
    if (second < series->first) continue;
    is_cut = count == times_max;
    if (is_cut) break;
    times[count++] = second;
  }
  icalrecur_iterator_free(steps);
  series->times += count;
  if (series->steps > steps_max || series->times > times_total_max) {
    fprintf(series->output, "untimed\t%d\tthe rules of the file have too many times: divide the file\n", number);
    return;
  }
  fprintf(series->output, "times\t%d\t%d\t", number, is_cut);
  for (int index = 0; index < count; index++)
    fprintf(series->output, index == 0 ? "%ld" : " %ld", times[index] - (index == 0 ? 0 : times[index - 1]));
  putc('\n', series->output);
}

static void write_properties(struct series *series, size_t begin, size_t end) {
  struct written event = {0};
  int depth = 0;
  for (size_t index = begin + 1; index < end; index++) {
    const struct line *line = &series->lines->items[index];
    if (is_line(line, "BEGIN:VALARM") && !event.has_alarm) {
      event.has_alarm = 1;
      fprintf(series->output, "alarm\t%d\n", line->number);
    }
    if (strncasecmp(line->text, "BEGIN:", 6) == 0) depth++;
    if (depth == 0) write_property(series, &event, line);
    if (strncasecmp(line->text, "END:", 4) == 0) depth--;
  }
  const int last = series->lines->items[end].number;
  if (!event.has_start) refuse(last, 1, "\"DTSTART\" is expected in the event before its end");
  if (event.rule != NULL && series->first < series->last) write_times(series, &event);
}

// Writes an event. A refusal of it does not end the program.
static void write_event(struct series *series, size_t begin, size_t end) {
  const char *uid = "";
  int is_override = 0, depth = 0;
  for (size_t index = begin + 1; index < end; index++) {
    const struct line *line = &series->lines->items[index];
    if (strncasecmp(line->text, "BEGIN:", 6) == 0) depth++;
    if (depth == 0 && is_property(line, "UID")) uid = value_of(line);
    if (depth == 0 && is_property(line, "RECURRENCE-ID")) is_override = 1;
    if (strncasecmp(line->text, "END:", 4) == 0) depth--;
  }
  const int number = series->lines->items[begin].number;
  char *name = one_line(uid);
  const int is_long = strlen(name) > name_bytes_max;
  fprintf(series->output, "event\t%d\t%d\t%s\n", number, is_override, is_long ? "" : name);
  free(name);
  const long start = ftell(series->output);
  static struct trap refusal;
  trap = &refusal;
  if (setjmp(refusal.place) == 0) {
    if (is_long) refuse(number, 1, "a UID of at most %d bytes is expected", name_bytes_max);
    write_properties(series, begin, end);
    trap = NULL;
  } else {
    trap = NULL;
    char *reason = one_line(refusal.reason);
    // The last record can be cut short.
    if (start < 0 || fseek(series->output, start, SEEK_SET) != 0) exit(2);
    fprintf(series->output, "refused\t%d\t%d\t%s\n", refusal.line, refusal.column, reason);
    free(reason);
  }
}

// Writes where a described zone is in the zone database, as libical and other programs name it.
static void write_zone(const struct series *series, size_t begin, size_t end) {
  char *name = NULL, *location = NULL;
  for (size_t index = begin + 1; index < end; index++) {
    const struct line *line = &series->lines->items[index];
    if (name == NULL && is_property(line, "TZID")) name = one_line(value_of(line));
    if (location == NULL && is_property(line, "X-LIC-LOCATION")) location = one_line(value_of(line));
  }
  if (name != NULL && location != NULL && strlen(name) <= name_bytes_max && strlen(location) <= name_bytes_max)
    fprintf(series->output, "zone\t%d\t%s\t%s\n", series->lines->items[begin].number, name, location);
  free(name);
  free(location);
}

void write_series(const struct lines *lines, long first, long last, FILE *output) {
  struct series series = {.lines = lines, .first = first, .last = last, .output = output, .zones.keeps_names = 1};
  int count = 0;
  for (size_t index = 0; index < lines->count; index++) {
    const struct line *line = &lines->items[index];
    char *name = begun(line);
    if (name == NULL || strcasecmp(name, "VCALENDAR") == 0) {
      free(name);
      continue;
    }
    const size_t end = end_of(lines, index, name);
    if (strcasecmp(name, "VEVENT") == 0) {
      if (++count > series_max)
        refuse(line->number, 1, "at most %d events are read: divide the file", series_max);
      write_event(&series, index, end);
    } else if (strcasecmp(name, "VTIMEZONE") == 0) {
      write_zone(&series, index, end);
    } else {
      fprintf(output, "component\t%d\t%s\n", line->number, name);
    }
    free(name);
    index = end;
  }
}
