import TimelineCore

/// What can be said about a job without running it: contradictions, which are errors, and what will hardly be
/// meant, which is a warning.
struct PolicyChecks {
  let reading: FileReading
  let fields: Fields
  let policies: JobPolicies
  /// `nil` after a wrong one, which has been reported.
  let schedule: ScheduleRule?

  func run() {
    checkLengths()
    switch schedule {
    case .animation: checkAnimation()
    case .explicit(let dates): checkDates(dates)
    case .periodic, .everyMinute, .cron, nil: break
    }
  }

  private func checkLengths() {
    if let grace = fields["grace"], fields["timeout"] == nil {
      reading.log.warning(
        "`grace` without `timeout` counts only when a run is cancelled by hand or by a shutdown",
        at: grace.keyPlace, help: ["add a `timeout`, or leave `grace` out"])
    }
    guard let timeout = policies.timeout, let item = fields["timeout"] else { return }
    if let period, timeout > period, policies.overlap == .skip {
      reading.log.warning(
        "`timeout` is longer than the period of \(period): a run that uses it all makes the job skip entries",
        at: item.place, help: ["make it at most \"\(period)\""])
    }
    if policies.expect > timeout, let expect = fields["expect"] {
      reading.log.warning(
        "`expect` is longer than `timeout`: a rehearsal lets every run time out", at: expect.place,
        label: "expected at most \"\(timeout)\"",
        notes: [Diagnostic.Note(message: "the timeout is here", place: item.place)])
    }
  }

  /// The time between two entries where it is always the same.
  private var period: ElapsedTime? {
    switch schedule {
    case .periodic(let schedule): schedule.interval
    case .everyMinute: .minutes(1)
    case .animation, .explicit, .cron, nil: nil
    }
  }

  /// An animation runs one at a time and starts the next when the last has ended: nothing overlaps, nothing is missed.
  private func checkAnimation() {
    for (key, reason) in [
      ("missed", "none of its entries is ever missed"), ("overlap", "its runs never overlap"),
      ("retry", "its next entry comes at once"),
    ] {
      guard let item = fields[key] else { continue }
      reading.log.error(
        "`\(key)` contradicts the animation", at: item.keyPlace, label: "expected nothing: \(reason)",
        help: ["leave `\(key)` out"])
    }
  }

  private func checkDates(_ schedule: ExplicitSchedule) {
    guard let now = reading.context.now, let last = schedule.instants.last, last < now,
      let item = fields["schedule"]
    else { return }
    reading.log.warning(
      schedule.instants.count == 1 ? "the date is past" : "all dates are past", at: item.keyPlace,
      label: "the last was \(last)", help: ["give a date to come, or write `enabled = false`"])
  }
}
