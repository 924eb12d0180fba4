package import TimelineCore

/// A comparison of the instants of a source with the instants of its job.
package struct ImportProof: Sendable, Equatable, Encodable {
  /// An instant at which source and job have different numbers of runs.
  package struct Difference: Sendable, Equatable, Encodable {
    /// RFC 3339 in UTC.
    package var instant: String
    /// Runs of the source at the instant.
    package var source: Int
    /// Runs of the job at the instant.
    package var job: Int
    /// The clock change on the same day, as RFC 3339 in UTC; `nil` if there is none.
    package var clockChange: String?
  }

  package var job: String
  package var place: String
  /// Compared instants of the source.
  package var compared: Int
  /// In order of time.
  package var differences: [Difference]
  /// The reason why nothing was compared; `nil` after a comparison.
  package var obstacle: String?
  /// The known fault of the program that computed the source's instants, if instants differ; `nil` if there is none.
  package var fault: String?
  /// The years that were searched.
  private var searchedYears = ImportProof.years

  package static let instantCount = 1_000
  /// Years in which instants are searched. A rule that is due once in several years has fewer instants.
  package static let years = 50
  /// Years in which instants of an event are searched. A calendar changes too often for more.
  package static let eventYears = 2

  private enum CodingKeys: String, CodingKey {
    case job, place, compared, differences, obstacle, fault
  }

  /// Makes a proof without a comparison, because of `obstacle`.
  package init(job: String, place: String, obstacle: String) {
    (self.job, self.place, self.obstacle) = (job, place, obstacle)
    (compared, differences) = (0, [])
  }

  /// Compares a schedule's entries with `expected`, the instants of the source after `start` in ascending order.
  ///
  /// - Parameters:
  ///   - isComplete: Whether `expected` has all instants of the source before `end`.
  ///   - end: The end of the search.
  ///   - years: The length of the search.
  ///   - fault: A known fault of the program that computed `expected`, for rules of this kind.
  package init(
    job: String, place: String, expected: [WallInstant], isComplete: Bool, schedule: ScheduleRule, zone: Zone,
    after start: WallInstant, before end: WallInstant, years: Int = ImportProof.years, fault: String? = nil
  ) {
    (self.job, self.place, obstacle) = (job, place, nil)
    searchedYears = years
    compared = expected.count
    // The last instant of a truncated list may occur again, so the comparison ends before it.
    let limit = isComplete ? end : expected.last ?? end
    var runs: [WallInstant: (source: Int, job: Int)] = [:]
    for instant in expected where isComplete || instant < limit { runs[instant, default: (0, 0)].source += 1 }
    var next = schedule.next(after: start)
    while let instant = next, instant < limit {
      runs[instant, default: (0, 0)].job += 1
      next = schedule.next(after: instant)
    }
    differences = runs.filter { $0.value.source != $0.value.job }.sorted(on: \.key).map {
      instant, runs in
      Difference(
        instant: "\(instant)", source: runs.source, job: runs.job,
        clockChange: Self.clockChange(near: instant, in: zone).map { "\($0)" })
    }
    self.fault = differences.isEmpty ? nil : fault
  }

  /// Whether each difference has a known cause that is no fault of the import.
  package var isExplained: Bool { fault != nil || differences.allSatisfy { $0.clockChange != nil } }

  /// Returns the clock change on the same day. A clock change does not affect rules on other days.
  private static func clockChange(near instant: WallInstant, in zone: Zone) -> WallInstant? {
    let day = ElapsedTime.seconds(86_400)
    if let before = zone.previousTransition(atOrBefore: instant), instant - before <= day { return before }
    if let after = zone.nextTransition(after: instant), after - instant <= day { return after }
    return nil
  }

  /// Lines for people.
  package var text: String {
    if let obstacle { return "\(place): not proven [job \(job)]: \(obstacle)\n" }
    if compared == 0, differences.isEmpty {
      return "\(place): proven [job \(job)]: neither side is due in \(searchedYears) years\n"
    }
    if differences.isEmpty { return "\(place): proven [job \(job)]: \(compared) instants are the same\n" }
    let shown = 4
    let lines = differences.prefix(shown).map { difference in
      let cause =
        difference.clockChange.map { "clock change of \($0)" }
        ?? (fault == nil ? "no clock change: a fault of the import" : "a known fault of libical")
      return
        "  \(difference.instant): the source \(Self.runs(difference.source)), the job \(Self.runs(difference.job)): \(cause)\n"
    }
    let more = differences.count > shown ? "  and \(differences.count - shown) more\n" : ""
    let reason = fault.map { ": \($0)" } ?? ""
    return "\(place): differs [job \(job)]: \(differences.count) of \(compared) instants\(reason)\n"
      + lines.joined() + more
  }

  private static func runs(_ count: Int) -> String {
    switch count {
    case 0: "does not run"
    case 1: "runs once"
    default: "runs \(count) times"
    }
  }
}
