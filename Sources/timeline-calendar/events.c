// Events: their properties, and the occurrences that libical makes of their rules.
#include "calendar.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum {
  // Longer than a year is a mistake in a date.
  event_days_max = 366,
  // Occurrences of a whole file: more than days are kept of one.
  occurrences_max = 8192,
  // Steps through the occurrences of one rule: a day of every day from 1601 on.
  steps_max = 250000,
  // Dates of RDATE, EXDATE and RECURRENCE-ID of one event or of one file.
  dates_max = 8192,
  // Of a summary: the names of holidays are shorter.
  summary_bytes_max = 240,
  // Rules of one event: more than one is rare already.
  rules_max = 8,
};

/// A time, and the name of its zone in the zone database or NULL.
struct moment {
  struct icaltimetype time;
  const char *zone;
};

/// An event as it stands in the file.
struct event {
  int line;
  int has_start, has_end, has_duration, is_canceled, is_override;
  struct moment start, end, recurrence;
  struct icaldurationtype duration;
  int end_line;
  char *uid, *summary;
  struct icalrecurrencetype rules[rules_max];
  int rule_count, rule_line;
  struct moment *extra, *excluded;
  size_t extra_count, excluded_count;
};

/// The occurrence of a repeating event that an event of its own replaces.
struct override {
  const char *uid;
  struct moment time;
};

struct calendar {
  const struct lines *lines;
  int first_year, last_year;
  FILE *output;
  icalcomponent **zones;
  size_t zone_count;
  struct override *overrides;
  size_t override_count;
  int written;
};

static long days_of(struct icaltimetype time) {
  // Howard Hinnant's civil_from_days in reverse, exact for every year.
  const long year = time.month <= 2 ? time.year - 1L : time.year;
  const long era = (year >= 0 ? year : year - 399) / 400;
  const long of_era = year - era * 400;
  const long of_year = (153L * (time.month + (time.month > 2 ? -3 : 9)) + 2) / 5 + time.day - 1;
  return era * 146097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719468;
}

static long seconds_of(struct icaltimetype time) {
  return days_of(time) * 86400 + (time.is_date ? 0 : time.hour * 3600L + time.minute * 60L + time.second);
}

static struct icaltimetype plus(struct icaltimetype time, long seconds) {
  icaltime_adjust(&time, (int)(seconds / 86400), 0, 0, time.is_date ? 0 : (int)(seconds % 86400));
  return time;
}

static int is_same(const struct moment *left, const struct moment *right) {
  // A date excludes the occurrence of that day, whatever its time.
  if (left->time.is_date || right->time.is_date) return days_of(left->time) == days_of(right->time);
  const int comparable = icaltime_is_utc(left->time) == icaltime_is_utc(right->time);
  if (comparable || left->time.zone == NULL || right->time.zone == NULL) return seconds_of(left->time) == seconds_of(right->time);
  return icaltime_compare(left->time, right->time) == 0;
}

// The zone that the file itself describes under a name.
static icaltimezone *zone_in_file(const struct calendar *calendar, const char *name) {
  for (size_t index = 0; index < calendar->zone_count; index++) {
    icalproperty *tzid = icalcomponent_get_first_property(calendar->zones[index], ICAL_TZID_PROPERTY);
    if (tzid == NULL || strcmp(icalproperty_get_tzid(tzid), name) != 0) continue;
    icaltimezone *zone = icaltimezone_new();
    icalcomponent *copy = icalcomponent_new_clone(calendar->zones[index]);
    if (zone == NULL || copy == NULL || !icaltimezone_set_component(zone, copy)) return NULL;
    return zone;
  }
  return NULL;
}

static struct moment moment_of(const struct calendar *calendar, icalproperty *property, struct icaltimetype time, int line) {
  if (time.month < 1 || time.month > 12 || time.day < 1 || time.day > icaltime_days_in_month(time.month, time.year)
      || time.hour > 23 || time.minute > 59 || time.second > 60)
    refuse(line, 1, "%s names a day or a time that does not exist", icalproperty_get_property_name(property));
  struct moment moment = {.time = time};
  icalparameter *parameter = icalproperty_get_first_parameter(property, ICAL_TZID_PARAMETER);
  if (time.is_date || icaltime_is_utc(time) || parameter == NULL) return moment;
  const char *name = icalparameter_get_tzid(parameter);
  static icaltimezone *zone;
  static char zone_name[256];
  // Nearly every time of a file is of one zone.
  if (strcmp(zone_name, name) != 0) {
    if (strlen(name) >= sizeof zone_name) refuse(line, 1, "a shorter TZID is expected");
    strcpy(zone_name, name);
    zone = zone_in_file(calendar, name);
  }
  moment.time.zone = zone;
  if (zone == NULL) {
    // Before the name some programs put a slash, or where they have it from.
    const char *known = name[0] == '/' ? strrchr(name, '/') : name;
    while (name[0] == '/' && known > name + 1 && known[-1] != '/') known--;
    moment.zone = strdup(known[0] == '/' ? known + 1 : known);
    if (moment.zone == NULL || moment.zone[0] == 0 || strpbrk(moment.zone, "\t\n") != NULL)
      refuse(line, 1, "the name of a time zone is expected as TZID");
  }
  return moment;
}

// The properties that libical reads in a line, within a component of their own, which is the caller's; the file is refused where
// it reads none.
static icalcomponent *parsed(const struct line *line, const char *expected) {
  const size_t length = strlen(line->text) + 64;
  char *text = take_memory(NULL, length, 1);
  snprintf(text, length, "BEGIN:VEVENT\r\n%s\r\nEND:VEVENT\r\n", line->text);
  icalcomponent *component = icalparser_parse_string(text);
  free(text);
  if (strchr(line->text, ':') == NULL) refuse(line->number, (int)strlen(line->text) + 1, "\":\" and a value are expected");
  const int column = (int)(strchr(line->text, ':') - line->text) + 2;
  if (component == NULL || icalcomponent_count_errors(component) > 0
      || icalcomponent_get_first_property(component, ICAL_ANY_PROPERTY) == NULL)
    refuse(line->number, column, "%s", expected);
  return component;
}

static void add_moment(struct moment **moments, size_t *count, struct moment moment, int line) {
  if (*count == dates_max) refuse(line, 1, "at most %d dates of an event are read", dates_max);
  // It doubles at every power of two.
  if ((*count & (*count - 1)) == 0) *moments = take_memory(*moments, *count == 0 ? 1 : *count * 2, sizeof **moments);
  (*moments)[(*count)++] = moment;
}

static char *one_line(const char *text) {
  char *copy = strdup(text == NULL ? "" : text);
  if (copy == NULL) exit(2);
  for (char *next = copy; *next != 0; next++)
    if ((unsigned char)*next < 0x20 || *next == 0x7F) *next = ' ';
  return copy;
}

// The first property of a kind in a component; the file is refused where there is none.
static icalproperty *first(icalcomponent *component, icalproperty_kind kind, const struct line *line, const char *expected) {
  icalproperty *property = icalcomponent_get_first_property(component, kind);
  if (property == NULL) refuse(line->number, 1, "%s", expected);
  return property;
}

// The time of a property that has one.
static struct moment moment_in(struct calendar *calendar, const struct line *line, icalproperty_kind kind) {
  static const char expected[] = "a date such as 20261224 is expected";
  icalcomponent *component = parsed(line, expected);
  icalproperty *property = first(component, kind, line, expected);
  const struct icaltimetype time = kind == ICAL_DTSTART_PROPERTY ? icalproperty_get_dtstart(property)
                                   : kind == ICAL_DTEND_PROPERTY ? icalproperty_get_dtend(property)
                                                                 : icalproperty_get_recurrenceid(property);
  const struct moment moment = moment_of(calendar, property, time, line->number);
  icalcomponent_free(component);
  return moment;
}

static void read_duration(struct event *event, const struct line *line) {
  static const char expected[] = "a duration such as P3D, P1W or PT36H is expected";
  icalcomponent *component = parsed(line, expected);
  event->duration = icalproperty_get_duration(first(component, ICAL_DURATION_PROPERTY, line, expected));
  if (event->duration.is_neg || icaldurationtype_is_bad_duration(event->duration)) refuse(line->number, 1, expected);
  event->has_duration = 1;
  event->end_line = line->number;
  icalcomponent_free(component);
}

// The component stays: a rule points into it.
static void read_rule(struct event *event, const struct line *line) {
  static const char expected[] = "a rule such as FREQ=YEARLY is expected";
  if (event->rule_count == rules_max) refuse(line->number, 1, "at most %d rules of an event are read", rules_max);
  icalproperty *property = first(parsed(line, expected), ICAL_RRULE_PROPERTY, line, expected);
  event->rules[event->rule_count++] = icalproperty_get_rrule(property);
  event->rule_line = line->number;
}

// Dates of RDATE and EXDATE, of which libical makes a property each.
static void read_dates(struct calendar *calendar, struct event *event, const struct line *line, int is_extra) {
  icalcomponent *component = parsed(line, "a date such as 20261224 is expected");
  for (icalproperty *property = icalcomponent_get_first_property(component, ICAL_ANY_PROPERTY); property != NULL;
       property = icalcomponent_get_next_property(component, ICAL_ANY_PROPERTY)) {
    struct icaltimetype time;
    if (is_extra) {
      const struct icaldatetimeperiodtype value = icalproperty_get_rdate(property);
      time = icaltime_is_null_time(value.time) ? value.period.start : value.time;
    } else {
      time = icalproperty_get_exdate(property);
    }
    const struct moment moment = moment_of(calendar, property, time, line->number);
    if (is_extra) add_moment(&event->extra, &event->extra_count, moment, line->number);
    else add_moment(&event->excluded, &event->excluded_count, moment, line->number);
  }
  icalcomponent_free(component);
}

static void read_summary(struct event *event, const struct line *line) {
  icalcomponent *component = parsed(line, "a text is expected");
  icalproperty *property = icalcomponent_get_first_property(component, ICAL_SUMMARY_PROPERTY);
  event->summary = one_line(property == NULL ? NULL : icalproperty_get_summary(property));
  size_t length = strlen(event->summary);
  // Never within a character.
  while (length > summary_bytes_max || (length > 0 && ((unsigned char)event->summary[length] & 0xC0) == 0x80)) length--;
  event->summary[length] = 0;
  icalcomponent_free(component);
}

static void read_property(struct calendar *calendar, struct event *event, const struct line *line) {
  const char *colon = strchr(line->text, ':');
  if (colon == NULL) refuse(line->number, (int)strlen(line->text) + 1, "\":\" and a value are expected");
  if (is_property(line, "DTSTART")) {
    event->start = moment_in(calendar, line, ICAL_DTSTART_PROPERTY);
    event->has_start = 1;
  } else if (is_property(line, "DTEND")) {
    event->end = moment_in(calendar, line, ICAL_DTEND_PROPERTY);
    event->has_end = 1;
    event->end_line = line->number;
  } else if (is_property(line, "RECURRENCE-ID")) {
    event->recurrence = moment_in(calendar, line, ICAL_RECURRENCEID_PROPERTY);
    event->is_override = 1;
  } else if (is_property(line, "DURATION")) {
    read_duration(event, line);
  } else if (is_property(line, "RRULE")) {
    read_rule(event, line);
  } else if (is_property(line, "EXRULE")) {
    refuse(line->number, 1, "EXRULE is not read; write the days as EXDATE");
  } else if (is_property(line, "RDATE") || is_property(line, "EXDATE")) {
    read_dates(calendar, event, line, is_property(line, "RDATE"));
  } else if (is_property(line, "SUMMARY") && colon[1] != 0) {
    free(event->summary);
    read_summary(event, line);
  } else if (is_property(line, "UID")) {
    free(event->uid);
    event->uid = one_line(colon + 1);
  } else if (is_property(line, "STATUS")) {
    event->is_canceled = strcasecmp(colon + 1, "CANCELLED") == 0;
  }
}

// Returns the length of the event in seconds: whole days if it has no time of day.
static long length_of(const struct event *event, int end_line) {
  if (!event->has_start) refuse(end_line, 1, "\"DTSTART\" is expected in the event before its end");
  if (event->has_end && event->has_duration)
    refuse(event->end_line, 1, "\"DTEND\" or \"DURATION\" is expected in an event, not both");
  const int is_date = event->start.time.is_date;
  long length = is_date ? 86400 : 0;
  if (event->has_duration) {
    const struct icaldurationtype *span = &event->duration;
    if (is_date && (span->hours != 0 || span->minutes != 0 || span->seconds != 0))
      refuse(event->end_line, 1, "days or weeks are expected, such as P3D: the event has no time of the day");
    const long days = (long)span->weeks * 7 + span->days;
    if (days > event_days_max) refuse(event->end_line, 1, "an event of at most %d days is expected", event_days_max);
    length = days * 86400 + (long)span->hours * 3600 + (long)span->minutes * 60 + span->seconds;
  } else if (event->has_end) {
    struct icaltimetype end = event->end.time, start = event->start.time;
    // Times of two zones that the file describes are compared in UTC.
    if (end.zone != start.zone && end.zone != NULL && start.zone != NULL) {
      end = icaltime_convert_to_zone(end, icaltimezone_get_utc_timezone());
      start = icaltime_convert_to_zone(start, icaltimezone_get_utc_timezone());
    }
    length = seconds_of(end) - seconds_of(start);
    if (days_of(end) < days_of(start)) refuse(event->end_line, 1, "\"DTEND\" is expected after \"DTSTART\"");
  }
  if (length < 0) length = 0;
  if (is_date && length < 86400) length = 86400;
  if (length > event_days_max * 86400L)
    refuse(event->end_line != 0 ? event->end_line : event->line, 1, "an event of at most %d days is expected", event_days_max);
  return length;
}

static void write_moment(FILE *output, struct icaltimetype time, const char *zone) {
  if (!time.is_date && time.zone != NULL && !icaltime_is_utc(time))
    time = icaltime_convert_to_zone(time, icaltimezone_get_utc_timezone());
  fprintf(output, "%04d%02d%02d", time.year, time.month, time.day);
  if (time.is_date) return;
  fprintf(output, "T%02d%02d%02d", time.hour, time.minute, time.second > 59 ? 59 : time.second);
  if (icaltime_is_utc(time)) putc('Z', output);
  else if (zone != NULL) fprintf(output, "/%s", zone);
}

static void write_occurrence(struct calendar *calendar, const struct event *event, struct icaltimetype start, long length) {
  const struct moment moment = {.time = start, .zone = event->start.zone};
  for (size_t index = 0; index < event->excluded_count; index++)
    if (is_same(&event->excluded[index], &moment)) return;
  for (size_t index = 0; !event->is_override && event->uid != NULL && index < calendar->override_count; index++)
    if (strcmp(calendar->overrides[index].uid, event->uid) == 0 && is_same(&calendar->overrides[index].time, &moment)) return;
  if (++calendar->written > occurrences_max) refuse(event->line, 1, "at most %d occurrences are read", occurrences_max);
  fprintf(calendar->output, "%d\t", event->line);
  write_moment(calendar->output, start, event->start.zone);
  putc('\t', calendar->output);
  struct icaltimetype end = plus(start, length);
  const char *zone = event->start.zone;
  // An end in another zone keeps it.
  if (event->has_end && !event->end.time.is_date && event->start.zone != event->end.zone
      && (event->start.zone == NULL || event->end.zone == NULL || strcmp(event->start.zone, event->end.zone) != 0)
      && (event->start.zone != NULL || event->end.zone != NULL)) {
    end = plus(event->end.time, seconds_of(start) - seconds_of(event->start.time));
    zone = event->end.zone;
  }
  write_moment(calendar->output, end, zone);
  fprintf(calendar->output, "\t%s\n", event->summary == NULL ? "" : event->summary);
}

static void write_event(struct calendar *calendar, const struct event *event, int end_line) {
  if (event->is_canceled) return;
  const long length = length_of(event, end_line);
  const struct icaltimetype start = event->start.time;
  const int repeats = event->rule_count > 0 || event->extra_count > 0;
  // A single event counts whenever it is.
  if (!repeats || start.year >= calendar->first_year - 1) write_occurrence(calendar, event, start, length);
  for (int index = 0; index < event->rule_count; index++) {
    icalrecur_iterator *iterator = icalrecur_iterator_new(event->rules[index], start);
    if (iterator == NULL) refuse(event->rule_line, 1, "a rule that can be repeated is expected");
    int steps = 0;
    for (struct icaltimetype next = icalrecur_iterator_next(iterator);
         !icaltime_is_null_time(next) && next.year <= calendar->last_year; next = icalrecur_iterator_next(iterator)) {
      if (++steps > steps_max)
        refuse(event->rule_line, 1, "a rule of at most %d days is expected", steps_max);
      // The start is an occurrence whether the rule has it or not.
      if (next.year < calendar->first_year - 1 || seconds_of(next) == seconds_of(start)) continue;
      next.zone = start.zone;
      write_occurrence(calendar, event, next, length);
    }
    icalrecur_iterator_free(iterator);
  }
  for (size_t index = 0; index < event->extra_count; index++) {
    struct event extra = *event;
    extra.start = event->extra[index];
    extra.has_end = 0;
    // Days of an event with times, and the other way round, are as long as they are.
    const long own_length = extra.start.time.is_date && length < 86400 ? 86400 : length;
    if (extra.start.time.year <= calendar->last_year) write_occurrence(calendar, &extra, extra.start.time, own_length);
  }
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
  refuse(last->number, (int)strlen(last->text) + 1, "\"END:VEVENT\" is expected");
}

static void read_zones(struct calendar *calendar) {
  const struct lines *lines = calendar->lines;
  for (size_t begin = 0; begin < lines->count; begin++) {
    if (!is_line(&lines->items[begin], "BEGIN:VTIMEZONE")) continue;
    size_t end = begin, length = 1;
    for (; end < lines->count; end++) {
      length += strlen(lines->items[end].text) + 2;
      if (is_line(&lines->items[end], "END:VTIMEZONE")) break;
    }
    if (end == lines->count) refuse(lines->items[begin].number, 1, "\"END:VTIMEZONE\" is expected");
    char *text = take_memory(NULL, length, 1), *next = text;
    for (size_t index = begin; index <= end; index++) next += sprintf(next, "%s\r\n", lines->items[index].text);
    icalcomponent *zone = icalparser_parse_string(text);
    free(text);
    if (zone != NULL) {
      calendar->zones = take_memory(calendar->zones, calendar->zone_count + 1, sizeof *calendar->zones);
      calendar->zones[calendar->zone_count++] = zone;
    }
    begin = end;
  }
}

void write_events(const struct lines *lines, int first_year, int last_year, FILE *output) {
  struct calendar calendar = {.lines = lines, .first_year = first_year, .last_year = last_year, .output = output};
  read_zones(&calendar);
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
        calendar.overrides[calendar.override_count++] = (struct override){.uid = event.uid, .time = event.recurrence};
      } else {
        free(event.uid);
      }
      free(event.summary);
      free(event.extra);
      free(event.excluded);
    }
  }
}
