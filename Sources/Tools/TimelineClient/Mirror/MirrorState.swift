import TimelineClocks
package import TimelineControl
package import TimelineCore
package import TimelineRehearsal
package import TimelineSystem

/// The state of a daemon according to its reports: jobs, finished and active entries, and the simulated future. It has one owner, its
/// mirror, and is not copied.
package struct MirrorState: Sendable, ~Copyable {
  /// `nil` before the first status is read.
  package private(set) var status: StatusReply?
  /// In the daemon's order.
  package private(set) var jobs: [JobReport] = []
  package var archive = EntryArchive()
  package var cluster = ClusterArchive()
  /// `nil` before the first status is read.
  package private(set) var future: FutureEntries?
  private var source = DaemonFuture()
  /// Instant of the next read of status and jobs.
  private var refreshAt = MonotonicInstant(nanosecondsSinceBoot: 0)
  /// Instant at which the state is discarded, because the daemon dropped events; `nil` if it dropped none.
  private var discardAt: MonotonicInstant?
  /// Instant of the last status, by the monotonic clock.
  private var readAt = MonotonicInstant(nanosecondsSinceBoot: 0)

  /// Time until the next refresh after an operator's change.
  private static let pauseAfterChange = ElapsedTime.milliseconds(300)
  /// Time until the next refresh after a run, which changes the future a little.
  private static let pauseAfterRun = ElapsedTime.seconds(5)
  /// Time until the state is read again after the daemon dropped events.
  private static let pauseAfterLoss = ElapsedTime.seconds(5)
  /// Time until the next refresh without an event, because clocks drift.
  private static let pauseAtRest = ElapsedTime.seconds(15)

  package init() {}

  /// Entries of the daemon and of the other nodes of its cluster, for a view.
  package var past: ReportedPast {
    var past = archive.past
    cluster.show(in: &past)
    return past
  }

  /// Instant at which the next read is due.
  package var dueAt: MonotonicInstant {
    guard let status else { return MonotonicInstant(nanosecondsSinceBoot: 0) }
    let due = min(refreshAt, discardAt ?? refreshAt)
    return status.cluster == nil ? due : min(due, cluster.askAt)
  }

  /// Moves the archives to the stretch of the past that their only view shows.
  mutating func turn(to stretch: PastStretch, at instant: MonotonicInstant) {
    archive.turn(to: stretch, now: now(at: instant))
    cluster.turn(to: stretch, now: now(at: instant))
  }

  /// Whether status and jobs must be read before anything is shown.
  package func isStale(at instant: MonotonicInstant) -> Bool { status == nil || instant >= refreshAt }

  /// The time of the daemon's clock.
  package func now(at instant: MonotonicInstant) -> WallInstant {
    guard let status else { return .epoch }
    let elapsed = (instant - readAt).nanoseconds
    guard let speed = status.speed else { return status.now.instant }
    let scaled = Int128(elapsed) * Int128(speed.numerator) / Int128(max(1, speed.denominator))
    return status.now.instant + .nanoseconds(Int64(clamping: scaled))
  }

  /// Records the status and the jobs of the daemon.
  package mutating func take(_ status: StatusReply, _ jobs: [JobReport], at instant: MonotonicInstant) {
    self.status = status
    self.jobs = jobs
    (readAt, refreshAt) = (instant, instant + Self.pauseAtRest)
    archive.take(jobs)
    future = source.entries(status, jobs)
  }

  /// Handles an event.
  package mutating func take(_ event: WatchReply, at instant: MonotonicInstant) {
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

  /// Schedules the end of the state, because the daemon dropped events. Further dropped events do not delay it.
  mutating func takeLoss(at instant: MonotonicInstant) {
    discardAt = discardAt ?? instant + Self.pauseAfterLoss
  }

  /// Discards the state if the pause after dropped events is over.
  mutating func endPause(at instant: MonotonicInstant) {
    if let discardAt, instant >= discardAt { forget() }
  }

  /// Discards the state: events were missed, or another daemon may answer.
  package mutating func forget() {
    source.forget()
    archive = EntryArchive()
    cluster = ClusterArchive()
    (status, discardAt) = (nil, nil)
  }

  /// Simulates the future up to `instant`. Returns the instant up to which the future is known; `nil` if it is known
  /// up to `instant` or there is no simulation.
  package mutating func simulate(to instant: WallInstant) -> WallInstant? {
    guard future?.simulation != nil else { return nil }
    for _ in 0..<MirrorLimits.simulatedPortionsMax {
      if future?.simulation?.advance(to: instant) == true { return nil }
      if future?.simulation?.book.isFull == true { break }
    }
    return future?.simulation?.reached
  }

  /// Entries of a job, ascending: finished, active and future ones.
  package func entries(of job: JobReport, name: JobName, now: WallInstant) -> [ViewEntry] {
    let planned = future.flatMap { future in
      future.places[name].flatMap { future.simulation?.book.entries(of: $0) }
    }
    return ViewEntry.merged(
      reported: archive.entries(of: name), planned: planned, next: job.next?.instant, now: now)
  }

  /// Returns the future minutes of a job whose entries are counted.
  package func minutes(of name: JobName, now: WallInstant) -> [DryRunMinute] {
    let minutes = future.flatMap { future in
      future.places[name].flatMap { future.simulation?.book.minutes(of: $0) }
    }
    return minutes?.compactMap { $0.after(now) } ?? []
  }

  /// Schedules the next refresh of status and jobs no later than `time` after `instant`.
  package mutating func refresh(within time: ElapsedTime, at instant: MonotonicInstant) {
    refreshAt = min(refreshAt, instant + time)
  }
}
