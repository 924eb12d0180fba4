// Times and the zones in which they are instants.
#include "moments.h"
#include "recurrence.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

long seconds_of(struct icaltimetype time) {
  return days_of(time) * 86400 + (time.is_date ? 0 : time.hour * 3600L + time.minute * 60L + time.second);
}

// The time of a number of seconds since 1970-01-01T00:00:00, in UTC.
static struct icaltimetype time_of(long seconds) {
  long second = seconds % 86400;
  if (second < 0) second += 86400;
  struct icaltimetype time = date_of((seconds - second) / 86400);
  time.is_date = 0;
  time.hour = (int)(second / 3600), time.minute = (int)(second / 60 % 60), time.second = (int)(second % 60);
  time.zone = icaltimezone_get_utc_timezone();
  return time;
}

static long offset_at(const icaltimezone *zone, long seconds) {
  struct icaltimetype time = time_of(seconds);
  return icaltimezone_get_utc_offset_of_utc_time((icaltimezone *)zone, &time, NULL);
}

// A time of a described zone in UTC, as RFC 5545, section 3.3.5, has it: of one that comes twice it is the first, and one that is
// skipped is read by the offset before the change. libical 3.0.16 takes the second, and the offset after it.
static struct icaltimetype utc_of(struct icaltimetype time) {
  const long clock = seconds_of(time);
  // No zone is further from UTC than a day, nor changes its clocks twice in two.
  const long before = clock - offset_at(time.zone, clock - 86400), after = clock - offset_at(time.zone, clock + 86400);
  const int is_after = clock - offset_at(time.zone, before) != before && clock - offset_at(time.zone, after) == after;
  return time_of(is_after ? after : before);
}

int is_zoned(const struct moment *moment) {
  return !moment->time.is_date && (icaltime_is_utc(moment->time) || moment->time.zone != NULL || moment->zone != NULL);
}

// The zone that the file itself describes under a name.
static icaltimezone *zone_in_file(const struct zones *zones, const char *name) {
  for (size_t index = 0; index < zones->count; index++)
    if (strcmp(icaltimezone_get_tzid(zones->items[index]), name) == 0) return zones->items[index];
  return NULL;
}

struct moment moment_of(const struct zones *zones, icalproperty *property, struct icaltimetype time, int line) {
  if (time.month < 1 || time.month > 12 || time.day < 1 || time.day > icaltime_days_in_month(time.month, time.year)
      || time.hour > 23 || time.minute > 59 || time.second > 60)
    refuse(line, 1, "%s names a day or a time that does not exist", icalproperty_get_property_name(property));
  struct moment moment = {.time = time};
  icalparameter *parameter = icalproperty_get_first_parameter(property, ICAL_TZID_PARAMETER);
  if (time.is_date || icaltime_is_utc(time) || parameter == NULL) return moment;
  const char *name = icalparameter_get_tzid(parameter);
  moment.time.zone = zone_in_file(zones, name);
  if (moment.time.zone == NULL) {
    // Before the name some programs put a slash, or where they have it from.
    const int is_prefixed = name[0] == '/' && !zones->keeps_names;
    const char *known = is_prefixed ? strrchr(name, '/') : name;
    while (is_prefixed && known > name + 1 && known[-1] != '/') known--;
    moment.zone = strdup(is_prefixed && known[0] == '/' ? known + 1 : known);
    if (moment.zone == NULL || moment.zone[0] == 0 || strpbrk(moment.zone, "\t\n") != NULL)
      refuse(line, 1, "the name of a time zone is expected as TZID");
  }
  return moment;
}

static void write_time(FILE *output, struct icaltimetype time) {
  fprintf(output, "%04d%02d%02d", time.year, time.month, time.day);
  if (time.is_date) return;
  fprintf(output, "T%02d%02d%02d", time.hour, time.minute, time.second > 59 ? 59 : time.second);
  if (icaltime_is_utc(time)) putc('Z', output);
}

void write_moment(FILE *output, struct moment moment) {
  write_time(output, moment.time);
  if (moment.time.is_date || icaltime_is_utc(moment.time)) return;
  if (moment.zone != NULL) fprintf(output, "/%s", moment.zone);
  if (moment.time.zone == NULL) return;
  putc('=', output);
  write_time(output, utc_of(moment.time));
}

// Refuses a rule of a described zone, which libical expands, unless it is one of those that it expands rightly.
static void check_zone_rule(const struct line *line) {
  struct rule *rule = read_rule(line);
  const char *place = rule->frequency != frequency_yearly ? rule->parts[part_freq]
                      : rule->parts[part_week] != NULL    ? rule->parts[part_week]
                      : rule->parts[part_year_day] != NULL ? rule->parts[part_year_day]
                      : rule->interval > 1                 ? rule->parts[part_interval]
                                                           : rule->parts[part_position];
  if (place != NULL)
    refuse_at(line, place, "a time zone is expected to change its clocks by FREQ=YEARLY with BYMONTH, BYDAY and BYMONTHDAY alone");
  free(rule);
}

// Refuses an offset that libical would make 0.
static void check_offset(const struct line *line) {
  const char *value = value_of(line);
  const size_t digits = strspn(value + (*value != 0), "0123456789");
  if ((*value != '+' && *value != '-') || (digits != 4 && digits != 6) || value[1 + digits] != 0)
    refuse_at(line, value, "an offset such as +0100 is expected");
}

// Refuses a description without a time at which clocks are set to an offset: libical makes it UTC.
static void check_zone(icalcomponent *zone, int line) {
  int observances = 0, complete = 0;
  for (icalcomponent *part = icalcomponent_get_first_component(zone, ICAL_ANY_COMPONENT); part != NULL;
       part = icalcomponent_get_next_component(zone, ICAL_ANY_COMPONENT)) {
    const icalcomponent_kind kind = icalcomponent_isa(part);
    if (kind != ICAL_XSTANDARD_COMPONENT && kind != ICAL_XDAYLIGHT_COMPONENT) continue;
    observances++;
    complete += icalcomponent_get_first_property(part, ICAL_DTSTART_PROPERTY) != NULL
                && icalcomponent_get_first_property(part, ICAL_TZOFFSETFROM_PROPERTY) != NULL
                && icalcomponent_get_first_property(part, ICAL_TZOFFSETTO_PROPERTY) != NULL;
  }
  if (observances == 0 || complete != observances || icalcomponent_get_first_property(zone, ICAL_TZID_PROPERTY) == NULL)
    refuse(line, 1, "a time zone is expected with TZID and, in each STANDARD and DAYLIGHT, DTSTART, TZOFFSETFROM and TZOFFSETTO");
}

struct zones read_zones(const struct lines *lines) {
  struct zones zones = {0};
  for (size_t begin = 0; begin < lines->count; begin++) {
    const struct line *first = &lines->items[begin];
    if (!is_line(first, "BEGIN:VTIMEZONE")) continue;
    size_t end = begin, length = 1;
    for (; end < lines->count; end++) {
      length += strlen(lines->items[end].text) + 2;
      if (is_line(&lines->items[end], "END:VTIMEZONE")) break;
      const struct line *line = &lines->items[end];
      if (is_property(line, "RRULE")) check_zone_rule(line);
      if (is_property(line, "TZOFFSETFROM") || is_property(line, "TZOFFSETTO")) check_offset(line);
    }
    if (end == lines->count) refuse(first->number, 1, "\"END:VTIMEZONE\" is expected");
    char *text = take_memory(NULL, length, 1), *next = text;
    for (size_t index = begin; index <= end; index++) next += sprintf(next, "%s\r\n", lines->items[index].text);
    icalcomponent *component = icalparser_parse_string(text);
    free(text);
    icaltimezone *zone = icaltimezone_new();
    if (component != NULL) check_zone(component, first->number);
    if (component == NULL || zone == NULL || !icaltimezone_set_component(zone, component))
      refuse(first->number, 1, "a time zone that can be read is expected");
    zones.items = take_memory(zones.items, zones.count + 1, sizeof *zones.items);
    zones.items[zones.count++] = zone;
    begin = end;
  }
  return zones;
}
