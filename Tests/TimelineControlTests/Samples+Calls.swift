import Foundation
import TimelineCore

@testable import TimelineControl

extension Samples {
  /// Each method with all of its parameters, and with as few as there can be.
  static let calls: [(full: any ControlCall, bare: any ControlCall)] = [
    same(Control.Status()), same(Control.List()), same(Control.Metrics()), same(Control.Configuration()),
    (Control.Why(job: "a", moment: "now", zone: "UTC"), Control.Why(job: "a", moment: "now")),
    (Control.Next(job: "a", from: .epoch, limit: 1), Control.Next(job: "a")),
    (Control.Explain(job: "a", from: .epoch, years: 1), Control.Explain(job: "a")),
    (someEntries, Control.History()), (Control.Watch(job: "a"), Control.Watch()),
    (Control.Logs(job: "a", limit: 1), Control.Logs(job: "a")), same(Control.Reload()),
    same(Control.Trigger(job: "a")), same(Control.Rerun(job: "a", moment: "now")),
    (Control.Gaps(job: "a", from: "now", until: "now", limit: 1), Control.Gaps(job: "a")),
    (someBackfill, Control.Backfill(job: "a", from: "now")),
    same(Control.ChangeBackfill(job: "a", change: .pause)),
    (Control.Backfills(job: "a"), Control.Backfills()),
    (Control.Pause(jobs: ["a"], reason: "b"), Control.Pause(jobs: [])),
    (Control.Resume(job: "a", catchUp: .all), Control.Resume(job: "a")), same(Control.Release(job: "a")),
    same(Control.Clock()), same(Control.PauseClock()), same(Control.ResumeClock()),
    same(Control.SetClockSpeed(speed: "60")), same(Control.StepClock()),
    same(Control.LeapClock(to: "in 2h")), same(Control.Mode()),
    (Control.SetMode(mode: .lowFrequency, cadence: .seconds), Control.SetMode(mode: .auto)),
    same(Control.Cluster()),
    (Control.ClusterHistory(someEntries), Control.ClusterHistory(Control.History())),
    (Control.ActivateJobs(jobs: ["a"]), Control.ActivateJobs(jobs: [])), same(Control.LeaveCluster()),
    same(Control.Backup()), same(Control.Cancel(run: 1)), (Control.Stop(now: true), Control.Stop()),
  ]

  private static let someBackfill = Control.Backfill(
    job: "a", from: "now", until: "now", outcomes: ["failed"], isNewestFirst: true, parallel: 1,
    paceNanoseconds: 0, includesUnrecorded: true, isDryRun: true, isConfirmed: true)
  private static let someEntries = Control.History(
    job: "a", since: "now", until: "now", onlyFailures: true, limit: 1)

  private static func same(_ call: any ControlCall) -> (full: any ControlCall, bare: any ControlCall) {
    (call, call)
  }

  /// Reads a call as the daemon does.
  static func read(_ call: VarlinkCall) throws -> any ControlCall {
    guard let sample = calls.first(where: { name(of: $0.full) == call.method })?.full else {
      throw VarlinkError.methodNotFound(call.method)
    }
    return try read(call, like: sample)
  }

  private static func read<Call: ControlCall>(_ call: VarlinkCall, like _: Call) throws -> Call {
    try call.read(as: Call.self)
  }

  /// The name of a call's method with its interface.
  static func name(of call: any ControlCall) -> String { type(of: call).fullName }

  /// A call as its name and its parameters.
  static func text(of call: any ControlCall) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    return try name(of: call) + String(decoding: encoder.encode(call), as: UTF8.self)
  }
}
