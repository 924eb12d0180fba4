// Omissions that clock changes cause for a rule that fixes the time of the day. Every omission belongs to one clock
// change, so a query takes one step for each change that it spans, and allocates nothing if nothing is omitted.
extension CivilSearch where Rule: CivilRule {
  /// Whether the policy can omit times in this zone.
  var mayOmit: Bool {
    rule.fixesTimeOfDay && zone.storage.starts.count > 1
      && (daylightSaving.gap == .skip || daylightSaving.fold != .both)
  }

  /// Returns the omissions in (`start`, `end`], ascending.
  func omissions(after start: WallInstant, through end: WallInstant) -> [Omission] {
    guard mayOmit, start < end else { return [] }
    let (lower, upper) = (Ticks<Rule>.atOrBefore(start) + 1, Ticks<Rule>.atOrBefore(end))
    guard lower <= upper else { return [] }
    // The next change can repeat times that clocks first show before it, so it is checked as well.
    let first = max(zone.storage.index(at: start.nanosecondsSinceEpoch), 1)
    let last = min(zone.storage.index(at: end.nanosecondsSinceEpoch) + 1, zone.storage.starts.count - 1)
    var found: [Omission] = []
    for index in first...max(first, last) {
      let change = ClockChange(zone: zone, index: index)
      if change.instant > start, change.instant <= end, let omission = gapOmission(change, index) {
        found.append(omission)
      } else if let omission = foldOmission(change, from: lower, through: upper) {
        found.append(omission)
      }
    }
    return found
  }

  /// The omission for times that a change skips and that do not run, at the instant of the change.
  ///
  /// There is no omission if clocks show an entry at the same instant, because an instant has one outcome.
  private func gapOmission(_ change: ClockChange, _ index: Int) -> Omission? {
    guard daylightSaving.gap == .skip, let skipped = change.skipped(Rule.self) else { return nil }
    guard let first = rule.first(atOrAfter: skipped.lowerBound, through: skipped.upperBound),
      let last = rule.last(atOrBefore: skipped.upperBound, from: skipped.lowerBound)
    else { return nil }
    let stretch = CivilStretch(self, index)
    guard stretch.firstShown(atOrAfter: stretch.start) != stretch.start else { return nil }
    return Omission(
      first: change.instant, last: change.instant, count: rule.count(from: first, through: last),
      outcome: .daylightSavingGap,
      reason: CivilTimes(first: civil(first), last: civil(last)).gapReason(in: zone))
  }

  /// The omission for repeated times: the occurrences that the policy does not choose, from tick `lower` through
  /// `upper`.
  private func foldOmission(_ change: ClockChange, from lower: Int, through upper: Int) -> Omission? {
    guard let repeated = change.repeated(Rule.self), daylightSaving.fold != .both else { return nil }
    let isFirst = daylightSaving.fold == .first
    let offset = (isFirst ? change.offset : change.offsetBefore) * Rule.ticksPerSecond
    let (from, through) = (
      max(repeated.lowerBound, lower + offset), min(repeated.upperBound, upper + offset)
    )
    guard from <= through, let first = rule.first(atOrAfter: from, through: through),
      let last = rule.last(atOrBefore: through, from: from)
    else { return nil }
    return Omission(
      first: Ticks<Rule>.instant(first - offset), last: Ticks<Rule>.instant(last - offset),
      count: rule.count(from: first, through: last), outcome: .daylightSavingFold,
      reason: CivilTimes(first: civil(first), last: civil(last)).foldReason(in: zone, isFirst: isFirst))
  }

  /// Local ticks as a clock shows them.
  func civil(_ local: Int) -> CivilDateTime {
    let second = local.flooredQuotient(by: Rule.ticksPerSecond)
    let nanosecond = (local - second * Rule.ticksPerSecond) * (1_000_000_000 / Rule.ticksPerSecond)
    let day = second.flooredQuotient(by: 86_400)
    return CivilDateTime(
      date: CivilDate(uncheckedDaysSinceEpoch: day),
      time: CivilTime(uncheckedSecondOfDay: second - day * 86_400, nanosecond: nanosecond))
  }
}

/// A clock change of a zone: its instant and the times that it skips or repeats.
struct ClockChange {
  let instant: WallInstant
  /// Seconds ahead of UTC before the change, and from the change on.
  let offsetBefore: Int, offset: Int

  /// The change at the start of stretch `index` of the zone's table, which is not the first.
  init(zone: Zone, index: Int) {
    instant = WallInstant(nanosecondsSinceEpoch: zone.storage.starts[index])
    offsetBefore = Int(zone.storage.offsets[index - 1])
    offset = Int(zone.storage.offsets[index])
  }

  /// The local ticks that clocks never show; `nil` unless the change puts clocks forward.
  func skipped<Rule: CivilRule>(_ rule: Rule.Type) -> ClosedRange<Int>? { range(rule, offsetBefore, offset) }

  /// The local ticks that clocks show twice; `nil` unless the change puts clocks back.
  func repeated<Rule: CivilRule>(_ rule: Rule.Type) -> ClosedRange<Int>? { range(rule, offset, offsetBefore) }

  private func range<Rule: CivilRule>(_ rule: Rule.Type, _ low: Int, _ high: Int) -> ClosedRange<Int>? {
    guard low < high else { return nil }
    let tick = Ticks<Rule>.atOrBefore(instant)
    return tick + low * Rule.ticksPerSecond...tick + high * Rule.ticksPerSecond - 1
  }
}

/// A range of times on a clock, for people.
struct CivilTimes {
  let first: CivilDateTime, last: CivilDateTime

  /// Whether the range has only one time.
  var isOne: Bool { first == last }

  /// Text for people, for example `02:30 does not exist on 2027-03-28` or `02:00 to 02:45 do not exist on 2027-03-28`.
  func text(verb: (one: String, many: String)) -> String {
    if isOne { return "\(first.time.short) \(verb.one) on \(first.date)" }
    if first.date == last.date {
      return "\(first.time.short) to \(last.time.short) \(verb.many) on \(first.date)"
    }
    return "\(first.date) \(first.time.short) to \(last.date) \(last.time.short) \(verb.many)"
  }
}

// Not generic, so that the program has them once.
extension CivilTimes {
  @inline(never)
  fileprivate func gapReason(in zone: Zone) -> String {
    "\(text(verb: ("does not exist", "do not exist"))) in \(zone.name)"
  }

  @inline(never)
  fileprivate func foldReason(in zone: Zone, isFirst: Bool) -> String {
    "\(text(verb: ("comes twice", "come twice"))) in \(zone.name) and \(isOne ? "runs" : "run") the \(isFirst ? "first" : "second") time"
  }
}

extension CivilTime {
  /// The time, without seconds if they are zero: `02:30`.
  var short: String {
    guard second == 0, nanosecond == 0 else { return description }
    var text = ASCIIText()
    text.append(twoDigits: hour)
    text.append(UInt8(ascii: ":"))
    text.append(twoDigits: minute)
    return text.string
  }
}
