// Times and the zones in which they are instants.
#ifndef TIMELINE_MOMENTS_H
#define TIMELINE_MOMENTS_H

#include "calendar.h"

/// A time, and the name of its zone in the zone database or NULL.
struct moment {
  struct icaltimetype time;
  const char *zone;
};

/// The zones that a file describes.
struct zones {
  icaltimezone **items;
  size_t count;
  /// Whether the names of other zones stay as they are written, with what some programs put in front.
  int keeps_names;
};

/// Reads the zones of a file; it is refused where one is described so that libical would make it UTC or another.
struct zones read_zones(const struct lines *lines);

/// The moment of a property, in the zone of its TZID.
struct moment moment_of(const struct zones *zones, icalproperty *property, struct icaltimetype time, int line);

/// Whether a moment belongs to a zone, so that it is an instant.
int is_zoned(const struct moment *moment);

/// Seconds from 1970-01-01T00:00:00 to a time on the same clock.
long seconds_of(struct icaltimetype time);

/// Writes a moment as calendar.h has it.
void write_moment(FILE *output, struct moment moment);

#endif
