import ArgumentParser
import TimelineClient
import TimelineClocks
import TimelineControl
import TimelineCore
import TimelineRehearsal
import TimelineSystem
import TimelineTerminal

/// The full-screen view of a running daemon: its reports, and the future that follows from its configuration.
final class DaemonView {
  private let connection: DaemonConnection
  private let zones: ShownZones
  private let session: ViewSession
  private var future: DaemonFuture
  /// Instant of the next refresh.
  private var refreshAt = SystemTime.monotonic()
  /// Whether the daemon dropped events for this view, so that the next refresh reads the history too.
  private var hasMissedEvents = false
  /// Instant of the last iteration of the loop between events.
  private var turnAt = SystemTime.monotonic()

  /// Timeout of a request. The view does not react during the wait.
  private static let answerLimit = ElapsedTime.seconds(2)
  /// Time until the next refresh after an operator's change.
  private static let pauseAfterChange = ElapsedTime.milliseconds(500)
  /// Time until the next refresh after a run, which changes the future a little.
  private static let pauseAfterRun = ElapsedTime.seconds(5)
  /// Time until the next refresh without an event, because clocks drift.
  private static let pauseAtRest = ElapsedTime.seconds(15)
  /// Time between two iterations of the loop for keys and signals during a burst of events: short enough for a
  /// person. A picture for each event would take longer than the event.
  private static let turnPause = ElapsedTime.milliseconds(100)
  /// Time between two attempts to reach a daemon that does not answer.
  private static let retryPause = ElapsedTime.seconds(1)

  /// Maximum number of jobs whose histories are read separately.
  private static let jobsMax = 40
  /// Maximum number of entries of one such history. All histories together take some tens of milliseconds of the
  /// daemon's time.
  private static let historyMax = 250

  /// The view was closed.
  private struct Closed: Error {}

  /// Makes the view of a daemon; ends the program with a message if the daemon does not answer.
  init(_ connection: DaemonConnection, zones: ShownZones) throws {
    var connection = connection
    let status = try connection.call(isPatient: false) { try $0.status() }
    connection.timeout = connection.timeout ?? Self.answerLimit
    self.connection = connection
    self.zones = zones
    future = DaemonFuture()
    session = try ViewSession { size in
      TerminalView(
        title: connection.path, zone: zones.zone(named: status.zone), now: status.now.instant,
        base: ViewSession.base, size: size)
    }
  }

  /// Shows the view until it is closed.
  func run() {
    session.perform = { [unowned self] request in perform(request) }
    while !session.isOver {
      do {
        try connection.attempt(isPatient: true, wait: { [unowned self] in try self.wait(for: $0) }) {
          client in
          try client.watch(job: nil) { reply in
            try take(reply)
            if SystemTime.monotonic() >= turnAt + Self.turnPause { try serve() }
          }
        }
      } catch {
        guard !session.isOver else { break }
        session.handle(.disconnected(Self.reason(error)))
        let retryAt = SystemTime.monotonic() + Self.retryPause
        while !session.isOver, SystemTime.monotonic() < retryAt {
          session.turn(atMost: retryAt - SystemTime.monotonic())
        }
      }
    }
    session.end()
  }

  /// Reads the daemon's status, jobs and history. Events report what changes afterwards.
  private func begin() throws {
    hasMissedEvents = false
    let jobs = try refresh()
    session.handle(.entries(jobs.compactMap { $0.last.flatMap { ReportedEntry($0) } }))
    try serve()
    // If there are few jobs, the history of each is read, so that a frequent job does not hide the others.
    let requests =
      jobs.count <= Self.jobsMax
      ? jobs.map { HistoryParameters(job: $0.name, limit: Self.historyMax) }
      : [HistoryParameters(limit: ControlLimits.historyMax)]
    try connection.attempt { client in
      for request in requests {
        session.handle(.entries(try client.history(request).entries.compactMap { ReportedEntry($0) }))
        try serve()
      }
    }
  }

  /// Serves keys and signals between two replies of the daemon; throws when the view is closed.
  private func serve() throws {
    session.turn(atMost: .zero)
    turnAt = SystemTime.monotonic()
    if session.isOver { throw Closed() }
  }

  /// Serves the view until bytes arrive from the daemon.
  private func wait(for stream: ByteStream) throws {
    let watch = try session.loop.watch(stream.rawValue, for: .reading) { _ in }
    defer { watch.cancel() }
    while !stream.hasBytes {
      session.turn(atMost: max(.zero, refreshAt - SystemTime.monotonic()))
      if session.isOver { throw Closed() }
      if SystemTime.monotonic() >= refreshAt {
        if hasMissedEvents { try begin() } else { try refresh() }
      }
      // The end of the connection makes the stream readable, too.
      if try stream.wait(toWrite: false, atMost: .zero) { return }
    }
  }

  private func take(_ reply: WatchReply) throws {
    if let entry = ReportedEntry(reply) { session.handle(.entries([entry])) }
    switch WatchReply.Kind(rawValue: reply.kind) {
    case .reloaded:
      future.forget()
      session.handle(.message("a new configuration is in force"))
    case .stopping: session.handle(.message("the daemon is stopping"))
    case .clockStepped, .clockControlled: session.handle(.message(reply.text?.printable ?? reply.kind))
    case .watching:
      future.forget()
      return try begin()
    case .lost:
      hasMissedEvents = true
      return refresh(within: Self.pauseAfterRun)
    case .progress, .busy: return
    case .started, .ended, .waiting: return refresh(within: Self.pauseAfterRun)
    default: break
    }
    refresh(within: Self.pauseAfterChange)
  }

  private func refresh(within time: ElapsedTime) {
    refreshAt = min(refreshAt, SystemTime.monotonic() + time)
  }

  /// Reads the daemon's state, and returns its jobs.
  @discardableResult
  private func refresh() throws -> [JobReport] {
    let (status, jobs) = try connection.attempt { client in (try client.status(), try client.list()) }
    session.handle(.snapshot(DaemonSnapshot(status, jobs, future.entries(status, jobs), zones)))
    session.handle(.entries(jobs.flatMap(ReportedEntry.open)))
    refreshAt = SystemTime.monotonic() + Self.pauseAtRest
    return jobs
  }

  private func perform(_ request: ViewRequest) {
    do {
      let answer = try DaemonAnswer(request, from: connection, zones: zones, jobs: session.view.jobs)
      session.handle(answer.event)
      refresh(within: .zero)
    } catch {
      session.handle(.message(Self.reason(error)))
    }
  }

  /// The reason of a failure for the status line, without the name of the program.
  private static func reason(_ error: any Error) -> String {
    let text = (error as? CallFailure)?.message ?? "\(error)"
    let prefix = "timelinectl: error: "
    return text.hasPrefix(prefix) ? String(text.dropFirst(prefix.count)) : text
  }
}
