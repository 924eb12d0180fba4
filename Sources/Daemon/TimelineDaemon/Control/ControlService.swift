import TimelineConfiguration
import TimelineControl
import TimelineCore
import TimelineLedger
import TimelineSystem
import TimelineSystemd

/// Service on the control socket: accepts connections and answers calls from the daemon's state.
///
/// Each client that can connect may read. The socket's group decides which clients can connect. Root, the daemon's own user and
/// the configured users may also change something. They are identified by the kernel's credentials of the peer.
final class ControlService {
  let path: String
  let daemon: Daemon
  private(set) var listener: UnixListener
  /// Whether systemd made the socket.
  let isPassed: Bool
  lazy var lister = ConfigurationLister(loop: daemon.loop)
  /// The group of the socket's file, and its permission bits.
  var socketGroup: UInt32?
  let fileMode: UInt32
  /// The query whether this service has a socket unit whose socket systemd did not pass, and the fault in that case.
  var socketQuestion: DetachedWork<(OwnSystemdSocket, UInt32?)?>?
  var unitFault: String?
  private let users: ControlUsers
  /// The watch on the socket's file, the timer of the next attempt to make the file again, and the reason why the last attempt
  /// failed.
  var fileWatch: FileWatch?
  var fileRetry: Delay?
  var fileComplaint: String?
  /// Rate limited: the file can be removed in a loop.
  lazy var remakes = RateLimitedNotice(loop: daemon.loop) { [announcer = daemon.announcer, path] count in
    announcer.announce(
      .warning,
      "control socket \(path): its file was removed or replaced, and made again"
        + (count == 1 ? "" : " (\(count) times)"))
  }
  /// The copy of the ledger in progress; `nil` for none.
  var copier: LedgerCopier?
  private let service = VarlinkService(version: DaemonOptions.version)
  private let handlers = ControlHandlers()
  private var watch: Watch?
  private(set) var connections: [Int: ControlConnection] = [:]
  private var connectionNumber = 0
  private let refusals: RateLimitedNotice
  /// Logs the reason of the last disconnect; the client's error refers to the log.
  private lazy var hangUps = RateLimitedNotice(loop: daemon.loop) { [weak self] in self?.tellOfHangUps($0) }
  private var lastHangUp = ""

  /// Largest number of connections accepted in one iteration of the loop. Further connections are accepted in the next iteration,
  /// so that other events are handled in between.
  private static let acceptedPerTurnMax = 4
  /// Permission bits that let members of the group connect.
  private static let usualFileMode: UInt32 = 0o660
  /// Pause in accepting clients when descriptors run out.
  private static let shortagePause = ElapsedTime.seconds(1)

  /// Listens on the socket that systemd passed, or at `path` if systemd passed none.
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
    let group = passed == nil ? try daemon.jobs.settings.control.group.map(Self.number(ofGroup:)) : nil
    do throws(SystemError) {
      if let passed {
        listener = UnixListener(adopting: FileDescriptor(owning: passed.number))
        let settings = daemon.jobs.settings.control
        if settings.socketPath != nil || settings.group != nil {
          daemon.announcer.announce(
            .warning,
            "systemd listens on the control socket: `socket` and `group` of [control] do nothing; change them with `systemctl edit timelined.socket`"
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

  /// Throws an error if the directory of a socket at `path` is missing. This check comes first, so that its error is the only
  /// one: plugins of jobs with credentials need the directory, too.
  static func checkDirectory(of path: String) throws(DaemonFailure) {
    do { try UnixListener.checkDirectory(of: path) } catch { throw failure(error) }
  }

  private static func failure(_ error: SystemError) -> DaemonFailure {
    let remedy =
      error.isMissing
      ? ": create the directory, or name another path by --control or `socket` in [control]" : ""
    return DaemonFailure(.cannotStart, "control socket: \(error)\(remedy)")
  }

  /// Replaces a listener whose file was removed. Connected clients stay connected.
  func listen(on listener: UnixListener) throws(SystemError) {
    let watch = try daemon.loop.watch(listener.rawValue, for: .reading) { [weak self] _ in self?.accept() }
    self.watch?.cancel()
    (self.listener, self.watch) = (listener, watch)
  }

  /// Adopts the user names of a new configuration.
  func adoptUsers(completion: @escaping () -> Void) {
    users.adopt(daemon.jobs.settings.control.users, completion: completion)
  }

  /// Returns the number of a group. A missing group is an error of the configuration. A failed look-up is not, because it may
  /// succeed at the next start.
  private static func number(ofGroup name: String) throws(DaemonFailure) -> UInt32 {
    do {
      return try UserRecord.group(named: name)
    } catch {
      throw DaemonFailure(
        error.isMissing ? .configuration : .cannotStart, "control socket: `control.group`: \(error)")
    }
  }

  /// Stops listening and closes all connections.
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
      // The waiting connection would wake the loop again and again.
      watch?.update([])
      daemon.loop.after(Self.shortagePause) { [weak self] in self?.watch?.update(.reading) }
    }
  }
}

// Calls and their replies.
extension ControlService {
  private func answer(_ call: VarlinkCall, on connection: ControlConnection) {
    do {
      try handlers.answer(call, on: connection, of: self)
    } catch let error as ControlError {
      connection.fail(call, error.varlink)
    } catch let error as VarlinkError {
      connection.fail(call, error)
    } catch {
      connection.fail(call, ControlError.replyFailed(method: call.method, reason: "\(error)").varlink)
    }
  }

  /// Throws an error if a client may not make a call, or if the daemon is draining and refuses the call.
  func admit(_ call: any ControlCall.Type, on connection: ControlConnection) throws(ControlError) {
    if call.access.needsPermission && !mayChange(connection.peer) { throw .permissionDenied }
    if daemon.stopping.isDraining && call.whileDraining == .refused { throw .shuttingDown }
  }

  /// Returns the operator at the other end of a connection. Throws an error if the kernel provides no credentials, because the
  /// client may not change anything then.
  func caller(of connection: ControlConnection?) throws(ControlError) -> Operator {
    guard let peer = connection?.peer else { throw .permissionDenied }
    return Operator(peer, name: users.name(of: peer.user))
  }

  /// Whether a client with these credentials may change something. Only the user number decides.
  func mayChange(_ peer: PeerCredentials?) -> Bool { peer.map { users.contains($0.user) } ?? false }
}
