internal import CTimelineSystem
internal import Synchronization

/// A wake-up of a loop that any thread can cause.
package final class Waker: Sendable {
  private let descriptor: FileDescriptor

  /// Makes a waker; connect it to a loop with ``EventLoop/watch(_:_:)``.
  package init() throws(SystemError) {
    descriptor = FileDescriptor(owning: try SystemCall.check("eventfd") { timeline_event_create() })
  }

  /// Makes the loop run an iteration and call the handler. Several calls before that count as one. Any thread may call it.
  package func wake() {
    timeline_event_raise(descriptor.rawValue)
  }

  fileprivate var number: CInt { descriptor.rawValue }

  func silence() {
    timeline_event_clear(descriptor.rawValue)
  }

  /// Blocks until ``wake()`` is called. Returns at once if it was called since the last ``silence()``.
  func wait() {
    let number = descriptor.rawValue
    SystemCall.mustSucceed("ppoll") { timeline_wait_ready(number, 0, -1) }
  }
}

extension EventLoop {
  /// Calls `handler` on this loop's thread after a ``Waker/wake()`` of `waker`. The loop retains the waker.
  @discardableResult
  package func watch(_ waker: Waker, _ handler: @escaping () -> Void) throws(SystemError) -> Watch {
    try watch(waker.number, for: .reading) { _ in
      waker.silence()
      handler()
    }
  }
}

/// Messages from any thread to a handler on a loop's thread, in order for each sender.
package final class Mailbox<Message: Sendable>: Sendable {
  private let messages = Mutex<[Message]>([])
  private let waker: Waker

  private init(waker: Waker) { self.waker = waker }

  /// Makes a mailbox that `handler` empties on `loop`'s thread, until the watch is cancelled.
  package static func open(
    on loop: EventLoop, _ handler: @escaping (Message) -> Void
  ) throws(SystemError) -> (mailbox: Mailbox, watch: Watch) {
    let mailbox = Mailbox(waker: try Waker())
    let watch = try loop.watch(mailbox.waker) {
      for message in mailbox.take() { handler(message) }
    }
    return (mailbox, watch)
  }

  /// Adds a message; from any thread.
  package func post(_ message: Message) {
    let wasEmpty = messages.withLock { waiting in
      waiting.append(message)
      return waiting.count == 1
    }
    if wasEmpty { waker.wake() }
  }

  private func take() -> ArraySlice<Message> {
    messages.withLock { waiting in
      let taken = waiting.prefix(SystemLimits.mailboxMessagesPerTurnMax)
      waiting.removeFirst(taken.count)
      // The rest is served in the next iteration, after all other sources.
      if !waiting.isEmpty { waker.wake() }
      return taken
    }
  }
}
