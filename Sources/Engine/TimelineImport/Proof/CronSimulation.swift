package import TimelineCore

/// Simulates Debian's cron, minute by minute: the instants at which cron starts a line.
///
/// Only the offsets of the zone are shared with the schedules of `TimelineCore`. The rules are those of cron(8),
/// "Notes", and of `main` and `find_jobs` in cron.c: cron wakes every minute and compares the minute on the clock
/// with the last minute that it has handled.
///
/// | clocks | lines with `*` in minute or hour | other lines |
/// |---|---|---|
/// | go on by a minute, or by up to 5 | run for each minute | run for each minute |
/// | go forward by up to 3 h | run for the minute that clocks show | run at once for each minute that was skipped |
/// | go back by less than 3 h | run for the minute that clocks show | do not run until clocks are where they were |
/// | jump further | run for the minute that clocks show | run for the minute that clocks show |
///
/// Cron waits 10 s between the runs of one gap; the simulation does not.
package struct CronSimulation: Sendable, Equatable {
  private let fields: CrontabFields

  init(_ fields: CrontabFields) {
    self.fields = fields
  }

  /// Returns the first `count` starts later than `start`, or all starts before `end` if there are fewer. An instant
  /// with several starts is repeated.
  package func starts(after start: WallInstant, before end: WallInstant, count: Int, zone: Zone)
    -> [WallInstant]
  {
    var found: [WallInstant] = []
    var clock = MinuteClock(zone: zone, minute: Self.minute(of: start))
    var reached = clock.shownMinute
    let last = Self.minute(of: end)
    while found.count < count, clock.minute < last {
      clock.advance(skippingDaysUnless: { fields.matchesDay(ofMinute: $0) })
      let shown = clock.shownMinute
      // Skipped days had no match, so cron started nothing in their minutes.
      if clock.hasSkipped { reached = shown - 1 }
      let runs = runs(reached: &reached, shown: shown)
      let instant = WallInstant(secondsSinceEpoch: clock.minute * 60)
      found += repeatElement(instant, count: min(runs, count - found.count))
    }
    return found
  }

  /// Returns the number of starts of the line when the clock shows the minute `shown`. `reached` is the last minute
  /// that cron has handled; the function updates it.
  private func runs(reached: inout Int64, shown: Int64) -> Int {
    let isDue = fields.matches(minute: shown) ? 1 : 0
    switch shown - reached {
    case 1...5:
      defer { reached = shown }
      return (reached + 1...shown).count { fields.matches(minute: $0) }
    case 6...180:
      defer { reached = shown }
      return fields.isWildcard ? isDue : (reached + 1...shown).count { fields.matches(minute: $0) }
    case -179...0:
      return fields.isWildcard ? isDue : 0
    default:
      reached = shown
      return isDue
    }
  }

  private static func minute(of instant: WallInstant) -> Int64 {
    instant.nanosecondsSinceEpoch.floorDivided(by: 60_000_000_000)
  }
}

/// A clock of a zone, which advances minute by minute.
private struct MinuteClock {
  let zone: Zone
  /// Minutes of elapsed time since 1970.
  private(set) var minute: Int64
  /// Whether the last advance skipped days.
  private(set) var hasSkipped = false
  private var offset: Int64
  private var offsetEnd: Int64

  init(zone: Zone, minute: Int64) {
    (self.zone, self.minute) = (zone, minute)
    (offset, offsetEnd) = Self.offset(in: zone, at: minute)
  }

  /// Local time in minutes since 1970, counted as if the zone were UTC.
  var shownMinute: Int64 { (minute * 60 + offset).floorDivided(by: 60) }

  /// Advances by a minute. At midnight, also skips days that `matches` rejects, unless a clock change is near.
  mutating func advance(skippingDaysUnless matches: (Int64) -> Bool) {
    step(by: 1)
    hasSkipped = false
    while shownMinute % 1440 == 0, minute + 2 * 1440 < offsetEnd, !matches(shownMinute) {
      step(by: 1440)
      hasSkipped = true
    }
  }

  private mutating func step(by minutes: Int64) {
    minute += minutes
    if minute >= offsetEnd { (offset, offsetEnd) = Self.offset(in: zone, at: minute) }
  }

  private static func offset(in zone: Zone, at minute: Int64) -> (offset: Int64, end: Int64) {
    let instant = WallInstant(secondsSinceEpoch: minute * 60)
    let end = zone.nextTransition(after: instant).map { $0.nanosecondsSinceEpoch / 60_000_000_000 }
    return (Int64(zone.offset(at: instant)), end ?? .max)
  }
}

extension CrontabFields {
  /// Whether the line is due in a minute of local time, counted from 1970 as if in UTC.
  fileprivate func matches(minute: Int64) -> Bool {
    let ofDay = minute - minute.floorDivided(by: 1440) * 1440
    return minutes >> UInt64(ofDay % 60) & 1 == 1 && hours >> UInt64(ofDay / 60) & 1 == 1
      && matchesDay(ofMinute: minute)
  }

  /// Whether the line is due on the day of a minute of local time.
  fileprivate func matchesDay(ofMinute minute: Int64) -> Bool {
    let day = minute.floorDivided(by: 1440)
    let (month, dayOfMonth) = Self.date(ofDay: day)
    // 1 January 1970 was a Thursday.
    let weekday = (day + 4) - (day + 4).floorDivided(by: 7) * 7
    let isOfMonth = daysOfMonth >> UInt64(dayOfMonth) & 1 == 1
    let isOfWeek = daysOfWeek >> UInt64(weekday) & 1 == 1
    return months >> UInt64(month) & 1 == 1 && (needsBothDays ? isOfMonth && isOfWeek : isOfMonth || isOfWeek)
  }

  /// Returns month and day of the month for a day since 1970, in the Gregorian calendar.
  private static func date(ofDay day: Int64) -> (month: Int64, day: Int64) {
    // Counted from 1 March of a year divisible by 400, so that the leap day is the last day of its year.
    let shifted = day + 719_468
    let dayOfEra = shifted - shifted.floorDivided(by: 146_097) * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let month = (5 * dayOfYear + 2) / 153
    return (month < 10 ? month + 3 : month - 9, dayOfYear - (153 * month + 2) / 5 + 1)
  }
}

extension Int64 {
  /// The quotient rounded down.
  fileprivate func floorDivided(by divisor: Int64) -> Int64 {
    let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? quotient - 1 : quotient
  }
}
