import TimelineControl
import TimelineCore

/// Replies with everything in them, and with as little as there can be.
enum Samples {
  static let start = WallInstant(nanosecondsSinceEpoch: 1_795_000_000_123_456_789)

  static let end = EntryEnd(
    job: "report", entry: start, run: 7, disposition: .timedOut, reason: "took longer than 10s",
    startedAt: start + .nanoseconds(42), endedAt: start + .seconds(10), attempts: 2, entryCount: 3)
  static let bareEnd = EntryEnd(
    job: "report", entry: start, run: nil, disposition: .overlapped, reason: "", startedAt: nil,
    endedAt: start,
    attempts: 0)

  static let run = RunReport(
    run: 9, entry: start, startedAt: start, attempt: 1, progressMillionths: 250_000, progressText: "a quarter"
  )
  static let bareRun = RunReport(run: 9, entry: start, startedAt: start)

  static let job = JobReport(
    name: "report", plugin: "exec", schedule: "every 30s", zone: "Europe/Berlin", next: start, running: [run],
    last: end,
    dispositions: [.succeeded: 4, .daylightSavingGap: 1, .failed: 0])
  static let bareJob = JobReport(name: "x", plugin: "log", schedule: "never", next: nil)

  static let status = StatusReply(
    version: "0.1.0", pid: 4711, startedAt: start, now: start + .hours(1), clock: "scaled:60",
    mode: .lowFrequency,
    configuration: "/etc/timelined/timelined.toml", jobCount: 2, runningCount: 1,
    next: NextEntry(job: "report", entry: start), lastFailure: end, dispositions: [.succeeded: 4])
  static let bareStatus = StatusReply(
    version: "", pid: 1, startedAt: start, now: start, clock: "system", mode: .normal, configuration: "",
    jobCount: 0,
    runningCount: 0, next: nil, lastFailure: nil, dispositions: [:])

  static let trigger = TriggerReply(run: 9, progressMillionths: 1, progressText: "x", end: end)
  static let bareTrigger = TriggerReply(run: 9)
}
