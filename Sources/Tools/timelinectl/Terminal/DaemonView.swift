import ArgumentParser
import TimelineClient
import TimelineControl
import TimelineCore
import TimelineRehearsal
import TimelineSystem
import TimelineTerminal

/// The full-screen view of a running daemon: the mirror of the daemon, and the future that follows from its configuration.
final class DaemonView {
  private let connection: DaemonConnection
  /// The same daemon with the usual timeout, for answers that wait for the cluster's store.
  private let patientConnection: DaemonConnection
  private let zones: ShownZones
  private let session: ViewSession
  private let mirror: DaemonMirror
  /// Whether the mirror has entries that the view does not show yet.
  private var hasNews = false
  /// Instant of the last iteration of the loop between events.
  private var turnAt = SystemTime.monotonic()

  /// Timeout of a request. The view does not react while it waits for the answer to a key. The mirror has the usual timeout,
  /// because keys are served while it waits.
  private static let answerLimit = ElapsedTime.seconds(2)
  /// Time in which a healthy daemon answers: too short for a person, and for another picture.
  private static let usualAnswer = ElapsedTime.milliseconds(20)
  /// Time between two iterations of the loop for keys and signals during a burst of events: short enough for a
  /// person. A picture for each event would take longer than the event.
  private static let turnPause = ElapsedTime.milliseconds(100)
  /// Time between two attempts to reach a daemon that does not answer.
  private static let retryPause = ElapsedTime.seconds(1)

  /// The view was closed.
  private struct Closed: Error {}

  /// The daemon as the mirror reads it: keys and signals are served while an answer is awaited.
  ///
  /// Sendable because a view makes all calls on its only thread.
  private final class Source: DaemonSource, @unchecked Sendable {
    private let connection: DaemonConnection
    var waitForReply: ((ByteStream, ElapsedTime) throws -> Bool)?

    init(_ connection: DaemonConnection) { self.connection = connection }

    func call<Reply>(
      _ body: (ControlClient) throws(VarlinkClientError) -> Reply
    ) throws(FailedCall) -> Reply {
      try connection.call(waitForReply: waitForReply, body)
    }
  }

  /// Makes the view of a daemon; ends the program with a message if the daemon does not answer.
  init(_ connection: DaemonConnection, zones: ShownZones) throws {
    var connection = connection
    let status = try connection.call(isPatient: false) { try $0.call(Control.Status()) }
    patientConnection = connection
    let source = Source(connection)
    connection.timeout = connection.timeout ?? Self.answerLimit
    self.connection = connection
    self.zones = zones
    mirror = DaemonMirror(of: source, clock: SystemTime.monotonic)
    session = try ViewSession { size in
      TerminalView(
        title: connection.path, zone: zones.zone(named: status.zone), now: status.now.instant,
        base: ViewSession.base, size: size)
    }
    source.waitForReply = { [unowned self] in try serve(until: $0, atMost: $1) }
  }

  /// Shows the view until it is closed.
  func run() {
    session.perform = { [unowned self] request in perform(request) }
    while !session.isOver {
      do {
        _ = try connection.attempt(isPatient: true, wait: { [unowned self] in try self.wait(for: $0) }) {
          client in
          try client.stream(Control.Watch()) { reply in
            take(reply)
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

  /// Serves keys and signals between two events of the daemon; throws when the view is closed.
  private func serve() throws {
    showNews()
    session.turn(atMost: .zero)
    turnAt = SystemTime.monotonic()
    if session.isOver { throw Closed() }
  }

  /// Serves the view until events arrive from the daemon, and reads what the view lacks.
  private func wait(for stream: ByteStream) throws {
    var isReady = stream.hasBytes
    while !isReady {
      showNews()
      let now = SystemTime.monotonic()
      let due = mirror.dueAt(for: session.view.neededPast)
      isReady = try turn(until: stream, atMost: max(.zero, due - now))
      try readNext()
      // A failed query of the cluster's store is recorded and not thrown, so the end of the view must be checked here.
      if session.isOver { throw Closed() }
    }
  }

  /// Serves the view until a reply arrives, for at most `limit`. Returns whether it has arrived.
  private func serve(until stream: ByteStream, atMost limit: ElapsedTime) throws -> Bool {
    let deadline = SystemTime.monotonic() + limit
    if try stream.wait(toWrite: false, atMost: min(limit, Self.usualAnswer)) { return true }
    while true {
      let left = deadline - SystemTime.monotonic()
      guard left > .zero else { return false }
      if try turn(until: stream, atMost: left) { return true }
    }
  }

  /// Runs one iteration of the loop, which ends early if `stream` becomes readable. Returns whether it is.
  private func turn(until stream: ByteStream, atMost limit: ElapsedTime) throws -> Bool {
    let watch = try session.loop.watch(stream.rawValue, for: .reading) { _ in }
    defer { watch.cancel() }
    session.turn(atMost: limit)
    if session.isOver { throw Closed() }
    // The end of the connection makes the stream readable, too.
    return try stream.wait(toWrite: false, atMost: .zero)
  }

  private func take(_ reply: WatchReply) {
    let kind = WatchReply.Kind(rawValue: reply.kind)
    if kind == .lost { return mirror.takeLoss() }
    mirror.take(reply)
    // These events change no entry.
    if kind == .progress || kind == .busy { return }
    hasNews = true
    switch kind {
    case .reloaded: session.handle(.message("a new configuration is in force"))
    case .stopping: session.handle(.message("the daemon is stopping"))
    case .clockStepped, .clockControlled: session.handle(.message(reply.text?.printable ?? reply.kind))
    default: break
    }
  }

  /// Shows the entries of the mirror. After a restart of the daemon the former ones stay until the first page is read.
  private func showNews() {
    guard hasNews, let past = mirror.withState({ $0.archive.knownFrom == nil ? nil : $0.past }) else {
      return
    }
    hasNews = false
    session.handle(.past(past))
  }

  /// Reads the next part that the view lacks.
  private func readNext() throws {
    guard let part = try mirror.readNext(for: session.view.neededPast) else { return }
    hasNews = true
    guard part == .jobs else { return }
    let (status, jobs, future) = mirror.withState { ($0.status, $0.jobs, $0.future) }
    if let status, let future { session.handle(.snapshot(DaemonSnapshot(status, jobs, future, zones))) }
  }

  private func perform(_ request: ViewRequest) {
    do {
      let answer = try DaemonAnswer(
        request, from: connection, patient: patientConnection, zones: zones, jobs: session.view.jobs)
      session.handle(answer.event)
      mirror.withState { $0.refresh(within: .zero, at: SystemTime.monotonic()) }
    } catch {
      session.handle(.message(Self.reason(error)))
    }
  }

  /// The reason of a failure for the status line, without the name of the program.
  private static func reason(_ error: any Error) -> String {
    (error as? CallFailure)?.reason ?? "\(error)"
  }
}
