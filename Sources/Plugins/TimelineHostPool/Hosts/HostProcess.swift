import TimelineCore
import TimelineEngine
import TimelineSystem
import TimelineWire

/// One host: its process, its socket, and the pipe for the output of the host and its child processes.
///
/// The end of the socket means that the host has ended or is about to end. The exit status of the process gives the reason.
/// Messages that were sent before are still read, up to a limit.
final class HostProcess {
  let id: HostID
  let kind: HostSpec
  unowned let pools: PluginHosts
  let child: any HostedProcess
  /// Reading of the host's files before its start; `nil` if they were not read, or for an inherited host.
  let files: PluginFiles.Reading?
  /// Directory in which the host puts its job's credentials; `nil` when the job has none.
  let credentialsDirectory: String?
  /// Control group that the host makes for itself and its child processes; `nil` if no group is delegated.
  let controlGroup: ControlGroup?
  var meter: RunMeter?
  let socket: SeqPacket
  var dialogue: HostSession
  /// Messages that the kernel has not accepted yet: at most a `close`, an `open` or a `run`, and a `cancel`.
  var outbox: [DaemonMessage] = []
  let lines: HostOutput
  var socketWatch: Watch?
  private(set) var exitWatch: Watch?
  var pause: Delay?
  var progress: Progress?
  /// Timer for progress that the budget did not admit.
  var progressPause: Delay?
  /// Whether the host's messages are being received from the socket.
  var isHearing = false
  /// Hand-off of the host to the next daemon; `nil` before the first run, and if the host cannot be handed over.
  private(set) var keeping: HostHandoff?
  /// Whether an earlier daemon has started the host.
  let isInherited: Bool

  var processNumber: Int32 { child.pid }

  /// Starts a host and requests it to load the plugin.
  init(id: HostID, kind: HostSpec, pools: PluginHosts) throws(HostFailure) {
    self.id = id
    self.kind = kind
    self.pools = pools
    isInherited = false
    let configuration = pools.configuration
    files = pools.files.reading(of: kind)
    do {
      let (near, far) = try SeqPacket.pair(messageBytesMax: WireLimits.messageMax)
      let (reading, writing) = try ByteStream.pipe()
      child = try ChildProcess.spawn(
        executable: configuration.hostExecutable, name: "timeline-host: \(kind.pluginPath)",
        environment: configuration.environment.merging(["SWIFT_BACKTRACE": "enable=no"]) { own, _ in own },
        descriptors: [
          ChildProcess.Passing(writing.rawValue, as: 1), ChildProcess.Passing(writing.rawValue, as: 2),
          ChildProcess.Passing(far.rawValue, as: 3),
        ], directory: "/")
      socket = near
      far.close()
      writing.close()
      lines = HostOutput(pluginPath: kind.pluginPath, stream: reading, pools: pools)
    } catch {
      throw HostFailure(error.description, isShortage: error.isShortage)
    }
    credentialsDirectory = pools.credentialsDirectory(of: kind, process: child.pid)
    controlGroup = pools.controlGroup(of: kind, newProcess: child.pid)
    meter = controlGroup.map { RunMeter(of: $0) }
    do {
      dialogue = try HostSession(
        id: id, kind: kind, credentialsDirectory: credentialsDirectory, controlGroup: controlGroup?.directory)
    } catch {
      child.killTree()
      _ = child.wait()
      throw HostFailure(error.description)
    }
    try watch()
    sendWhatMayBeSent()
  }

  /// Inherits a host that an earlier daemon has left in the middle of `run`.
  init(adopting host: InheritedHost, id: HostID, run: PluginRun, pools: PluginHosts) throws(HostFailure) {
    self.id = id
    kind = run.kind
    self.pools = pools
    isInherited = true
    files = nil
    child = host.process
    // It is unknown here whether the job had credentials. A directory that does not exist counts as removed.
    credentialsDirectory = pools.credentialsDirectory(process: child.pid)
    controlGroup = pools.configuration.delegatedGroup?.group(ofProcess: child.pid)
    meter = controlGroup.map { RunMeter(of: $0) }
    socket = host.socket
    dialogue = HostSession(id: id, adopting: run)
    lines = HostOutput(pluginPath: kind.pluginPath, stream: host.output, pools: pools)
    keeping = pools.keeper.map { HostHandoff(adopting: host.record, in: host.file, by: $0) }
    lines.beginRun(run)
    try watch()
  }

  private func watch() throws(HostFailure) {
    do {
      socketWatch = try pools.loop.watch(socket.rawValue, for: .reading) { [weak self] in
        self?.socketIsReady($0)
      }
      exitWatch = try pools.loop.watch(child.handleRawValue, for: .reading) { [weak self] _ in
        self?.hasExited()
      }
      try lines.watch()
    } catch {
      // The host's end could not be observed, so it must not start.
      abandon()
      throw HostFailure(error.description, isShortage: error.isShortage)
    }
  }

  private func abandon() {
    socketWatch?.cancel()
    exitWatch?.cancel()
    lines.close()
    socket.hangUp()
    kill()
    _ = child.wait()
  }
}

// Calls that the pools make.
extension HostProcess {
  /// Calls the plugin, and opens an instance first if necessary.
  func begin(_ run: PluginRun, _ use: InstanceUse) {
    do {
      try dialogue.begin(run, use)
      lines.beginRun(run)
      if keeping == nil, let keeper = pools.keeper {
        keeping = HostHandoff(
          of: child, kind: kind, descriptors: [socket.rawValue, lines.streamRawValue], by: keeper)
      }
    } catch {
      let failure = PluginRunEnd.failed("\(kind.pluginPath): job \(run.job) was not run: \(error)")
      pools.handle(.openFailed(id, run.run, failure))
      return
    }
    sendWhatMayBeSent()
  }

  /// Closes the instance of this number.
  func closeInstance(_ number: InstanceNumber) {
    dialogue.closeInstance(number)
    sendWhatMayBeSent()
  }

  /// Asks the run to stop.
  func askToStop(_ run: RunID) {
    dialogue.askToStop(run)
    sendWhatMayBeSent()
  }

  /// Sends the daemon's mode and cadence to the active run.
  func tell(_ mode: CurrentMode) {
    dialogue.tell(mode)
    sendWhatMayBeSent()
  }

  /// Closes the socket, so that the host ends; the host's exit is still watched.
  func letGo() {
    outbox.removeAll()
    pause?.cancel()
    socketWatch?.cancel()
    // The descriptor store has a copy of the socket, so closing this descriptor would not end the connection.
    socket.hangUp()
    keeping?.forget()
  }

  /// Releases a host that stays as the parent of its run's leftovers. Returns its process, which the daemon does not end.
  func release() -> any HostedProcess {
    letGo()
    exitWatch?.cancel()
    lines.close()
    return child
  }

  /// Sends SIGKILL to the host, to its group and to all their descendants.
  func kill() { child.killTree(in: controlGroup) }
}
