// Properties of one line, as libical reads them.
#include "properties.h"

#include <stdlib.h>
#include <string.h>

enum {
  // Of a summary: the names of holidays are shorter.
  summary_bytes_max = 240,
  // Of a list: libical 3.0.16 leaves out the others without an error.
  values_max = 500,
};

icalcomponent *parsed(const struct line *line, const char *expected) {
  const size_t length = strlen(line->text) + 64;
  char *text = take_memory(NULL, length, 1);
  snprintf(text, length, "BEGIN:VEVENT\r\n%s\r\nEND:VEVENT\r\n", line->text);
  icalcomponent *component = icalparser_parse_string(text);
  free(text);
  const char *value = value_of(line);
  if (component == NULL || icalcomponent_count_errors(component) > 0
      || icalcomponent_get_first_property(component, ICAL_ANY_PROPERTY) == NULL)
    refuse_at(line, value, "%s", expected);
  return component;
}

icalproperty *first_of(icalcomponent *component, icalproperty_kind kind, const struct line *line, const char *expected) {
  icalproperty *property = icalcomponent_get_first_property(component, kind);
  if (property == NULL) refuse(line->number, 1, "%s", expected);
  return property;
}

struct moment moment_in(const struct zones *zones, const struct line *line, icalproperty_kind kind) {
  static const char expected[] = "a date such as 20261224 is expected";
  icalcomponent *component = parsed(line, expected);
  icalproperty *property = first_of(component, kind, line, expected);
  const struct icaltimetype time = kind == ICAL_DTSTART_PROPERTY ? icalproperty_get_dtstart(property)
                                   : kind == ICAL_DTEND_PROPERTY ? icalproperty_get_dtend(property)
                                                                 : icalproperty_get_recurrenceid(property);
  const struct moment moment = moment_of(zones, property, time, line->number);
  icalcomponent_free(component);
  return moment;
}

char *one_line(const char *text) {
  char *copy = strdup(text == NULL ? "" : text);
  if (copy == NULL) exit(2);
  for (char *next = copy; *next != 0; next++)
    if ((unsigned char)*next < 0x20 || *next == 0x7F) *next = ' ';
  return copy;
}

char *summary_of(const struct line *line) {
  icalcomponent *component = parsed(line, "a text is expected");
  icalproperty *property = icalcomponent_get_first_property(component, ICAL_SUMMARY_PROPERTY);
  char *summary = one_line(property == NULL ? NULL : icalproperty_get_summary(property));
  size_t length = strlen(summary);
  // Never within a character.
  while (length > summary_bytes_max || (length > 0 && ((unsigned char)summary[length] & 0xC0) == 0x80)) length--;
  summary[length] = 0;
  icalcomponent_free(component);
  return summary;
}

void refuse_range(const struct line *line) {
  const char *value = value_of(line), *range = strcasestr(line->text, ";RANGE=");
  if (range != NULL && range < value)
    refuse_at(line, range + 1,
           "RANGE is not read; end the event with UNTIL and write another that begins here");
}

void expect_short_list(const struct line *line) {
  const char *place = value_of(line);
  for (int count = 1; (place = strchr(place, ',')) != NULL; place++)
    if (++count > values_max) refuse_at(line, place, "at most %d dates of a line are read: divide it", values_max);
}

void expect_first(const struct line *line, int has) {
  if (has) refuse(line->number, 1, "%.*s is expected once in an event", (int)strcspn(line->text, ":;"), line->text);
}
