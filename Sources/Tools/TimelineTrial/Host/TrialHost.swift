package import TimelineCore
package import TimelineSystem
package import TimelineWire

/// A plugin host without a daemon. Sends requests one after the other, and waits for each answer.
///
/// The daemon starts the same program. A plugin that crashes, hangs or exits ends only the host's process, and
/// becomes a finding.
package final class TrialHost {
  /// The reason why a host no longer answers.
  package enum Fault: Error, Sendable, Equatable {
    case notStarted(String)
    /// The process ended; `exitCall` is the status with which the plugin called exit.
    case ended(ProcessEnd, exitCall: CInt?)
    /// The plugin did not return in time, and its process was killed.
    case late(ElapsedTime)
    /// The host makes no further call, because a run has changed the state of the process and the state cannot be
    /// restored.
    case retired
    /// The plugin itself wrote a message to the host's socket.
    case foreignMessage(String)

    /// Whether the host's program could not be started.
    package var isOfStart: Bool { if case .notStarted = self { true } else { false } }
  }

  /// Output or a report of the plugin.
  package enum Report: Sendable, Equatable {
    case log(LogLine)
    case progress(Progress)
    /// A line from standard output or standard error.
    case output(String)
  }

  /// Called with each report as it arrives.
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
  /// Whether the last request calls the plugin. A retiring host does not answer such a request.
  private var awaitsCall = false
  private var watches: [Watch] = []

  /// Bytes of output per read.
  private static let chunk = 65_536
  /// Time for the process to end after the end of its socket.
  private static let endPatience = ElapsedTime.seconds(5)
  /// The environment that the daemon passes to its hosts, and a variable that makes a host report the use of ended
  /// calls.
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
  /// Sends a message. ``answer(within:)`` detects the end of the host.
  func send(_ message: DaemonMessage) {
    awaitsCall = message.callsPlugin
    do throws(SystemError) {
      // At most one message and a `cancel` are unread, and the socket has room for both.
      _ = try socket.send(message.encoded())
    } catch {
      fault = fault ?? .foreignMessage(error.description)
    }
  }

  /// Waits for the next answer. Returns `nil` if no answer arrives within `limit`.
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

  /// Waits for the time `length`. Reports may arrive meanwhile.
  package func linger(_ length: ElapsedTime) { _ = loop.run(atMost: length) { false } }

  /// Kills the process because it did not answer within `limit`. Returns the fault to throw.
  func kill(after limit: ElapsedTime) -> Fault {
    flushOutput()
    child.killTree()
    let fault = Fault.late(limit)
    self.fault = fault
    return fault
  }

  /// Waits for the end of the process, which has been requested or has already happened.
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
  /// Whether the message opens an instance or calls the plugin.
  fileprivate var callsPlugin: Bool {
    switch self {
    case .open, .run: true
    case .load, .cancel, .mode, .close, .exit: false
    }
  }
}
