package import TimelineCore
package import TimelineSystem
package import TimelineWire

/// A plugin host without a daemon: gets one request after the other, and each answer is awaited.
///
/// It is the process that the daemon would start, so that a plugin that crashes, hangs or exits ends that process and is a finding.
package final class TrialHost {
  /// The reason why a host does not answer any more.
  package enum Fault: Error, Sendable, Hashable {
    /// The program was not started.
    case notStarted(String)
    /// The process ended in this way; `status` is that with which the plugin called exit.
    case ended(ProcessEnd, exitCall: CInt?)
    /// The plugin did not return in time, and its process was killed.
    case late(ElapsedTime)
    /// The host makes no further call, because a run has left its process in a state that cannot be restored.
    case retired
    /// The plugin sent something to the daemon by itself.
    case foreignMessage(String)

    /// Whether the host's program was not started.
    package var isOfStart: Bool { if case .notStarted = self { true } else { false } }
  }

  /// Something that the plugin wrote or reported.
  package enum Report: Sendable, Hashable {
    /// A line for the log.
    case log(LogLine)
    /// Progress of the run.
    case progress(Progress)
    /// A line from standard output or standard error.
    case output(String)
  }

  /// Gets each report as it comes.
  package var listener: (Report) -> Void = { _ in }
  /// The number of the process.
  package var process: CInt { child.pid }

  private let loop: EventLoop
  private let child: ChildProcess
  private let socket: SeqPacket
  private let output: ByteStream
  private var lines = LineSplitter(lengthMax: WireLimits.textMax)
  private var answers: [HostMessage] = []
  private var exitCall: CInt?
  private var fault: Fault?
  private var isConnected = true
  private var isRetiring = false
  /// Whether the last request calls the plugin, which a host that retires does not do.
  private var awaitsCall = false
  private var watches: [Watch] = []

  /// Bytes of output that are read at once.
  private static let chunk = 65_536
  /// Time that a process has to end after its socket has ended.
  private static let endPatience = ElapsedTime.seconds(5)
  /// The environment that the daemon gives its hosts, and the variable that has one complain of calls that are over.
  private static let environment = [
    "PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "SWIFT_BACKTRACE": "enable=no",
    "TIMELINED_TRIAL": "1",
  ]

  /// Starts the host at `path`.
  package init(path: String) throws(Fault) {
    do {
      loop = try EventLoop()
      let (near, far) = try SeqPacket.pair(messageBytesMax: WireLimits.messageMax)
      let (reading, writing) = try ByteStream.pipe()
      (socket, output) = (near, reading)
      child = try ChildProcess.spawn(
        executable: path, environment: Self.environment,
        descriptors: [
          .init(writing.rawValue, as: 1), .init(writing.rawValue, as: 2), .init(far.rawValue, as: 3),
        ], directory: "/")
      far.close()
      writing.close()
    } catch {
      throw .notStarted(error.description)
    }
    do { try watch() } catch { throw .notStarted(error.description) }
  }

  deinit {
    for watch in watches { watch.cancel() }
    child.killTree()
    _ = child.wait()
  }

  private func watch() throws(SystemError) {
    watches.append(try loop.watch(socket.rawValue, for: .reading) { [unowned self] _ in receive() })
    watches.append(try loop.watch(output.rawValue, for: .reading) { [unowned self] _ in readOutput() })
  }

  private func receive() {
    do throws(SystemError) {
      switch try socket.receive() {
      case .message(let bytes): take(bytes)
      case .truncated(let length): fault = fault ?? .foreignMessage("a message of \(length) bytes")
      case .wouldBlock: break
      case .endOfFile:
        watches[0].cancel()
        isConnected = false
      }
    } catch {
      fault = fault ?? .foreignMessage(error.description)
    }
  }

  private func take(_ bytes: [UInt8]) {
    do throws(WireError) {
      switch try HostMessage(decoding: bytes) {
      case .log(let line): listener(.log(line))
      case .progress(let progress): listener(.progress(progress))
      case .exiting(let status): exitCall = status
      case .retiring: isRetiring = true
      case .dropped, .leaving: break
      case let answer: answers.append(answer)
      }
    } catch {
      fault = fault ?? .foreignMessage("\(error)")
    }
  }

  private func readOutput() {
    switch try? output.read(atMost: Self.chunk) {
    case .bytes(let bytes): lines.feed(bytes) { listener(.output($0)) }
    case .wouldBlock: break
    case .endOfFile, nil:
      flushOutput()
      watches[1].cancel()
    }
  }

  private func flushOutput() { lines.flush { listener(.output($0)) } }
}

extension TrialHost {
  /// Sends a message. ``answer(within:)`` finds out that the host is gone.
  func send(_ message: DaemonMessage) {
    awaitsCall = message.callsPlugin
    do throws(SystemError) {
      // One message at a time and a `cancel`: the socket has room for them.
      _ = try socket.send(message.encoded())
    } catch {
      fault = fault ?? .foreignMessage(error.description)
    }
  }

  /// Waits for the next answer; `nil` when none has come within `limit`.
  func answer(within limit: ElapsedTime) throws(Fault) -> HostMessage? {
    _ = loop.run(atMost: limit) {
      !answers.isEmpty || fault != nil || !isConnected || isRetiring && awaitsCall
    }
    if !answers.isEmpty { return answers.removeFirst() }
    if isRetiring, awaitsCall { fault = fault ?? .retired }
    if let fault { throw fault }
    if !isConnected { throw .ended(end(), exitCall: exitCall) }
    return nil
  }

  /// Lets `length` pass, in which reports may come.
  package func linger(_ length: ElapsedTime) { _ = loop.run(atMost: length) { false } }

  /// Kills the process, because it did not do something within `limit`; the fault to throw.
  func kill(after limit: ElapsedTime) -> Fault {
    flushOutput()
    child.killTree()
    let fault = Fault.late(limit)
    self.fault = fault
    return fault
  }

  /// Waits for the end of the process, which has been asked or is over.
  func end() -> ProcessEnd {
    let deadline = SystemTime.monotonic() + Self.endPatience
    while SystemTime.monotonic() < deadline {
      if let end = child.reap(killingGroup: true) {
        readOutput()
        flushOutput()
        return end
      }
      loop.runOnce(timeout: .milliseconds(1))
    }
    child.killTree()
    return child.wait()
  }
}

extension DaemonMessage {
  /// Whether it opens an instance or calls the plugin.
  fileprivate var callsPlugin: Bool {
    switch self {
    case .open, .run: true
    case .load, .cancel, .mode, .close, .exit: false
    }
  }
}
