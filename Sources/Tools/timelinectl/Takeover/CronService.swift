import TimelineCore
import TimelineLoading
import TimelineSystem

/// The units that run crontabs, which systemd stops and starts.
struct CronService {
  /// A failure as one message: subject, event and remedy.
  struct Failure: Error {
    let text: String
  }

  /// Directory of units that an administrator wrote, and of masks.
  private static let ownUnits = "/etc/systemd/system"
  /// Time for a process to end on SIGTERM, in tenths of a second.
  private static let endingTenths = 50
  /// Time for timers to start due jobs, in tenths of a second: a whole minute, and a part of the next.
  private static let dueTenths = 900

  /// Stops, disables and masks the units that run crontabs, all of them or none; returns their names.
  ///
  /// The units are stopped in the middle of a minute, so that either cron or timelined runs a job that is due at the
  /// beginning of a minute, not both.
  func stop(crontabs: [String]) throws(Failure) -> [String] {
    let runners = try runners(crontabs)
    if runners.isEmpty { throw Failure(text: "cron is not active: timelined runs the jobs already") }
    var units: [String] = []
    for runner in runners {
      guard let unit = runner.unit else {
        throw Failure(
          text:
            "\(runner.clause), and no unit of systemd stops it: stop it yourself; timelined then runs the jobs within 15s"
        )
      }
      if !units.contains(unit) { units.append(unit) }
    }
    // Written before anything is stopped, so that an interrupted takeover can be undone.
    var record = try TakeoverRecord()
    for unit in units {
      // A mask cannot have the same path as the unit itself.
      let isOwn = (try? FileFacts(ofLinkAt: Self.ownUnits.appending(fileName: unit))) != nil
      record.add(TakeoverRecord.Unit(name: unit, isEnabled: try Self.isEnabled(unit), isMasked: !isOwn))
    }
    try record.write()
    try awaitDueTimers(of: units)
    for unit in record.units where units.contains(unit.name) { try stop(unit) }
    try end(units, crontabs)
    return units
  }

  /// Unmasks, enables and starts only the units that a takeover has stopped; returns the names of the units.
  func start() throws(Failure) -> [String] {
    let record = try TakeoverRecord()
    if record.units.isEmpty { throw Failure(text: "nothing to undo: no takeover has stopped cron") }
    Self.awaitMiddleOfMinute()
    for unit in record.units {
      if unit.isMasked { try Systemctl.show("unmask", "--", unit.name) }
      if unit.isEnabled { try Systemctl.show("enable", "--", unit.name) }
      try forgetMissedEntries(of: unit.name)
      try Systemctl.show("start", "--", unit.name)
    }
    record.remove()
    return record.units.map(\.name)
  }

  private func runners(_ crontabs: [String]) throws(Failure) -> [CronRunner] {
    do throws(UnknownCronActivity) {
      return try CronActivity.runners(below: "", crontabs: crontabs)
    } catch {
      throw Failure(text: "\(error.reason): stop cron yourself; timelined then runs the jobs within 15s")
    }
  }

  private func stop(_ unit: TakeoverRecord.Unit) throws(Failure) {
    // A unit that watches crontabs, as in systemd-cron, would fail at each change. These units are listed before the
    // mask, because a masked unit no longer refers to them.
    let watching = try Systemctl.names("show", "--property=Wants", "--value", "--", unit.name).filter {
      $0.hasSuffix(".path")
    }
    if unit.isEnabled { try Systemctl.show("disable", "--", unit.name) }
    // Masked before the stop, so that nothing starts the unit again.
    if unit.isMasked { try Systemctl.show("mask", "--", unit.name) }
    for name in watching + [unit.name] { try Systemctl.show("stop", "--", name) }
  }

  /// Waits until no process of the units runs; ends processes that are left after the stop, as in the case of bcron's
  /// init script.
  private func end(_ units: [String], _ crontabs: [String]) throws(Failure) {
    var left = try runners(crontabs)
    for runner in left where runner.unit.map(units.contains) ?? false {
      if let process = runner.process { _ = ProcessTree.signal(process, .terminate) }
    }
    for _ in 0..<Self.endingTenths where !left.isEmpty {
      Self.wait(.milliseconds(100))
      left = try runners(crontabs)
    }
    if let still = left.first {
      throw Failure(text: "\(still.clause) still: stop it yourself; or `timelinectl takeover --undo`")
    }
  }

  private static func isEnabled(_ unit: String) throws(Failure) -> Bool {
    try Systemctl.names("is-enabled", "--", unit).last?.hasPrefix("enabled") ?? false
  }

  /// Timers that are stopped with a unit.
  private func timers(of unit: String) throws(Failure) -> [String] {
    try Systemctl.names("show", "--property=ConsistsOf", "--value", "--", unit).filter {
      $0.hasSuffix(".timer")
    }
  }

  /// Waits for the middle of a minute in which no timer is about to start a job that was due at the beginning of the
  /// minute. A timer may be up to a minute late (`AccuracySec=`), always by the same time. A timer that is stopped
  /// before its late start does not start the job.
  private func awaitDueTimers(of units: [String]) throws(Failure) {
    var timers: [String] = []
    for unit in units { timers += try self.timers(of: unit) }
    guard !timers.isEmpty else { return Self.awaitMiddleOfMinute() }
    for _ in 0..<Self.dueTenths {
      let now = SystemTime.now()
      // `Sun 2026-11-29 02:07:00 UTC` for each timer
      let next = try Systemctl.names(
        ["show", "--property=NextElapseUSecRealtime", "--value", "--"] + timers)
      let isDue = zip(next, next.dropFirst()).contains { day, time in
        day.hasPrefix("2") && time.contains(":") && "\(day)T\(time)" <= "\(now)"
      }
      // The range ends later than that of `awaitMiddleOfMinute`: timers with a long delay allow no earlier moment.
      if !isDue, (3...56).contains(now.nanosecondsSinceEpoch / 1_000_000_000 % 60) { return }
      Self.wait(.milliseconds(100))
    }
    Self.awaitMiddleOfMinute()
  }

  /// Sets the times of the timers' stamp files to now. `Persistent=` counts from these times, so the timers do not
  /// catch up on entries that timelined has run.
  private func forgetMissedEntries(of unit: String) throws(Failure) {
    let timers = try timers(of: unit)
    if !timers.isEmpty { try Systemctl.touch(timers.map { "/var/lib/systemd/timers/stamp-\($0)" }) }
  }

  /// Waits until the minute is neither about to end nor has just begun.
  private static func awaitMiddleOfMinute() {
    let second = SystemTime.now().nanosecondsSinceEpoch / 1_000_000_000 % 60
    if second < 3 || second > 45 { wait(.seconds(second < 3 ? 3 - second : 63 - second)) }
  }

  private static func wait(_ time: ElapsedTime) {
    guard let loop = try? EventLoop() else { return }
    loop.after(time) { loop.stop() }
    loop.run()
  }
}
