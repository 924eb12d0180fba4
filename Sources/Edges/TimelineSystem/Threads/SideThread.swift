internal import CTimelineSystem
internal import Synchronization

/// A thread beside a loop that does one piece of work at a time, for calls that block, for example on a disk.
///
/// It is made with its owner and ends with it. It sleeps while there is no work.
package final class SideThread {
  private let mailbox: WorkMailbox
  private let watch: Watch

  /// Starts the thread, called `name` (at most 15 bytes). `completion` is called on the loop's thread after each piece of work.
  /// If a second piece of work begins before the call for the first one, there is one call for both.
  ///
  /// Throws when descriptors or threads run out.
  package init(name: String, loop: EventLoop, completion: @escaping () -> Void) throws(SystemError) {
    let mailbox = WorkMailbox(order: try Waker(), answer: try Waker())
    self.mailbox = mailbox
    // If other work is under way already, the call after that work is enough.
    watch = try loop.watch(mailbox.answer) { if !mailbox.isBusy { completion() } }
    try Thread.start(name: name) {
      // The usual slice, even if the loop's thread has another, because work that waits for disks gets no precedence.
      TimeSlice.usual.begin()
      mailbox.work()
    }
  }

  deinit {
    watch.cancel()
    wait()
    mailbox.close()
  }

  /// Starts `work` on the thread. Must not be called while other work is under way.
  package func begin(_ work: @escaping @Sendable () -> Void) { mailbox.put(work) }

  /// Blocks until the work under way is done, if there is any. `completion` is still called in a later iteration of the loop.
  package func wait() { mailbox.wait() }
}

/// The state that the two threads exchange; the lock also makes the writes of one visible to the other.
private final class WorkMailbox: Sendable {
  private struct State {
    var work: (@Sendable () -> Void)?
    var isBusy = false
    var isClosed = false
  }

  private let state = Mutex(State())
  private let order: Waker
  let answer: Waker

  init(order: Waker, answer: Waker) { (self.order, self.answer) = (order, answer) }

  var isBusy: Bool { state.withLock { $0.isBusy } }

  func put(_ work: @escaping @Sendable () -> Void) {
    state.withLock { state in
      precondition(!state.isBusy, "One piece of work at a time.")
      (state.work, state.isBusy) = (work, true)
    }
    order.wake()
  }

  func wait() {
    var hasTaken = false
    while isBusy {
      answer.wait()
      answer.silence()
      hasTaken = true
    }
    // The loop watches the same signal, so it is raised again.
    if hasTaken { answer.wake() }
  }

  func close() {
    state.withLock { $0.isClosed = true }
    order.wake()
  }

  func work() {
    while true {
      order.wait()
      order.silence()
      if let work = state.withLock({ $0.work.take() }) {
        work()
        state.withLock { $0.isBusy = false }
        answer.wake()
      }
      if state.withLock({ $0.isClosed }) { return }
    }
  }
}
