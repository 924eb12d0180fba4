import TimelineCore

/// Checks of a job that need no run. A contradiction is an error. A setting that is probably a mistake has a warning.
struct PolicyChecks {
  let reading: FileReading
  let fields: Fields
  let policies: JobPolicies
  /// `nil` if the schedule has an error, which has been reported.
  let schedule: ScheduleRule?

  func run() {
    checkLengths()
    switch schedule {
    case .animation: checkAnimation()
    case .explicit(let dates): checkDates(dates)
    case nil: break
    case let rule?: checkEnd(rule)
    }
    if let schedule {
      IncidentChecks(reading: reading, fields: fields, reactions: policies.reactions, schedule: schedule)
        .run()
    }
    if let schedule, !schedule.isClosedLoop {
      PolicyContradictions(reading: reading, fields: fields, policies: policies, schedule: schedule).run()
    }
  }

  private func checkLengths() {
    if let grace = fields["grace"], fields["timeout"] == nil {
      reading.log.warning(
        "`grace` without `timeout` counts only when a run is cancelled manually or by a shutdown",
        at: grace.keyPlace, help: ["add a `timeout`, or leave `grace` out"])
    }
    if let timeout = policies.timeout, let item = fields["timeout"], policies.expect > timeout,
      let expect = fields["expected-duration"]
    {
      reading.log.warning(
        "`expected-duration` is longer than `timeout`: a rehearsal lets every run time out", at: expect.place,
        label: "expected at most \"\(timeout)\"",
        notes: [Diagnostic.Note(message: "the timeout is here", place: item.place)])
    }
    // Up to `concurrency` runs are active before the next entry is dropped.
    guard policies.overlap.dropsEntries, policies.timeout != nil || policies.retry != nil, let schedule else {
      return
    }
    guard let period = Period(of: schedule, after: reading.context.now) else { return }
    let room = period.length * Int64(policies.concurrency)
    if let timeout = policies.timeout, let item = fields["timeout"], timeout > room {
      reading.log.warning(
        "`timeout` is longer than \(period.description): a run that uses it all makes the job skip entries",
        at: item.place, help: ["make it at most \"\(room)\""])
    } else if let retry = policies.retry, let item = fields["retry"] {
      let total = retry.total(ofAttempts: policies.timeout ?? policies.expect)
      guard total > room else { return }
      reading.log.warning(
        "a run that uses all its attempts lasts \(total.approximateText), longer than \(period.description): "
          + "entries that come meanwhile are dropped",
        at: item.keyPlace, help: ["try less often, or write `overlap = \"buffer-one\"`"])
    }
  }

  /// Checks an animation. It has one run at a time, and the next entry follows the end of the last run, so nothing
  /// overlaps and nothing is missed.
  private func checkAnimation() {
    for (key, reason) in Self.animationContradictions { contradictAnimation(key, reason) }
    if policies.delivery == .atLeastOnce { contradictAnimation("delivery", "its next entry comes at once") }
  }

  private static let animationContradictions = [
    ("missed", "none of its entries is ever missed"), ("overlap", "its runs never overlap"),
    ("concurrency", "its runs never overlap"), ("retry", "its next entry comes at once"),
    ("on-missed", "none of its entries is ever missed"),
    ("on-late", "its entries come when the last run has ended"),
  ]

  private func contradictAnimation(_ key: String, _ reason: String) {
    guard let item = fields[key] else { return }
    reading.log.error(
      "`\(key)` contradicts the animation", at: item.keyPlace, label: "expected nothing: \(reason)",
      help: ["leave `\(key)` out"])
  }

  /// Warns about a schedule without another entry, or without one in the next 100 years.
  private func checkEnd(_ schedule: ScheduleRule) {
    guard let now = reading.context.now, !schedule.namesStartOfMachine else { return }
    let next = schedule.next(after: now)
    if let next, next <= now + ConfigurationLimits.elapsedMax { return }
    guard let item = fields["schedule"] else { return }
    switch (schedule, next) {
    // Reported where the rule is read.
    case (.civil, _?), (.recurrence, _?): break
    case (_, let next?): warnOfDistance(item, to: next)
    case (_, nil):
      reading.log.warning(
        "the schedule has no entry any more", at: item.keyPlace,
        label: schedule.latest(atOrBefore: now).map { "the last was \($0)" },
        help: ["let it go on, or write `enabled = false`"])
    }
  }

  private func checkDates(_ schedule: ExplicitSchedule) {
    guard let now = reading.context.now, !schedule.isStartOfMachine, let last = schedule.instants.last,
      let item = fields["schedule"]
    else { return }
    if let next = schedule.instants.first(where: { $0 >= now }) {
      if next > now + ConfigurationLimits.elapsedMax { warnOfDistance(item, to: next) }
      return
    }
    reading.log.warning(
      schedule.instants.count == 1 ? "the date is past" : "all dates are past", at: item.keyPlace,
      label: "the last was \(last)", help: ["give a date to come, or write `enabled = false`"])
  }

  private func warnOfDistance(_ item: Item, to next: WallInstant) {
    reading.log.warning(
      "the schedule is never due within the next 100 years", at: item.keyPlace,
      label: "the next entry is \(next)", help: ["let it be due earlier, or write `enabled = false`"])
  }
}

/// The shortest time between two entries of a job, for messages.
private struct Period {
  var length: ElapsedTime
  var description: String

  /// Makes the period of a schedule; `nil` if there is no period, or if the period depends on the time of day and
  /// `now` is `nil`.
  init?(of schedule: ScheduleRule, after now: WallInstant?) {
    if let period = schedule.period {
      self.init(length: period, description: "the period of \(period)")
    } else {
      guard let now, !schedule.isClosedLoop,
        let gap = schedule.shortestGap(after: now, entryCountMax: ConfigurationLimits.gapEntryCountMax)
      else { return nil }
      self.init(
        length: gap.length,
        description: "the \(gap.length.approximateText) that follow the entry of \(gap.start)")
    }
  }

  private init(length: ElapsedTime, description: String) {
    self.length = length
    self.description = description
  }
}

extension ScheduleRule {
  /// Returns the shortest time between two consecutive entries, and the earlier entry of the first pair with this
  /// time. `nil` if fewer than two entries are left.
  func shortestGap(
    after instant: WallInstant, entryCountMax: Int
  ) -> (length: ElapsedTime, start: WallInstant)? {
    var shortest: (length: ElapsedTime, start: WallInstant)?
    guard var previous = next(after: instant) else { return nil }
    for _ in 1..<entryCountMax {
      guard let entry = next(after: previous) else { break }
      if shortest.map({ entry - previous < $0.length }) ?? true { shortest = (entry - previous, previous) }
      previous = entry
    }
    return shortest
  }
}
