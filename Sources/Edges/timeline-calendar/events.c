// Events: their properties, and their occurrences.
#include "properties.h"
#include "recurrence.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum {
  // Of a DURATION, as the reader has it for DTEND: longer than a year is a mistake in a date.
  event_days_max = 366,
  // Occurrences of a whole file: more than days are kept of one.
  occurrences_max = 8192,
  // Dates of RDATE, EXDATE and RECURRENCE-ID of one event or of one file.
  dates_max = 8192,
  // Rules of one event: more than one is rare already.
  rules_max = 8,
};

/// An occurrence that is written as such: a value of RDATE.
struct extra {
  struct moment start;
  /// The end of a period, or a null time where it has a duration or is as long as the event.
  struct moment end;
  /// Of a period that has no end.
  struct icaldurationtype duration;
  int is_period, line;
};

/// A moment that is no occurrence, and its line.
struct exclusion {
  struct moment moment;
  int line;
};

/// An event as it stands in the file.
struct event {
  int line;
  int has_start, has_end, has_duration, is_canceled, is_override;
  struct moment start, end, recurrence;
  int recurrence_line;
  struct icaldurationtype duration;
  int start_line, end_line;
  char *uid, *summary;
  struct rule *rules[rules_max];
  int rule_count;
  struct extra *extra;
  struct exclusion *excluded;
  size_t extra_count, excluded_count;
};

/// The occurrence of a repeating event that an event of its own replaces.
struct override {
  const char *uid;
  struct moment time;
  int line;
};

struct calendar {
  const struct lines *lines;
  int first_year, last_year;
  FILE *output;
  struct zones zones;
  struct override *overrides;
  size_t override_count;
  int written;
};

// Makes room for one more date of an event that has `count`.
static void *room_for_date(void *dates, size_t count, size_t size, int line) {
  if (count == dates_max) refuse(line, 1, "at most %d dates of an event are read", dates_max);
  // It doubles at every power of two.
  return (count & (count - 1)) == 0 ? take_memory(dates, count == 0 ? 1 : count * 2, size) : dates;
}

// Whether a text up to `end` is a duration; libical 3.0.16 takes `P1` and `PT` for nothing.
static int is_duration(const char *text, const char *end) {
  text += *text == '+' || *text == '-';
  if (toupper((unsigned char)*text++) != 'P') return 0;
  const char *units = "WD";
  int count = 0, has_time = 0;
  while (text < end) {
    const size_t digits = strspn(text, "0123456789");
    const char unit = (char)toupper((unsigned char)text[digits]);
    if (!has_time && digits == 0 && unit == 'T') {
      units = "HMS";
      count = 0, has_time = 1;
    } else {
      // Each unit once, the larger before the smaller.
      const char *found = digits == 0 || unit == 0 ? NULL : strchr(units, unit);
      if (found == NULL) return 0;
      units = found + 1;
      count++;
    }
    text += digits + 1;
  }
  return text == end && count > 0;
}

static void read_duration(struct event *event, const struct line *line) {
  static const char expected[] = "a duration such as P3D, P1W or PT36H is expected";
  const char *value = value_of(line);
  if (!is_duration(value, value + strcspn(value, " \t"))) refuse_at(line, value, expected);
  icalcomponent *component = parsed(line, expected);
  event->duration = icalproperty_get_duration(first_of(component, ICAL_DURATION_PROPERTY, line, expected));
  if (event->duration.is_neg || icaldurationtype_is_bad_duration(event->duration)) refuse(line->number, 1, expected);
  event->has_duration = 1;
  event->end_line = line->number;
  icalcomponent_free(component);
}

static int is_too_long(struct icaldurationtype span) {
  return span.weeks * 7L + span.days + (span.hours + (span.minutes + span.seconds / 60L) / 60) / 24 > event_days_max;
}

// Reads the dates of a line of RDATE. libical makes a property of each date.
static void read_extras(struct calendar *calendar, struct event *event, const struct line *line) {
  static const char expected[] = "a period such as 20261224T180000Z/PT5H is expected";
  for (const char *slash = strchr(value_of(line), '/'); slash != NULL; slash = strchr(slash + 1, '/'))
    if (!isdigit((unsigned char)slash[1]) && !is_duration(slash + 1, slash + 1 + strcspn(slash + 1, ", \t")))
      refuse_at(line, slash + 1, expected);
  expect_short_list(line);
  icalcomponent *component = parsed(line, "a date such as 20261224 is expected");
  for (icalproperty *property = icalcomponent_get_first_property(component, ICAL_ANY_PROPERTY); property != NULL;
       property = icalcomponent_get_next_property(component, ICAL_ANY_PROPERTY)) {
    const struct icaldatetimeperiodtype value = icalproperty_get_rdate(property);
    struct extra extra = {.is_period = icaltime_is_null_time(value.time), .line = line->number};
    extra.end.time = icaltime_null_time();
    extra.start = moment_of(&calendar->zones, property, extra.is_period ? value.period.start : value.time, line->number);
    if (extra.is_period) {
      extra.duration = value.period.duration;
      if (!icaltime_is_null_time(value.period.end))
        extra.end = moment_of(&calendar->zones, property, value.period.end, line->number);
      else if (extra.duration.is_neg || icaldurationtype_is_bad_duration(extra.duration) || is_too_long(extra.duration))
        refuse_at(line, value_of(line), expected);
    }
    event->extra = room_for_date(event->extra, event->extra_count, sizeof *event->extra, line->number);
    event->extra[event->extra_count++] = extra;
  }
  icalcomponent_free(component);
}

static void exclude(struct event *event, struct moment moment, int line) {
  event->excluded = room_for_date(event->excluded, event->excluded_count, sizeof *event->excluded, line);
  event->excluded[event->excluded_count++] = (struct exclusion){.moment = moment, .line = line};
}

// Dates of EXDATE.
static void read_exclusions(struct calendar *calendar, struct event *event, const struct line *line) {
  expect_short_list(line);
  icalcomponent *component = parsed(line, "a date such as 20261224 is expected");
  for (icalproperty *property = icalcomponent_get_first_property(component, ICAL_ANY_PROPERTY); property != NULL;
       property = icalcomponent_get_next_property(component, ICAL_ANY_PROPERTY))
    exclude(event, moment_of(&calendar->zones, property, icalproperty_get_exdate(property), line->number), line->number);
  icalcomponent_free(component);
}

static void read_property(struct calendar *calendar, struct event *event, const struct line *line) {
  const char *value = value_of(line);
  if (is_property(line, "DTSTART")) {
    expect_first(line, event->has_start);
    event->start = moment_in(&calendar->zones, line, ICAL_DTSTART_PROPERTY);
    event->has_start = 1;
    event->start_line = line->number;
  } else if (is_property(line, "DTEND")) {
    expect_first(line, event->has_end);
    event->end = moment_in(&calendar->zones, line, ICAL_DTEND_PROPERTY);
    event->has_end = 1;
    event->end_line = line->number;
  } else if (is_property(line, "RECURRENCE-ID")) {
    expect_first(line, event->is_override);
    refuse_range(line);
    event->recurrence = moment_in(&calendar->zones, line, ICAL_RECURRENCEID_PROPERTY);
    event->recurrence_line = line->number;
    event->is_override = 1;
  } else if (is_property(line, "DURATION")) {
    expect_first(line, event->has_duration);
    read_duration(event, line);
  } else if (is_property(line, "RRULE")) {
    if (event->rule_count == rules_max) refuse(line->number, 1, "at most %d rules of an event are read", rules_max);
    event->rules[event->rule_count++] = read_rule(line);
  } else if (is_property(line, "EXRULE")) {
    refuse(line->number, 1, "EXRULE is not read; write the days as EXDATE");
  } else if (is_property(line, "RDATE")) {
    read_extras(calendar, event, line);
  } else if (is_property(line, "EXDATE")) {
    read_exclusions(calendar, event, line);
  } else if (is_property(line, "SUMMARY") && *value != 0) {
    free(event->summary);
    event->summary = summary_of(line);
  } else if (is_property(line, "UID")) {
    free(event->uid);
    event->uid = one_line(value);
  } else if (is_property(line, "STATUS")) {
    event->is_canceled = strcasecmp(value, "CANCELLED") == 0;
  }
}

// Why an instant neither ends nor excludes occurrences which are none, or NULL: when they are depends on the zone of the job.
//
// A day that is written as a midnight is clear, and so is the last second of one.
static const char *wrong_kind(const struct event *event, const struct moment *moment) {
  const struct icaltimetype time = moment->time;
  if (!is_zoned(moment) || is_zoned(&event->start)) return NULL;
  const int is_day = (time.hour == 0 && time.minute == 0 && time.second == 0)
                     || (time.hour == 23 && time.minute == 59 && time.second == 59);
  if (!event->start.time.is_date) return "is expected without a zone, as DTSTART is";
  return is_day ? NULL : "is expected as a day such as 20261224, as DTSTART is";
}

static void check_exclusion(const struct event *event, const struct moment *moment, const char *name, int line) {
  const char *reason = wrong_kind(event, moment);
  if (reason != NULL) refuse(line, 1, "%s %s", name, reason);
}

// Refuses an event that does not say when it is.
static void check_event(const struct event *event, int last_line) {
  if (!event->has_start) refuse(last_line, 1, "\"DTSTART\" is expected in the event before its end");
  if (event->has_end && event->has_duration)
    refuse(event->end_line, 1, "\"DTEND\" or \"DURATION\" is expected in an event, not both");
  const struct icaldurationtype *span = &event->duration;
  if (event->start.time.is_date && (span->hours != 0 || span->minutes != 0 || span->seconds != 0))
    refuse(event->end_line, 1, "days or weeks are expected, such as P3D: the event has no time of the day");
  if (is_too_long(*span)) refuse(event->end_line, 1, "an event of at most %d days is expected", event_days_max);
  if (event->has_end && is_zoned(&event->start) != is_zoned(&event->end))
    refuse(event->end_line, 1, "\"DTEND\" is expected with a zone or without, as \"DTSTART\" is");
  for (size_t index = 0; index < event->excluded_count; index++)
    check_exclusion(event, &event->excluded[index].moment, "EXDATE", event->excluded[index].line);
  for (int index = 0; index < event->rule_count; index++) {
    const struct rule *rule = event->rules[index];
    const char *reason = wrong_kind(event, &(struct moment){.time = rule->until});
    if (reason != NULL) refuse_at(rule->line, rule->parts[part_until], "UNTIL %s", reason);
  }
}

// Writes the end of an occurrence that takes the days of a duration and then, exactly, its hours.
static void write_end(FILE *output, struct moment start, struct icaldurationtype duration) {
  const struct icaltimetype date = date_of(days_of(start.time) + duration.weeks * 7L + duration.days);
  start.time.year = date.year, start.time.month = date.month, start.time.day = date.day;
  write_moment(output, start);
  const long seconds = duration.hours * 3600L + duration.minutes * 60L + duration.seconds;
  if (seconds > 0) fprintf(output, "+%ld", seconds);
}

// The duration of an occurrence by the days and times as they are written.
static struct icaldurationtype written_duration(const struct event *event, const struct moment *start) {
  const int is_date = start->time.is_date;
  struct icaldurationtype duration = {.days = (unsigned)event->start.time.is_date};
  if (event->has_duration) duration = event->duration;
  if (event->has_end) {
    // An end before the start, or years after it, is left to the reader.
    const long length = seconds_of(event->end.time) - seconds_of(event->start.time);
    const long days = length < 0 ? 0 : length / 86400;
    duration = (struct icaldurationtype){.days = (unsigned)days};
    if (!is_date && length > 0) duration.seconds = (unsigned)(length % 86400);
  }
  if (is_date) {
    // At least the day; of an event with times the whole days.
    duration.hours = duration.minutes = duration.seconds = 0;
    if (duration.weeks == 0 && duration.days == 0) duration.days = 1;
  }
  return duration;
}

static void begin_occurrence(struct calendar *calendar, const struct event *event, int line, struct moment start) {
  if (++calendar->written > occurrences_max) refuse(event->line, 1, "at most %d occurrences are read", occurrences_max);
  fprintf(calendar->output, "at\t%d\t", line);
  write_moment(calendar->output, start);
  putc('\t', calendar->output);
}

// Writes an occurrence that is as long as its event.
static void write_occurrence(struct calendar *calendar, const struct event *event, int line, struct moment start,
                             const struct rule *rule) {
  begin_occurrence(calendar, event, line, start);
  // From one instant to another it is left to the reader, who knows the zones.
  if (!event->has_end || !is_zoned(&event->start) || !is_zoned(&start))
    write_end(calendar->output, start, written_duration(event, &start));
  putc('\t', calendar->output);
  // A year that is later than all is often 9999.
  if (rule != NULL && rule->parts[part_until] != NULL && rule->until.year <= calendar->last_year + 1)
    write_moment(calendar->output, (struct moment){.time = rule->until});
  putc('\n', calendar->output);
}

static void write_extra(struct calendar *calendar, const struct event *event, const struct extra *extra) {
  if (extra->start.time.year > calendar->last_year) return;
  if (!extra->is_period) {
    write_occurrence(calendar, event, extra->line, extra->start, NULL);
    return;
  }
  begin_occurrence(calendar, event, extra->line, extra->start);
  if (icaltime_is_null_time(extra->end.time)) write_end(calendar->output, extra->start, extra->duration);
  else write_moment(calendar->output, extra->end);
  fputs("\t\n", calendar->output);
}

/// What the occurrences of a rule are written for.
struct expansion {
  struct calendar *calendar;
  const struct event *event;
  const struct rule *rule;
};

static void write_repeated(void *context, struct icaltimetype time) {
  const struct expansion *expansion = context;
  if (time.year < expansion->calendar->first_year - 1) return;
  const struct moment start = {.time = time, .zone = expansion->event->start.zone};
  write_occurrence(expansion->calendar, expansion->event, expansion->rule->line->number, start, expansion->rule);
}

static void write_exclusion(FILE *output, const struct moment *moment, int line) {
  fprintf(output, "except\t%d\t", line);
  write_moment(output, *moment);
  putc('\n', output);
}

// Writes which occurrences of an event others replace.
static void write_overrides(struct calendar *calendar, const struct event *event) {
  if (event->is_override || event->uid == NULL) return;
  for (size_t index = 0; index < calendar->override_count; index++) {
    const struct override *override = &calendar->overrides[index];
    if (strcmp(override->uid, event->uid) != 0) continue;
    check_exclusion(event, &override->time, "RECURRENCE-ID", override->line);
    write_exclusion(calendar->output, &override->time, override->line);
  }
}

static void write_event(struct calendar *calendar, const struct event *event, int last_line) {
  if (event->is_canceled) return;
  check_event(event, last_line);
  const int end_line = event->end_line != 0 ? event->end_line : event->start_line;
  fprintf(calendar->output, "event\t%d\t%d\t%d\t", event->line, event->start_line, end_line);
  write_moment(calendar->output, event->start);
  putc('\t', calendar->output);
  if (event->has_end) write_moment(calendar->output, event->end);
  fprintf(calendar->output, "\t%s\n", event->summary == NULL ? "" : event->summary);
  for (size_t index = 0; index < event->excluded_count; index++)
    write_exclusion(calendar->output, &event->excluded[index].moment, event->excluded[index].line);
  write_overrides(calendar, event);
  const int repeats = event->rule_count > 0 || event->extra_count > 0;
  // A single event counts whenever it is.
  if (!repeats || event->start.time.year >= calendar->first_year - 1)
    write_occurrence(calendar, event, event->start_line, event->start, NULL);
  for (int index = 0; index < event->rule_count; index++) {
    struct expansion expansion = {.calendar = calendar, .event = event, .rule = event->rules[index]};
    expand_rule(event->rules[index], event->start.time, calendar->last_year, write_repeated, &expansion);
  }
  for (size_t index = 0; index < event->extra_count; index++) write_extra(calendar, event, &event->extra[index]);
}

// Reads the event that begins at a line, or only which occurrence it replaces; returns the line behind it.
static size_t read_event(struct calendar *calendar, size_t begin, struct event *event, size_t *end, int is_whole) {
  const struct lines *lines = calendar->lines;
  int depth = 0;
  event->line = lines->items[begin].number;
  for (size_t index = begin + 1; index < lines->count; index++) {
    const struct line *line = &lines->items[index];
    if (depth == 0 && is_line(line, "END:VEVENT")) {
      *end = index;
      return index + 1;
    }
    if (is_line(line, "BEGIN:VEVENT")) refuse(line->number, 1, "\"END:VEVENT\" is expected before another event");
    // Alarms and whatever else is inside.
    if (strncasecmp(line->text, "BEGIN:", 6) == 0) depth++;
    if (depth == 0 && (is_whole || is_property(line, "RECURRENCE-ID") || is_property(line, "UID")))
      read_property(calendar, event, line);
    if (strncasecmp(line->text, "END:", 4) == 0) depth--;
  }
  const struct line *last = &lines->items[lines->count - 1];
  refuse_at(last, last->text + strlen(last->text), "\"END:VEVENT\" is expected");
}

void write_events(const struct lines *lines, int first_year, int last_year, FILE *output) {
  struct calendar calendar = {.lines = lines, .first_year = first_year, .last_year = last_year, .output = output};
  calendar.zones = read_zones(lines);
  // The first pass collects the occurrences that are replaced, the second one writes: a file may have them in any order.
  for (int writes = 0; writes < 2; writes++) {
    for (size_t index = 0; index < lines->count;) {
      if (!is_line(&lines->items[index], "BEGIN:VEVENT")) {
        index++;
        continue;
      }
      struct event event = {0};
      size_t end = index;
      index = read_event(&calendar, index, &event, &end, writes);
      if (writes) {
        write_event(&calendar, &event, lines->items[end].number);
        free(event.uid);
      } else if (event.is_override && event.uid != NULL) {
        if (calendar.override_count == dates_max) refuse(event.line, 1, "at most %d RECURRENCE-ID are read", dates_max);
        calendar.overrides = take_memory(calendar.overrides, calendar.override_count + 1, sizeof *calendar.overrides);
        calendar.overrides[calendar.override_count++] = (struct override){.uid = event.uid, .time = event.recurrence,
                                                                            .line = event.recurrence_line};
      } else {
        free(event.uid);
      }
      for (int rule = 0; rule < event.rule_count; rule++) free(event.rules[rule]);
      free(event.summary);
      free(event.extra);
      free(event.excluded);
    }
  }
}
