import TimelineConfiguration
import TimelineControl
import TimelineCore
import TimelineEngine
import TimelineLedger
import TimelineLoading
import TimelineSystem
import TimelineSystemd

/// The control socket: accepts connections and answers calls from what the daemon knows.
///
/// Reading is for whoever may connect, which the socket's group decides; changing is for root, for the user the daemon runs as and
/// for the configured users, judged by what the kernel says of the peer.
final class ControlService {
  /// Path of the socket.
  let path: String
  let daemon: Daemon
  private(set) var listener: UnixListener
  /// Whether systemd made the socket.
  let isPassed: Bool
  /// The listings of the configuration for operators.
  lazy var lister = ConfigurationLister(loop: daemon.loop)
  /// The group of the socket's file, and its permission bits.
  var socketGroup: UInt32?
  let fileMode: UInt32
  /// The question whether systemd has a socket that it did not pass, and the fault if so.
  var socketQuestion: DetachedWork<(OwnSystemdSocket, UInt32?)?>?
  var unitFault: String?
  /// The users who may change something.
  private let users: ControlUsers
  /// The watch on the socket's file, the next attempt to make it again, and the last reason why that failed.
  var fileWatch: FileWatch?
  var fileRetry: Delay?
  var fileComplaint: String?
  /// Told of with how often: whoever may write to the directory can remove the file as often as they like.
  lazy var remakes = RateLimitedNotice(loop: daemon.loop) { [announcer = daemon.announcer, path] count in
    announcer.announce(
      .warning,
      "control socket \(path): its file was removed or replaced, and made again"
        + (count == 1 ? "" : " (\(count) times)"))
  }
  /// The copy of the ledger that is being made.
  var copier: LedgerCopier?
  private let service = VarlinkService(version: DaemonOptions.version)
  private var watch: Watch?
  private(set) var connections: [Int: ControlConnection] = [:]
  private var connectionNumber = 0
  private let refusals: RateLimitedNotice
  /// Told of with the last reason: a client that was hung up on is told to look for it.
  private lazy var hangUps = RateLimitedNotice(loop: daemon.loop) { [weak self] in self?.tellOfHangUps($0) }
  private var lastHangUp = ""

  /// Connections accepted in a turn of the loop: others are ready too, and whoever waits longer is accepted in the next turn.
  private static let acceptedPerTurnMax = 4
  /// Permission bits by which members of the group may connect.
  private static let usualFileMode: UInt32 = 0o660
  /// Pause in accepting clients when the system has no descriptor to give.
  private static let shortagePause = ElapsedTime.seconds(1)

  /// Listens on the socket that systemd passed, if it did, or else at `path`.
  init(daemon: Daemon, path: String, users: ControlUsers, passed: PassedDescriptor?) throws(DaemonFailure) {
    self.daemon = daemon
    self.path = path
    self.users = users
    isPassed = passed != nil
    refusals = RateLimitedNotice(loop: daemon.loop) { [announcer = daemon.announcer, path] count in
      announcer.announce(
        .warning,
        "control socket \(path): too many clients: refused \(count == 1 ? "one" : "\(count) of them"), whose users have their share of the places"
      )
    }
    let group = passed == nil ? try daemon.settings.control.group.map(Self.number(ofGroup:)) : nil
    do throws(SystemError) {
      if let passed {
        listener = UnixListener(adopting: FileDescriptor(owning: passed.number))
        let settings = daemon.settings.control
        if settings.socketPath != nil || settings.group != nil {
          daemon.announcer.announce(
            .warning,
            "systemd listens on the control socket: `socket` and `group` of [control] do nothing; change them with systemctl edit timelined.socket"
          )
        }
      } else {
        listener = try UnixListener(at: path, mode: Self.usualFileMode, group: group)
      }
      let access = passed == nil ? nil : listener.access
      (socketGroup, fileMode) = (access?.group ?? group, access?.mode ?? Self.usualFileMode)
      watch = try daemon.loop.watch(listener.rawValue, for: .reading) { [weak self] _ in self?.accept() }
    } catch {
      throw Self.failure(error)
    }
    beginToWatchFile()
    askForSystemdSocket()
  }

  /// Throws the error that a socket at `path` will meet if there is no directory for it, so that it is the only one: plugins of jobs
  /// with credentials have no place for these then.
  static func checkDirectory(of path: String) throws(DaemonFailure) {
    do { try UnixListener.checkDirectory(of: path) } catch { throw failure(error) }
  }

  private static func failure(_ error: SystemError) -> DaemonFailure {
    let remedy =
      error.isMissing
      ? ": create the directory, or name another path by --control or `socket` in [control]" : ""
    return DaemonFailure(.cannotStart, "control socket: \(error)\(remedy)")
  }

  /// Takes the place of the listener whose file is gone; its clients stay.
  func listen(on listener: UnixListener) throws(SystemError) {
    let watch = try daemon.loop.watch(listener.rawValue, for: .reading) { [weak self] _ in self?.accept() }
    self.watch?.cancel()
    (self.listener, self.watch) = (listener, watch)
  }

  /// Takes in the names of a new configuration.
  func adoptUsers(completion: @escaping () -> Void) {
    users.adopt(daemon.settings.control.users, completion: completion)
  }

  /// A group that is not there is a wrong word in the configuration; one that cannot be looked up may be there the next time.
  private static func number(ofGroup name: String) throws(DaemonFailure) -> UInt32 {
    do {
      return try UserRecord.group(named: name)
    } catch {
      throw DaemonFailure(
        error.isMissing ? .configuration : .cannotStart, "control socket: `control.group`: \(error)")
    }
  }

  /// Stops listening and hangs up.
  func close() {
    watch?.cancel()
    fileWatch = nil
    fileRetry?.cancel()
    copier = nil
    for connection in connections.values { connection.close() }
  }

  private func end(_ number: Int) {
    guard let connection = connections.removeValue(forKey: number),
      let complaint = connection.complaint
    else { return }
    lastHangUp = (connection.peer.map { "process \($0.pid): " } ?? "") + complaint
    hangUps.note()
  }

  private func tellOfHangUps(_ count: Int) {
    daemon.announcer.announce(
      .notice,
      "hung up on a client of the control socket, \(lastHangUp)"
        + (count == 1 ? "" : "; and on \(count - 1) before it"))
  }

  private func accept() {
    do {
      for _ in 1...Self.acceptedPerTurnMax {
        guard let stream = try listener.accept() else { return }
        guard hasPlace(for: stream) else {
          refusals.note()
          stream.close()
          continue
        }
        connectionNumber += 1
        let number = connectionNumber
        connections[number] = try ControlConnection(
          stream: stream, loop: daemon.loop, service: service,
          answer: { [weak self] call, connection in self?.answer(call, on: connection) },
          closed: { [weak self] in self?.end(number) })
      }
    } catch {
      // The connection still waits and would wake us at once and for ever.
      watch?.update([])
      daemon.loop.after(Self.shortagePause) { [weak self] in self?.watch?.update(.reading) }
    }
  }
}

// Calls and their replies.
extension ControlService {
  private func answer(_ call: VarlinkCall, on connection: ControlConnection) {
    do {
      let request = try ControlRequest(call)
      if try ControlMethod(of: call).needsPermission && !mayChange(connection) {
        throw ControlError.permissionDenied
      }
      if daemon.isDraining && request.isFutileWhileDraining { throw ControlError.shuttingDown }
      switch request {
      case .status:
        var reply = daemon.statusReply
        reply.controlFault = socketFault
        connection.reply(to: call, reply)
      case .list: try list(call, connection)
      case .metrics: try metrics(call, connection)
      case .configuration: configuration(call, connection)
      case .why(let job, let moment, let zone):
        connection.reply(to: call, try daemon.why(job: job, moment: moment, shownIn: zone))
      case .next(let parameters): connection.reply(to: call, try daemon.next(parameters))
      case .explain(let parameters): connection.reply(to: call, try daemon.explain(parameters))
      case .history(let parameters): try history(parameters, call, connection)
      case .watch(let job): try watch(job, call, connection)
      case .logs(let job, let limit): try logs(job, limit, call, connection)
      case .reload: try reload(call, connection)
      case .trigger(let job): try trigger(job, call, connection)
      case .pause(let jobs, let reason):
        let by = try caller(of: connection)
        connection.reply(to: call, try daemon.pause(jobs, by: by, reason: (reason ?? "").printable))
      case .resume(let job, let catchUp):
        connection.reply(to: call, try daemon.resume(job, catchUp, by: try caller(of: connection)))
      case .release(let job):
        connection.reply(to: call, try daemon.release(job, by: try caller(of: connection)))
      case .clock: connection.reply(to: call, daemon.clockReply())
      case .controlClock(let control):
        connection.reply(to: call, try daemon.control(control, by: try caller(of: connection)))
      case .mode: connection.reply(to: call, daemon.modeReply)
      case .setMode(let choice, let cadence):
        connection.reply(to: call, daemon.choose(choice, cadence, by: try caller(of: connection)))
      case .cluster: try cluster(call, connection)
      case .clusterHistory(let parameters): try clusterHistory(parameters, call, connection)
      case .activateJobs(let jobs): try activate(jobs, call, connection)
      case .leaveCluster: try leaveCluster(call, connection)
      case .backup: try backup(call, connection)
      case .cancel(let run): try cancel(run, call, connection)
      case .stop(let now):
        daemon.note(.stop, by: try caller(of: connection))
        connection.reply(to: call, StopReply(runningCount: daemon.runs.count - daemon.engine.idleRunCount))
        daemon.drain(now: now)
      }
    } catch let error as ControlError {
      connection.fail(call, error.varlink)
    } catch let error as VarlinkError {
      connection.fail(call, error)
    } catch {
      connection.fail(call, ControlError.replyFailed(method: call.method, reason: "\(error)").varlink)
    }
  }

  /// The operator at the other end; only one that the kernel knows may change something.
  func caller(of connection: ControlConnection) throws(ControlError) -> Operator {
    guard let peer = connection.peer else { throw .permissionDenied }
    return Operator(peer, name: users.name(of: peer.user))
  }

  private func mayChange(_ connection: ControlConnection) -> Bool {
    mayChange(connection.peer)
  }

  /// Whether such a client may change things, by its number alone.
  func mayChange(_ peer: PeerCredentials?) -> Bool { peer.map { users.contains($0.user) } ?? false }
}

extension ControlRequest {
  /// Whether it makes no sense any more when the daemon is on its way down; whoever is in its way can still be cancelled.
  fileprivate var isFutileWhileDraining: Bool {
    switch self {
    case .reload, .trigger, .pause, .resume, .release, .controlClock, .setMode, .activateJobs,
      .leaveCluster, .backup:
      true
    case .status, .list, .metrics, .configuration, .why, .next, .explain, .history, .watch, .logs, .clock,
      .mode, .cluster, .clusterHistory, .cancel, .stop:
      false
    }
  }
}
