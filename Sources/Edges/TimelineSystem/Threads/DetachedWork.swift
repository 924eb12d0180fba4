internal import Synchronization

/// One piece of work on a thread of its own that no other thread waits for. A call that may never return, for example of a name
/// service, then blocks nothing else.
///
/// Unlike a ``SideThread`` it may be released at any time. The thread then ends when the call does, and its result is
/// dropped.
package final class DetachedWork<Value: Sendable> {
  private let mailbox: ResultMailbox<Value>
  private let watch: Watch

  /// Starts the thread, called `name` (at most 15 bytes). `completion` is called once on the loop's thread with the result of
  /// `work`, unless this value is released before.
  ///
  /// Throws when descriptors or threads run out.
  package init(
    name: String, loop: EventLoop, work: @escaping @Sendable () -> Value,
    completion: @escaping (Value) -> Void
  ) throws(SystemError) {
    let mailbox = ResultMailbox<Value>(waker: try Waker())
    self.mailbox = mailbox
    watch = try loop.watch(mailbox.waker) {
      if let value = mailbox.take() { completion(value) }
    }
    do throws(SystemError) {
      try Thread.start(name: name) {
        TimeSlice.usual.begin()
        mailbox.put(work())
      }
    } catch {
      watch.cancel()
      throw error
    }
  }

  deinit { watch.cancel() }

  /// Whether the thread has done its work.
  package var isOver: Bool { mailbox.isOver }
}

/// The place for the result of the thread.
private final class ResultMailbox<Value: Sendable>: Sendable {
  private struct State {
    var value: Value?
    var isOver = false
  }

  private let state = Mutex(State())
  let waker: Waker

  init(waker: Waker) { self.waker = waker }

  var isOver: Bool { state.withLock { $0.isOver } }

  func put(_ value: Value) {
    state.withLock { ($0.value, $0.isOver) = (value, true) }
    waker.wake()
  }

  func take() -> Value? { state.withLock { $0.value.take() } }
}
