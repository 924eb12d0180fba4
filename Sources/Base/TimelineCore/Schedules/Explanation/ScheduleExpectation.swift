/// A property that a job's schedule is expected to have; it is proven or refuted before the schedule is used.
public struct ScheduleExpectation: Sendable, Hashable {
  /// The job that the expectation is about.
  public var job: JobName
  /// The longest time between two entries, or `nil` for any.
  public var maxGap: ElapsedTime?
  /// The shortest time between two entries, or `nil` for any.
  public var minGap: ElapsedTime?
  /// The number of entries on every whole day of the job's zone, or `nil` for any number.
  public var perDay: Int?
  /// Another job whose runs must not overlap the runs of ``job``, given the expected durations of both and any delay by jitter.
  public var neverOverlaps: JobName?
  /// The time ahead for which the expectation must hold.
  public var over: ElapsedTime

  /// The number of entries checked before an expectation is left undecided: enough for every minute of seven years. The check
  /// takes less than a second.
  public static let entryCountMax = 4_000_000

  /// Makes an expectation without a condition, for the time `over` from the instant of the check.
  public init(job: JobName, over: ElapsedTime) {
    self.job = job
    self.over = over
  }
}

/// The facts about a job that an expectation needs.
public struct ExpectedJob: Sendable {
  /// The schedule of the job.
  public var rule: ScheduleRule
  /// The maximum delays of its runs.
  public var timing: ScheduleTiming
  /// The expected duration of a run; zero means the instant itself.
  public var duration: ElapsedTime
  /// The zone of the days in ``ScheduleExpectation/perDay`` and of the times in a counterexample.
  public var zone: Zone

  /// Makes the facts of a job.
  public init(
    rule: ScheduleRule, timing: ScheduleTiming = ScheduleTiming(), duration: ElapsedTime, zone: Zone
  ) {
    self.rule = rule
    self.timing = timing
    self.duration = duration
    self.zone = zone
  }
}

extension ExpectedJob {
  /// Returns the earliest and the latest start of the run of an entry.
  fileprivate func starts(of entry: WallInstant) -> ClosedRange<WallInstant> {
    timing.isExact ? entry...entry : timing.starts(of: entry, next: rule.next(after: entry))
  }
}

/// Whether an expectation holds.
public enum ExpectationVerdict: Sendable, Hashable {
  /// The expectation holds; `entryCount` entries were checked one by one.
  case proven(entryCount: Int)
  /// The expectation fails: the first instant of a failure, and the reason as a sentence without a full stop.
  case refuted(at: WallInstant, reason: String)
  /// The expectation cannot be decided: the reason is a sentence without a full stop.
  case undecided(reason: String)
}

extension ScheduleExpectation {
  /// Checks every entry from `start` for the time `over`; `jobs` returns the facts of a job.
  public func verdict(from start: WallInstant, jobs: (JobName) -> ExpectedJob?) -> ExpectationVerdict {
    guard let subject = jobs(job) else { return .undecided(reason: "there is no job \(job)") }
    var other: ExpectedJob?
    if let neverOverlaps {
      guard let found = jobs(neverOverlaps) else {
        return .undecided(reason: "there is no job \(neverOverlaps)")
      }
      guard !found.rule.isClosedLoop else { return .undecided(reason: Self.closedLoop(neverOverlaps)) }
      other = found
    }
    guard !subject.rule.isClosedLoop else { return .undecided(reason: Self.closedLoop(job)) }
    let end = start + over
    let days = perDay.flatMap { count in
      Self.day(with: count, in: subject, from: start, through: end)
    }
    if maxGap == nil, minGap == nil, other == nil { return days ?? .proven(entryCount: 0) }
    let entries = self.entries(of: subject, and: other, from: start, through: end)
    // Of two counterexamples the earlier one is reported.
    guard case .refuted(let day, _) = days else { return entries }
    if case .refuted(let entry, _) = entries, entry <= day { return entries }
    return days ?? entries
  }

  private static func closedLoop(_ job: JobName) -> String {
    "the entries of \(job) depend on how long its runs take"
  }

  /// The first entry that lies too late, too early or in a run of the other job.
  private func entries(
    of subject: ExpectedJob, and other: ExpectedJob?, from start: WallInstant, through end: WallInstant
  ) -> ExpectationVerdict {
    var previous = subject.rule.latest(atOrBefore: start)
    var instant = start
    for count in 0..<Self.entryCountMax {
      let next = subject.rule.next(after: instant)
      if let maxGap {
        let due = (previous ?? start) + maxGap
        if due < end, next.map({ $0 > due }) ?? true {
          return .refuted(at: due, reason: Self.late(previous, next, maxGap, subject.zone))
        }
      }
      guard let next, next <= end else { return .proven(entryCount: count) }
      if let minGap, let previous, next - previous < minGap {
        return .refuted(
          at: next,
          reason:
            "the entry of \(next.text(in: subject.zone)) comes \(next - previous) after the one before it, and at least \(minGap) is expected"
        )
      }
      if let other, let neverOverlaps, let run = Self.run(of: other, overlapping: subject, at: next) {
        let verb = run.isCertain ? "overlaps" : "can overlap"
        let why = run.isCertain ? "" : ": jitter can bring them together"
        return .refuted(
          at: max(next, run.entry),
          reason:
            "the run of \(next.text(in: subject.zone)) \(verb) that of \(neverOverlaps) at \(run.entry.text(in: other.zone))\(why)"
        )
      }
      (previous, instant) = (next, next)
    }
    return .undecided(
      reason:
        "\(Self.entryCountMax) entries were looked at, up to \(instant.text(in: subject.zone)); ask for less")
  }

  private static func late(
    _ previous: WallInstant?, _ next: WallInstant?, _ maxGap: ElapsedTime, _ zone: Zone
  ) -> String {
    let from = previous.map { "after the entry of \($0.text(in: zone))" } ?? "from the start on"
    guard let next else { return "\(from) there is none any more, and one is expected every \(maxGap)" }
    let gap = previous.map { " \((next - $0).approximateText) later," } ?? ""
    return "\(from) the next is\(gap) at \(next.text(in: zone)), and one is expected every \(maxGap)"
  }

  /// The entry of `other` whose run can overlap that of `subject` at `instant`, and whether it certainly does.
  ///
  /// All runs of a job have the same duration, and jitter delays no run as far as the next entry. So the last run that can
  /// start before the end is also the last run that can end.
  private static func run(of other: ExpectedJob, overlapping subject: ExpectedJob, at instant: WallInstant)
    -> (entry: WallInstant, isCertain: Bool)?
  {
    let shortest = ElapsedTime.nanoseconds(1)
    let (length, otherLength) = (max(subject.duration, shortest), max(other.duration, shortest))
    let starts = subject.starts(of: instant)
    var end = starts.upperBound + length - shortest
    while let entry = other.rule.latest(atOrBefore: end) {
      let others = other.starts(of: entry)
      guard others.upperBound + otherLength > starts.lowerBound else { return nil }
      if others.lowerBound < starts.upperBound + length {
        let isCertain =
          starts.upperBound < others.lowerBound + otherLength
          && others.upperBound < starts.lowerBound + length
        return (entry, isCertain)
      }
      // The run of `entry` is certainly delayed past the end; the run of the previous entry is not.
      end = entry - shortest
    }
    return nil
  }

  /// The first whole day with a number of entries other than expected; days that the zone skipped are ignored.
  private static func day(
    with count: Int, in subject: ExpectedJob, from start: WallInstant, through end: WallInstant
  ) -> ExpectationVerdict? {
    var day = subject.zone.civil(at: start).date.daysSinceEpoch + 1
    while let from = midnight(day, subject.zone), let to = midnight(day + 1, subject.zone), to <= end {
      let found = subject.rule.count(after: from - .nanoseconds(1), through: to - .nanoseconds(1))
      if found != count, from < to {
        let date = CivilDate(uncheckedDaysSinceEpoch: day)
        return .refuted(
          at: from,
          reason:
            "\(date) has \(found) \(found == 1 ? "entry" : "entries") in \(subject.zone.name), and \(count) a day are expected"
        )
      }
      day += 1
    }
    return nil
  }

  /// The first instant of a day.
  private static func midnight(_ day: Int, _ zone: Zone) -> WallInstant? {
    let civil = CivilDateTime(date: CivilDate(uncheckedDaysSinceEpoch: day), time: .midnight)
    switch zone.instants(of: civil) {
    case .one(let instant), .fold(let instant, _): return instant
    case .gap(let transition, _, _): return transition
    case .outOfRange: return nil
    }
  }
}
