import TimelineCore
import TimelineStoreWire
import TimelineSystem

/// The process of a store adapter, which has one call at a time.
///
/// The process is started by the first call, and again by the first call after its end. The process holds no state that must be
/// kept, so a caller kills it if its answer is late.
final class StoreAdapter {
  /// Program and arguments of the process.
  struct Command {
    let executable: String
    let arguments: [String]
    /// Reason why the process cannot be started, as a message; `nil` if it can.
    var fault: String?
  }

  private let command: Command
  private let loop: EventLoop
  private let children: OwnChildren
  private let answered: (UInt64, Result<StoreReply, StoreFailure>) -> Void
  private var process: AdapterProcess?
  /// Number of the call that has not been answered.
  private var number: UInt64?

  /// Makes an adapter that has not been started. `answered` is called for each call, on the loop's thread and never from within
  /// ``send(_:)``.
  init(
    _ command: Command, loop: EventLoop, children: OwnChildren,
    answered: @escaping (UInt64, Result<StoreReply, StoreFailure>) -> Void
  ) {
    (self.command, self.loop, self.children, self.answered) = (command, loop, children, answered)
  }

  /// Sends a request to the process. Starts a process if there is none.
  func send(_ request: StoreRequest) {
    number = request.id
    do throws(StoreFailure) {
      try write(request.message)
    } catch {
      loop.after(.zero) { [weak self] in self?.finish(.failure(error)) }
    }
  }

  private func write(_ message: [UInt8]) throws(StoreFailure) {
    if message.count > StoreWireLimits.messageMax {
      throw StoreFailure(.malformed, "the call has \(message.count) bytes, more than a message can")
    }
    if let fault = command.fault { throw StoreFailure(.unavailable, fault) }
    let sending: SeqPacket.Sending
    do throws(SystemError) {
      sending = try running().socket.send(message)
    } catch {
      throw StoreFailure(.unavailable, error.description)
    }
    if sending != .sent {
      throw StoreFailure(.unavailable, "\(command.executable): it does not take the call")
    }
  }

  /// Returns the process. Starts a process if there is none.
  private func running() throws(SystemError) -> AdapterProcess {
    if let process { return process }
    let started = try AdapterProcess(command, loop: loop, children: children) { [weak self] process in
      self?.hear(process)
    }
    process = started
    return started
  }

  private func hear(_ process: AdapterProcess) {
    guard process === self.process else { return }
    while true {
      do throws(SystemError) {
        switch try process.socket.receive() {
        case .message(let bytes): take(bytes)
        case .truncated(let length):
          finish(.failure(StoreFailure(.malformed, "the reply has \(length) bytes, more than a message can")))
        case .wouldBlock: return
        case .endOfFile: return end("\(command.executable): it ended in the middle of a call")
        }
      } catch {
        return end(error.description)
      }
    }
  }

  private func take(_ bytes: [UInt8]) {
    do throws(StoreFailure) {
      let response = try StoreResponse(message: bytes)
      if response.id == number { finish(response.result) }
    } catch {
      finish(.failure(error))
    }
  }

  /// Handles the end of the process. Its pending call fails as undecided, because the call may have taken effect.
  private func end(_ reason: String) {
    replace()
    finish(.failure(StoreFailure(.undecided, reason)))
  }

  private func finish(_ result: Result<StoreReply, StoreFailure>) {
    guard let number = number.take() else { return }
    answered(number, result)
  }

  /// Kills the process. Its pending call is not answered any more.
  func replace() {
    process?.kill()
    process = nil
  }

  /// Kills the process and forgets its call.
  func end() {
    number = nil
    replace()
  }
}

/// One process of a store adapter, from its start until it has been reaped.
private final class AdapterProcess {
  let socket: SeqPacket
  private let child: ChildProcess
  private let children: OwnChildren
  private var socketWatch: Watch?
  private var exitWatch: Watch?

  init(
    _ command: StoreAdapter.Command, loop: EventLoop, children: OwnChildren,
    hear: @escaping (AdapterProcess) -> Void
  ) throws(SystemError) {
    let (near, far) = try SeqPacket.pair(messageBytesMax: StoreWireLimits.messageMax)
    child = try children.start { () throws(SystemError) in
      try ChildProcess.spawn(
        executable: command.executable, arguments: command.arguments, name: "timeline-store",
        // The process inherits the daemon's standard error.
        descriptors: [ChildProcess.Passing(far.rawValue, as: 3), ChildProcess.Passing(2, as: 2)],
        directory: "/")
    }
    far.close()
    socket = near
    self.children = children
    do throws(SystemError) {
      socketWatch = try loop.watch(near.rawValue, for: .reading) { [weak self] _ in
        if let self { hear(self) }
      }
      // The closure keeps this object alive until the process is reaped.
      exitWatch = try loop.watch(child.handleRawValue, for: .reading) { _ in self.reap() }
    } catch {
      kill()
      _ = child.wait()
      children.remove(child.pid)
      throw error
    }
  }

  private func reap() {
    guard child.reap(killingGroup: true) != nil else { return }
    children.remove(child.pid)
    exitWatch?.cancel()
    exitWatch = nil
  }

  func kill() {
    socketWatch?.cancel()
    socketWatch = nil
    socket.hangUp()
    child.killTree()
  }
}
