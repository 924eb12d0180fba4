// Properties of one line, as libical reads them.
#ifndef TIMELINE_PROPERTIES_H
#define TIMELINE_PROPERTIES_H

#include "moments.h"

/// The properties that libical reads in a line, within a component of their own, which is the caller's; refused where it reads none.
icalcomponent *parsed(const struct line *line, const char *expected);

/// The first property of a kind in a component; refused where there is none.
icalproperty *first_of(icalcomponent *component, icalproperty_kind kind, const struct line *line, const char *expected);

/// The time of a property that has one.
struct moment moment_in(const struct zones *zones, const struct line *line, icalproperty_kind kind);

/// A copy of a text with a space for each control character.
char *one_line(const char *text);

/// The summary of a line, cut to the length of a label.
char *summary_of(const struct line *line);

/// Refuses RANGE: the changes that it makes to later occurrences would be lost.
void refuse_range(const struct line *line);

/// Refuses a list of more values than libical reads in a line.
void expect_short_list(const struct line *line);

/// Refuses a property that an event has already.
void expect_first(const struct line *line, int has);

#endif
