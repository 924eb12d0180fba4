import TimelineClient
import TimelineClocks
import TimelineControl
import TimelineCore
import TimelineRehearsal
import TimelineSystem

/// The state of a daemon according to its reports: jobs, finished and active entries, and the simulated future.
struct DaemonPicture {
  /// `nil` before the first status is read.
  private(set) var status: StatusReply?
  /// In the daemon's order.
  private(set) var jobs: [JobReport] = []
  var archive = EntryArchive()
  var cluster = ClusterArchive()
  /// `nil` before the first status is read.
  private(set) var future: FutureEntries?
  private var source = DaemonFuture()
  /// Instant at which status and jobs are to be read again.
  private var refreshAt = MonotonicInstant(nanosecondsSinceBoot: 0)
  /// Instant of the last status, by the monotonic clock.
  private var readAt = MonotonicInstant(nanosecondsSinceBoot: 0)

  /// Time until the next refresh after an operator's change.
  private static let pauseAfterChange = ElapsedTime.milliseconds(300)
  /// Time until the next refresh after a run, which changes the future a little.
  private static let pauseAfterRun = ElapsedTime.seconds(5)
  /// Time until the next refresh without an event, because clocks drift.
  private static let pauseAtRest = ElapsedTime.seconds(15)

  /// Whether status and jobs must be read before anything is shown.
  func isStale(at instant: MonotonicInstant) -> Bool { status == nil || instant >= refreshAt }

  /// The time of the daemon's clock.
  func now(at instant: MonotonicInstant) -> WallInstant {
    guard let status else { return .epoch }
    let elapsed = (instant - readAt).nanoseconds
    guard let speed = status.speed else { return status.now.instant }
    let scaled = Int128(elapsed) * Int128(speed.numerator) / Int128(max(1, speed.denominator))
    return status.now.instant + .nanoseconds(Int64(clamping: scaled))
  }

  /// Records the status and the jobs of the daemon.
  mutating func take(_ status: StatusReply, _ jobs: [JobReport], at instant: MonotonicInstant) {
    self.status = status
    self.jobs = jobs
    (readAt, refreshAt) = (instant, instant + Self.pauseAtRest)
    archive.take(jobs)
    future = source.entries(status, jobs)
  }

  /// Handles an event.
  mutating func take(_ event: WatchReply, at instant: MonotonicInstant) {
    if let report = ReportedEntry(event) { archive.take(report) }
    switch WatchReply.Kind(rawValue: event.kind) {
    case .progress, .busy: return
    case .started, .ended, .waiting: refresh(within: Self.pauseAfterRun, at: instant)
    case .watching, .lost: forget()
    case .reloaded:
      source.forget()
      refresh(within: Self.pauseAfterChange, at: instant)
    default: refresh(within: Self.pauseAfterChange, at: instant)
    }
  }

  /// Discards the state: events were missed, or another daemon may answer.
  mutating func forget() {
    source.forget()
    archive = EntryArchive()
    cluster = ClusterArchive()
    status = nil
  }

  /// Simulates the future up to `instant`. Returns the instant up to which the future is known; `nil` if all of it
  /// is.
  mutating func simulate(to instant: WallInstant) -> WallInstant? {
    guard future?.simulation != nil else { return nil }
    for _ in 0..<WebLimits.simulatedPortionsMax {
      if future?.simulation?.advance(to: instant) == true { return nil }
      if future?.simulation?.book.isFull == true { break }
    }
    return future?.simulation?.reached
  }

  /// Entries of a job, ascending: finished, active and future ones.
  func entries(of job: JobReport, name: JobName, now: WallInstant) -> [ViewEntry] {
    let planned = future.flatMap { future in
      future.places[name].flatMap { future.simulation?.book.entries(of: $0) }
    }
    return ViewEntry.merged(
      reported: archive.entries(of: name), planned: planned, next: job.next?.instant, now: now)
  }

  /// Future minutes of a counted job.
  func minutes(of name: JobName, now: WallInstant) -> [DryRunMinute] {
    let minutes = future.flatMap { future in
      future.places[name].flatMap { future.simulation?.book.minutes(of: $0) }
    }
    return minutes?.filter { $0.entry > now } ?? []
  }

  private mutating func refresh(within time: ElapsedTime, at instant: MonotonicInstant) {
    refreshAt = min(refreshAt, instant + time)
  }
}
