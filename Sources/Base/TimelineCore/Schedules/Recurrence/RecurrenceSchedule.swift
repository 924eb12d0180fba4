/// Entries at the times of an RRULE on the clocks of a zone.
///
/// A rule of days, weeks, months or years obeys the policy for clock changes; COUNT and BYSETPOS count local times before it. A rule
/// of hours, minutes or seconds counts elapsed time from its first time on, and has every instant. Entries lie on whole seconds.
public typealias RecurrenceSchedule = RuleSchedule<RecurrenceRule>

extension RuleSchedule where Rule == RecurrenceRule {
  /// The rule with its first time and its dates.
  public var recurrence: RecurrenceRule { rule }

  /// Makes the schedule. By default, times in a gap are shifted by its length, and repeated times run the first time.
  public init(
    recurrence: RecurrenceRule, zone: Zone,
    daylightSaving: DaylightSavingPolicy = DaylightSavingPolicy(gap: .shift, fold: .first)
  ) {
    // The matches of a rule of elapsed time are seconds of UTC.
    self.init(
      rule: recurrence.bound(to: zone, daylightSaving), zone: recurrence.isElapsed ? .utc : zone,
      daylightSaving: daylightSaving)
  }

  @usableFromInline
  func ownNext(after instant: WallInstant) -> WallInstant? { search.next(after: instant) }

  @usableFromInline
  func ownLatest(atOrBefore instant: WallInstant) -> WallInstant? { search.latest(atOrBefore: instant) }
}

extension RecurrenceRule {
  /// Returns the schedule as a rule of the kind `rrule`.
  @inlinable
  public static func scheduleRule(_ schedule: RecurrenceSchedule) -> ScheduleRule { .recurrence(schedule) }
}

extension RecurrenceSearch {
  /// Makes the matches of a rule in a zone. The end of COUNT is computed here, once.
  init(_ content: RecurrenceRule.Content, in zone: Zone, _ policy: DaylightSavingPolicy) {
    self.init(content.parts, from: content.from)
    begin = content.from
    let instants = frequency.isElapsed
    /// Returns the second of a local time in the count of the matches; `nil` for a time that the policy leaves out.
    func second(_ local: Int) -> Int? { instants ? policy.second(of: local, in: zone) : local }
    if instants {
      self.zone = zone
      begin = DaylightSavingPolicy(gap: .shift).second(of: content.from, in: zone) ?? .max / 4
      offset = content.from - begin
      if interval > 1 { idleOffsets = Set(zone.storage.offsets.map(Int.init)).filter { !canMatch(at: $0) } }
    }
    if let until = content.parts.until, end == .max {
      switch (until.kind, instants) {
      case (.utc, true): end = until.second
      case (.utc, false): end(at: until.second, in: zone, policy)
      case (_, true):
        end = DaylightSavingPolicy(gap: .shift, fold: .second).second(of: until.second, in: zone) ?? end
      case (_, false): end = until.second
      }
    }
    if let count = content.parts[.count].first, end == .max { end = endOfCount(count) }
    // The sets of the second and third kind are counted by their length.
    let excluded = content.removed.compactMap(second)
    let others = content.added.compactMap(second).filter { !isMatch($0) && !excluded.contains($0) }
    let matches = excluded.filter { isMatch($0) }
    added = Set(others).sorted()
    removed = Set(removed + matches).sorted()
    findNeighborsOfRemoved()
  }

  /// Computes the matches around those that are left out, so that a search does not visit each of these.
  private mutating func findNeighborsOfRemoved() {
    let last = Ticks<RecurrenceRule>.all.upperBound + 172_800
    (laterThanRemoved, earlierThanRemoved) = (removed, removed)
    for index in removed.indices.reversed() {
      let later = firstOfRule(atOrAfter: removed[index] + 1, through: last) ?? .max
      let isNext = index + 1 < removed.count && removed[index + 1] == later
      laterThanRemoved[index] = isNext ? laterThanRemoved[index + 1] : later
    }
    for index in removed.indices {
      let earlier = lastOfRule(atOrBefore: removed[index] - 1, from: begin) ?? .min
      let isPrevious = index > 0 && removed[index - 1] == earlier
      earlierThanRemoved[index] = isPrevious ? earlierThanRemoved[index - 1] : earlier
    }
  }

  /// Ends the rule with the last match whose instant is not later than a second of UTC.
  private mutating func end(at second: Int, in zone: Zone, _ policy: DaylightSavingPolicy) {
    // No offset is larger than two days.
    var (found, last, late) = (lastOfRule(atOrBefore: second + 172_800, from: begin), begin - 1, [Int]())
    while let match = found {
      if policy.second(of: match, in: zone) ?? .min > second {
        late.append(match)
      } else {
        last = max(last, match)
        if match < second - 172_800 { break }
      }
      found = lastOfRule(atOrBefore: match - 1, from: begin)
    }
    end = last
    // A shifted time can be later than one that follows it on the clock.
    removed = late.filter { $0 <= last }
  }

  /// Returns the time of the last match that COUNT names, in steps that double until they hold it and then halve.
  private func endOfCount(_ count: Int) -> Int {
    var (rest, low, length, grows) = (count, begin, 86_400, true)
    let last = Ticks<RecurrenceRule>.all.upperBound + 172_800
    while low <= last {
      let high = min(low + length - 1, last)
      let found = countOfRule(from: low, through: high)
      if found < rest {
        rest -= found
        low = high + 1
        if grows { length *= 2 }
      } else if low == high {
        return low
      } else {
        grows = false
        length = max(1, (high - low + 1) / 2)
      }
    }
    return .max
  }

  /// Makes the sets of a rule; what it does not name is that of the first time.
  private init(_ parts: RecurrenceParts, from second: Int) {
    let from = CivilDateTime(secondsSinceEpoch: second)
    let day = from.date.daysSinceEpoch
    let weekday = CivilDate.weekdayIndex(day)
    (frequency, interval, weekStart) = (parts.frequency, parts.interval, parts.weekStart)
    (fromYear, fromMonth, fromDay) = (from.date.year, from.date.month, day)
    fromWeek = day - (weekday - weekStart + 7) % 7

    if !parts[.byMonth].isEmpty { monthBits = Self.bits(parts[.byMonth]) }
    monthDays = Self.bits(parts[.byMonthDay].filter { $0 > 0 })
    monthDaysFromEnd = Self.bits(parts[.byMonthDay].filter { $0 < 0 }.map { 32 + $0 })
    weeks = Self.bits(parts[.byWeekNo].filter { $0 > 0 })
    weeksFromEnd = Self.bits(parts[.byWeekNo].filter { $0 < 0 }.map { -$0 })
    weekdays = Self.bits(parts[.byDay].filter { $0 >> 3 == 0 })
    let numbered = parts[.byDay].filter { $0 >> 3 != 0 }
    if !numbered.isEmpty {
      (dayNumbers, dayNumbersFromEnd) = ([UInt64](repeating: 0, count: 7), [UInt64](repeating: 0, count: 7))
      for code in numbered {
        if code > 0 {
          dayNumbers[code & 7] |= 1 << (code >> 3)
        } else {
          dayNumbersFromEnd[code & 7] |= 1 << -(code >> 3)
        }
      }
    }
    countsWithinYear = frequency == .yearly && parts[.byMonth].isEmpty
    if !parts[.byYearDay].isEmpty {
      (yearDays, yearDaysFromEnd) = ([UInt64](repeating: 0, count: 6), [UInt64](repeating: 0, count: 6))
      for day in parts[.byYearDay] {
        let bit = day > 0 ? day : 367 + day
        if day > 0 {
          yearDays[bit / 64] |= 1 << (bit % 64)
        } else {
          yearDaysFromEnd[bit / 64] |= 1 << (bit % 64)
        }
      }
    }

    let namesDays = !parts[.byDay].isEmpty || !parts[.byMonthDay].isEmpty || !parts[.byYearDay].isEmpty
    if !namesDays, frequency.rawValue <= RecurrenceParts.Frequency.weekly.rawValue {
      if frequency == .weekly || !parts[.byWeekNo].isEmpty {
        weekdays = 1 << weekday
      } else {
        monthDays = 1 << from.date.day
        if frequency == .yearly, parts[.byMonth].isEmpty { monthBits = 1 << from.date.month }
      }
    }
    setTimes(parts, from.time)
  }

  @inline(never)
  private static func bits(_ numbers: [Int]) -> UInt64 { numbers.reduce(0) { $0 | 1 << UInt64($1) } }

  /// Sets the times of a day, an hour or a minute.
  private mutating func setTimes(_ parts: RecurrenceParts, _ from: CivilTime) {
    // Second 60 is that of a leap second, which clocks here do not show.
    var seconds = parts[.bySecond].map { min($0, 59) }
    var (hours, minutes) = (parts[.byHour], parts[.byMinute])
    let isListed = !seconds.isEmpty
    if seconds.isEmpty { seconds = [from.second] }
    switch frequency {
    case .yearly, .monthly, .weekly, .daily:
      if hours.isEmpty { hours = [from.hour] }
      if minutes.isEmpty { minutes = [from.minute] }
    case .hourly:
      (unit, modulus, usesClock) = (3_600, 3_600, isListed || !minutes.isEmpty)
      if minutes.isEmpty { minutes = [from.minute] }
    case .minutely: (unit, modulus) = (60, 60)
    case .secondly: (unit, modulus) = (1, isListed ? 60 : 0)
    }
    if unit > 0 {
      if !hours.isEmpty { hourBits = Self.bits(parts[.byHour]) }
      if unit < 3_600, !minutes.isEmpty { minuteBits = Self.bits(parts[.byMinute]) }
      hours = [0]
      if unit < 3_600 { minutes = [0] }
    }
    for hour in hours {
      for minute in minutes {
        for second in seconds where times.last != hour * 3_600 + minute * 60 + second {
          times.append(hour * 3_600 + minute * 60 + second)
        }
      }
    }
    positions = parts[.bySetPos]
    if frequency == .daily || unit > 0, !positions.isEmpty {
      // The set of each day is the same.
      let count = unit == 1 ? 1 : times.count
      let chosen = Set(positions.map { $0 > 0 ? $0 - 1 : count + $0 }).filter { 0..<count ~= $0 }
      if chosen.isEmpty {
        end = .min / 4
      } else if unit != 1 {
        times = chosen.sorted().map { times[$0] }
      }
      positions = []
    } else if !positions.isEmpty {
      let dayCount = frequency == .weekly ? weekdays.nonzeroBitCount : frequency == .monthly ? 31 : 366
      positions.removeAll { abs($0) > dayCount * times.count }
      if positions.isEmpty { end = .min / 4 }
    }
  }
}

extension DaylightSavingPolicy {
  /// Returns the second of UTC at which a local time runs; `nil` if it does not run.
  fileprivate func second(of local: Int, in zone: Zone) -> Int? {
    let instant: WallInstant?
    switch zone.instants(of: CivilDateTime(secondsSinceEpoch: local)) {
    case .one(let one): instant = one
    case .fold(let first, let second): instant = fold == .second ? second : first
    case .gap(let transition, let later, _):
      instant = gap == .shift ? later : gap == .runAtEnd ? transition : nil
    case .outOfRange: instant = nil
    }
    return instant.map { Ticks<RecurrenceRule>.atOrBefore($0) }
  }
}
