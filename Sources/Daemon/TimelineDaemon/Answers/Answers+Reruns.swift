import TimelineConfiguration
import TimelineControl
import TimelineCore
import TimelineEngine
import TimelineLedger

// Entries that can be repeated, and entries without a success: `rerun` and `gaps`.
extension Answers {
  /// Returns the entry of a job's schedule at a moment. Throws an error if there is none, if the moment has several, or if the
  /// entry cannot be repeated at present.
  func repeatableEntry(of job: Job, at text: String) throws(ControlError) -> WallInstant {
    try refuseUnrecorded(job)
    let nominal = try scheduledEntry(of: job, at: text)
    if let refusal = engine.state.rerunRefusal(job.name, of: nominal, at: now) {
      throw .notRepeatable(job: job.name.text, reason: Self.reason(refusal, job.name, nominal, in: job.zone))
    }
    return nominal
  }

  /// Throws an error if the entries of a job have no records of their own.
  func refuseUnrecorded(_ job: Job) throws(ControlError) {
    let refusal: RerunRefusal
    if job.schedule.isClosedLoop {
      refusal = .closedLoop
    } else if job.schedule.hasMoreThanOneEntryPerSecond {
      refusal = .counted
    } else {
      return
    }
    throw .notRepeatable(job: job.name.text, reason: Self.reason(refusal, job.name, now, in: job.zone))
  }

  /// Returns the only entry of a job's schedule in the first stretch of the moment that has one.
  private func scheduledEntry(of job: Job, at text: String) throws(ControlError) -> WallInstant {
    let moment = try self.moment(text, at: now, in: job.zone)
    let show = { (instant: WallInstant) in Self.shown(instant, in: job.zone) }
    for stretch in moment.stretches {
      let (before, last) = (stretch.lowerBound - .nanoseconds(1), stretch.upperBound - .nanoseconds(1))
      guard let entry = job.schedule.next(after: before), entry <= last else { continue }
      guard let second = job.schedule.next(after: entry), second <= last else { return entry }
      let end = job.schedule.latest(atOrBefore: last) ?? second
      throw .noSuchEntry(
        job: job.name.text, moment: text,
        reason: "it has several then, from \(show(entry)) to \(show(end)): name one of them")
    }
    let before = job.schedule.latest(atOrBefore: moment.start - .nanoseconds(1))
    let after = job.schedule.next(after: moment.start)
    let nearest = [before.map { "\(show($0)) before" }, after.map { "\(show($0)) after" }].compactMap { $0 }
    throw .noSuchEntry(
      job: job.name.text, moment: text,
      reason: nearest.isEmpty
        ? "it has none at all: `timelinectl trigger \(job.name)` runs the job"
        : "the nearest \(nearest.count == 1 ? "is" : "are") \(nearest.joined(separator: " and "))")
  }

  /// Returns an instant as a text that a moment without an offset is read from.
  private static func shown(_ instant: WallInstant, in zone: Zone) -> String {
    let civil = zone.civil(at: instant)
    return "\(civil.date) \(civil.time.shown)"
  }

  /// Returns the reason for a refusal, and what to do.
  private static func reason(
    _ refusal: RerunRefusal, _ job: JobName, _ nominal: WallInstant, in zone: Zone
  ) -> String {
    let entry = shown(nominal, in: zone)
    return switch refusal {
    case .closedLoop:
      "an animation has no entries to repeat: `timelinectl trigger \(job)` runs it now"
    case .counted:
      "its entries are counted and have no records of their own: `timelinectl trigger \(job)` runs it now"
    case .notOfSchedule: "the entry \(entry) is not one of its schedule: `timelinectl next \(job)` shows some"
    case .undecided:
      "the entry \(entry) has no outcome yet: `timelinectl why \(job) \(entry)` shows its state"
    case .active: "a rerun of the entry \(entry) is active: `timelinectl why \(job) \(entry)` shows it"
    }
  }
}

extension Answers {
  /// Returns the entries of a job's schedule without a success in a stretch of time.
  func gaps(_ parameters: Control.Gaps) throws(ControlError) -> GapsReply {
    let job = try row(named: parameters.job).job
    try refuseUnrecorded(job)
    let (from, until) = try stretch(from: parameters.from, until: parameters.until, in: job.zone)
    let search = gapSearch(of: job, from: from, until: min(until, now + .nanoseconds(1)))
    let found = search.run(limit: parameters.limit ?? ControlLimits.gapsMax)
    let end = found.end ?? search.end
    return GapsReply(
      entries: found.gaps.map { EntryReport($0) }, unknownCount: found.unknownCount, from: from,
      until: end ?? until, isCut: end != nil, zone: job.zone.name)
  }

  /// Returns the search in a stretch of time, with the records that it needs. It ends early if there are too many records.
  func gapSearch(of job: Job, from: WallInstant, until: WallInstant) -> GapSearch {
    let bound = ControlLimits.gapRecordsMax
    var records = writer.scheduleRecords(of: job.name, from: from, to: until, limit: bound + 1)
    var end: WallInstant?
    if records.count > bound, let next = records.popLast(), let last = records.last {
      end = max(next.record.firstNominal, last.record.entry.nominal + .nanoseconds(1))
    } else if let last = job.schedule.latest(atOrBefore: until - .nanoseconds(1)), last >= from,
      let reaching = writer.entry(of: job.name, at: last), reaching.record.entry.nominal > last
    {
      records.append(reaching)
    }
    let status = engine.state.status(of: job.name, at: now)
    let active = runs.attempts(of: job.name).filter(\.cause.isOfSchedule).map(\.entry.nominal)
    return GapSearch(
      schedule: job.schedule, from: from, until: end ?? until, records: records,
      repetitions: writer.repetitions(of: job.name, from: from, to: end ?? until),
      active: Set(engine.state.waitingEntries(of: job.name) + active),
      undecidedSince: [status?.next, status?.pausedSince].compactMap { $0 },
      movedAway: Set(status?.movedAway ?? []), end: end)
  }

  /// Returns the start and the end of the stretch of a request. Throws an error if it is empty or too long.
  func stretch(
    from: String?, until: String?, in zone: Zone
  ) throws(ControlError) -> (from: WallInstant, until: WallInstant) {
    let (text, now) = (from ?? until ?? "", now)
    let until =
      try until.map { text throws(ControlError) in try moment(text, at: now, in: zone).start } ?? now
    let from =
      try from.map { text throws(ControlError) in try moment(text, at: now, in: zone).start }
      ?? until - .days(Int64(ControlLimits.gapDaysDefault))
    guard from < until else {
      throw .badMoment(
        text: text, reason: "\"\(text)\": the stretch ends before it begins: correct --from or --until")
    }
    guard until - from <= .days(Int64(ControlLimits.gapDaysMax)) else {
      throw .badMoment(
        text: text,
        reason: "\"\(text)\": the stretch is longer than \(ControlLimits.gapDaysMax) days: search parts of it"
      )
    }
    return (from, until)
  }
}
