internal import Synchronization
package import TimelineCore

/// A thread that passes messages, in their order, to a receiver outside this process. A journal, a terminal or a service manager
/// that does not read blocks only this thread.
///
/// The queue is bounded. Messages beyond the bound are dropped and counted, and the count is reported before the next message.
package final class OutboundThread: Sendable {
  private struct Message {
    var byteCount: Int
    var lostBefore: Int
    var hand: @Sendable () -> Void
  }

  private struct State {
    var messages: [Message] = []
    var byteCount = 0
    var lostCount = 0
    /// Messages that the thread has taken and not handed over yet.
    var takenCount = 0
    var isClosed = false
  }

  private let state = Mutex(State())
  private let bell: Waker
  private let tellOfLoss: @Sendable (Int) -> Void

  /// Limit of waiting messages: the messages of a busy daemon in a minute.
  private static let countMax = 10_000
  /// Limit of their bytes together: little compared with the memory of a machine, and more than the journal accepts in half a
  /// minute.
  private static let byteCountMax = 8 << 20

  /// Starts the thread, called `name` (at most 15 bytes). `tellOfLoss` is called on it with the number of dropped messages.
  ///
  /// Throws when descriptors or threads run out.
  package init(
    name: String, tellOfLoss: @escaping @Sendable (Int) -> Void = { _ in }
  ) throws(SystemError) {
    bell = try Waker()
    self.tellOfLoss = tellOfLoss
    // The thread retains this object. Nothing waits for the end of the thread, because it may hang.
    try Thread.start(name: name) { [self] in
      TimeSlice.usual.begin()
      work()
    }
  }

  /// Queues a message of about `byteCount` bytes. Returns `false` if there was no room for it.
  @discardableResult
  package func put(byteCount: Int, _ hand: @escaping @Sendable () -> Void) -> Bool {
    let (isTaken, isFirst) = state.withLock { state -> (Bool, Bool) in
      guard state.messages.count < Self.countMax, state.byteCount + byteCount <= Self.byteCountMax else {
        state.lostCount += 1
        return (false, false)
      }
      state.messages.append(Message(byteCount: byteCount, lostBefore: state.lostCount, hand: hand))
      state.byteCount += byteCount
      state.lostCount = 0
      return (true, state.messages.count == 1)
    }
    if isFirst { bell.wake() }
    return isTaken
  }

  /// Waits until all messages have been handed over, for at most `limit`. Returns whether all were handed over.
  @discardableResult
  package func flush(atMost limit: ElapsedTime) -> Bool {
    let deadline = SystemTime.monotonic() + limit
    while state.withLock({ !$0.messages.isEmpty || $0.takenCount > 0 }) {
      guard SystemTime.monotonic() < deadline else { return false }
      SystemTime.pause(for: .milliseconds(1))
    }
    return true
  }

  /// Lets the thread end when everything has been handed over.
  package func close() {
    state.withLock { $0.isClosed = true }
    bell.wake()
  }

  private func work() {
    while true {
      bell.wait()
      bell.silence()
      let (messages, isClosed) = state.withLock { state -> ([Message], Bool) in
        defer { state.messages = [] }
        state.takenCount = state.messages.count
        return (state.messages, state.isClosed)
      }
      for message in messages {
        if message.lostBefore > 0 { tellOfLoss(message.lostBefore) }
        message.hand()
        state.withLock { state in
          state.takenCount -= 1
          state.byteCount -= message.byteCount
        }
      }
      if isClosed, messages.isEmpty { return }
      if isClosed { bell.wake() }
    }
  }
}

/// Duplicates of descriptors, for a thread that uses them after their owners may have closed them.
package final class DescriptorCopies: Sendable {
  /// The numbers of the copies, in the order of the originals.
  package let numbers: [CInt]

  /// Makes a copy of each of `numbers`.
  package init(of numbers: [CInt]) throws(SystemError) {
    var copies: [CInt] = []
    do throws(SystemError) {
      for number in numbers { copies.append(try FileDescriptor.duplicate(number, atLeast: 0).release()) }
    } catch {
      for copy in copies { _ = FileDescriptor(owning: copy) }
      throw error
    }
    self.numbers = copies
  }

  deinit {
    for number in numbers { _ = FileDescriptor(owning: number) }
  }
}
