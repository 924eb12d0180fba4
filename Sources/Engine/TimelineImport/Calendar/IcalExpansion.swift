package import TimelineCore

/// The instants of an event as libical and the file have them, for a comparison with those of its job.
package struct IcalExpansion: Sendable {
  /// An instant, or a local time of a job without a zone of its own.
  enum Point: Sendable {
    case instant(WallInstant)
    case local(CivilDateTime)
  }

  var added: [Point] = []
  var removed: [Point] = []
  /// Times of events that replace others. They stay, even if an EXDATE is the same.
  var moved: [Point] = []

  private var rule: IcalRule?
  private var times = IcalEvent.Times.seconds([], isCut: false)
  private var from: CivilDateTime?

  /// The seconds by which a time on some clock can be earlier or later than in UTC.
  private static let slack = 93_600

  /// Returns the seconds on the clocks of events between which libical expands rules for a proof.
  package static func range(from start: WallInstant) -> ClosedRange<Int> {
    let first = Int(start.nanosecondsSinceEpoch / 1_000_000_000)
    return first - slack...first + ImportProof.eventYears * 31_557_600 + slack
  }

  /// Sets the rule, with the times that libical makes of it, and its first time.
  mutating func setRule(_ rule: IcalRule, times: IcalEvent.Times, from: CivilDateTime) {
    (self.rule, self.times, self.from) = (rule, times, from)
  }

  /// Returns the comparison with the schedule of a job in its zone.
  package func proof(
    of imported: ImportedRule, schedule: ScheduleRule, zone: Zone, after start: WallInstant
  ) -> ImportProof {
    let seconds: [Int]
    let isCut: Bool
    switch times {
    case .seconds(let found, let isPart):
      seconds = found
      isCut = isPart
    case .missing(let reason):
      return ImportProof(job: imported.job, place: imported.place, obstacle: reason)
    }
    let end = start + .seconds(Int64(ImportProof.eventYears) * 31_557_600)
    func instants(_ points: [Point]) -> Set<WallInstant> {
      Set(
        points.compactMap { point -> WallInstant? in
          switch point {
          case .instant(let instant): instant
          case .local(let civil): zone.calendarInstant(of: civil)
          }
        })
    }
    let ofRule = seconds.compactMap { instant(of: $0, in: zone) }
    let all = Set(ofRule).union(instants(added)).subtracting(instants(removed)).union(instants(moved))
    // Beyond the last time of a list that was cut, nothing is known.
    let limit = isCut ? min(ofRule.max() ?? start, end) : end
    let expected = all.filter { $0 > start && (isCut ? $0 <= limit : $0 < limit) }.sorted()
    if isCut, expected.isEmpty {
      return ImportProof(
        job: imported.job, place: imported.place, obstacle: "it has too many times to compare")
    }
    let fault = rule?.faultOfLibical.map { "libical differs from RFC 5545, which the job follows: \($0)" }
    return ImportProof(
      job: imported.job, place: imported.place, expected: expected, isComplete: !isCut, schedule: schedule,
      zone: zone, after: start, before: end, years: ImportProof.eventYears, fault: fault)
  }

  /// Returns the instant of a time of the rule; `nil` if it is later than UNTIL, or outside the years of instants.
  private func instant(of second: Int, in zone: Zone) -> WallInstant? {
    let clock = CivilDateTime(WallInstant(secondsSinceEpoch: Int64(second)), offset: 0)
    var instant = zone.calendarInstant(of: clock)
    if let rule, let from, rule.isElapsed, !rule.hasBy {
      // Hours and shorter units are elapsed time from the start.
      guard let first = zone.calendarInstant(of: from), let zero = from.instant(offset: 0) else { return nil }
      instant = first + (WallInstant(secondsSinceEpoch: Int64(second)) - zero)
    }
    guard let instant else { return nil }
    if let until = rule?["UNTIL"], until.hasSuffix("Z"), let last = IcalMoment(until[...]),
      let end = last.civil.instant(offset: 0), instant > end
    {
      return nil
    }
    return instant
  }
}
