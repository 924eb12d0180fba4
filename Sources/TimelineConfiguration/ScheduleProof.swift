package import TimelineCore

extension Configuration {
  /// Every expectation that does not hold from `now` on, as an error with a dated counterexample, and as a warning every one
  /// that has too many entries to be looked at to its end.
  package func refutedExpectations(from now: WallInstant) -> [Diagnostic] {
    expectations.flatMap { expectation in
      guard let job = job(named: expectation.job) else { return [Diagnostic]() }
      return ScheduleProof(expectation: expectation, job: job, from: now).run(
        against: expectation.neverOverlaps.flatMap(job(named:)))
    }
  }
}

/// One job's entries held against one expectation.
private struct ScheduleProof {
  let expectation: ScheduleExpectation
  let job: Job
  let now: WallInstant
  let end: WallInstant

  init(expectation: ScheduleExpectation, job: Job, from now: WallInstant) {
    self.expectation = expectation
    self.job = job
    self.now = now
    end = now + expectation.span
  }

  func run(against other: Job?) -> [Diagnostic] {
    if job.schedule.isClosedLoop || other?.schedule.isClosedLoop == true {
      return [
        Diagnostic(
          place: expectation.place, message: "an animation has no entries that are known before they come",
          label: "expected a job with another schedule")
      ]
    }
    var results: [Diagnostic?] = []
    if let gapMax = expectation.gapMax {
      results.append(refuteStart(gapMax) ?? walk("max-gap") { refuteGapMax(gapMax, $0, $1) })
    }
    if let gapMin = expectation.gapMin { results.append(walk("min-gap") { refuteGapMin(gapMin, $0, $1) }) }
    if let count = expectation.countPerDay { results.append(refuteCount(count)) }
    if let other { results.append(walk("never-overlaps") { entry, _ in refuteOverlap(with: other, entry) }) }
    return results.compactMap(\.self)
  }

  /// Hands every entry with the one after it to `refute`, until that finds something.
  private func walk(
    _ key: String, _ refute: (WallInstant, WallInstant?) -> String?
  ) -> Diagnostic? {
    // A gap that began before now is a gap; whatever else was before now is past.
    let behind = key == "max-gap" ? job.schedule.latest(atOrBefore: now) : nil
    var entry = behind ?? job.schedule.next(after: now - .nanoseconds(1))
    for _ in 0..<Limits.proofStepCountMax {
      guard let current = entry, current <= end else { return nil }
      let following = job.schedule.next(after: current)
      if let message = refute(current, following) { return refuted(key, message) }
      entry = following
    }
    return Diagnostic(
      severity: .warning, place: expectation.places[key] ?? expectation.place,
      message:
        "`\(key)` holds for \(Limits.proofStepCountMax) entries of `\(job.name)`, and further ones were not looked at",
      help: ["make `over` shorter"])
  }

  private func refuted(_ key: String, _ message: String) -> Diagnostic {
    Diagnostic(
      place: expectation.places[key] ?? expectation.place, message: message,
      label: "not so over \(expectation.spanText)",
      notes: [Diagnostic.Note(message: "the job is here", place: job.place)])
  }

  /// What has not begun yet, or never will, leaves a gap from now on.
  private func refuteStart(_ most: ElapsedTime) -> Diagnostic? {
    guard job.schedule.latest(atOrBefore: now) == nil else { return nil }
    guard let first = job.schedule.next(after: now) else {
      return refuted("max-gap", "`\(job.name)` has no entries")
    }
    return first - now > most
      ? refuted("max-gap", "`\(job.name)` has its first entry at \(text(first))") : nil
  }

  private func refuteGapMax(_ most: ElapsedTime, _ entry: WallInstant, _ following: WallInstant?) -> String? {
    guard let following else {
      guard end - entry > most else { return nil }
      return "`\(job.name)` has its last entry at \(text(entry))"
    }
    guard following - entry > most else { return nil }
    return "`\(job.name)` has \(following - entry) between \(text(entry)) and \(text(following))"
  }

  private func refuteGapMin(_ least: ElapsedTime, _ entry: WallInstant, _ following: WallInstant?) -> String?
  {
    guard let following, following - entry < least else { return nil }
    return "`\(job.name)` has \(following - entry) between \(text(entry)) and \(text(following))"
  }

  private func refuteOverlap(with other: Job, _ entry: WallInstant) -> String? {
    let before = other.schedule.latest(atOrBefore: entry).flatMap {
      $0 + length(of: other) > entry ? $0 : nil
    }
    let during = other.schedule.next(after: entry).flatMap { $0 < entry + length(of: job) ? $0 : nil }
    guard let clash = before ?? during else { return nil }
    return "`\(job.name)` at \(text(entry)), \(words(for: job)), overlaps `\(other.name)` at \(text(clash)), "
      + words(for: other)
  }

  /// How long a run of the job is taken to last; the shortest is an instant.
  private func length(of job: Job) -> ElapsedTime {
    max(job.policies.timeout ?? job.policies.expect, .nanoseconds(1))
  }

  private func words(for job: Job) -> String {
    if let timeout = job.policies.timeout { return "which may last its timeout of \(timeout)" }
    return job.policies.expect > .zero
      ? "which is expected to last \(job.policies.expect)" : "which lasts no time"
  }

  /// Every whole day of the job's zone, midnight to midnight by its clocks.
  private func refuteCount(_ count: Int) -> Diagnostic? {
    var date = job.zone.civil(at: now).date
    var midnight: WallInstant?
    for _ in 0...Limits.elapsedMax.nanoseconds / ElapsedTime.days(1).nanoseconds {
      guard let next = CivilDate(daysSinceEpoch: date.daysSinceEpoch + 1),
        let nextMidnight = start(of: next), nextMidnight <= end
      else { return nil }
      if let midnight {
        let found = job.schedule.count(
          after: midnight - .nanoseconds(1), through: nextMidnight - .nanoseconds(1))
        if found != count {
          let entries = found == 1 ? "1 entry" : "\(found) entries"
          return refuted("per-day", "`\(job.name)` has \(entries) on \(date) in \(job.zone.name)")
        }
      }
      (date, midnight) = (next, nextMidnight)
    }
    return nil
  }

  /// The first instant of a day; where clocks skip midnight, the change.
  private func start(of date: CivilDate) -> WallInstant? {
    guard let time = CivilTime(hour: 0, minute: 0, second: 0, nanosecond: 0) else { return nil }
    switch job.zone.instants(of: CivilDateTime(date: date, time: time)) {
    case .one(let instant): return instant
    case .fold(let first, _): return first
    case .gap(let transition, _, _): return transition
    case .outOfRange: return nil
    }
  }

  /// The instant as clocks in the job's zone show it.
  private func text(_ instant: WallInstant) -> String {
    let offset = job.zone.offset(at: instant)
    guard offset.isMultiple(of: 60) else { return instant.description }
    return RFC3339.text(job.zone.civil(at: instant), offsetMinutes: offset / 60)
  }
}
