/// Work that an ``EventLoop`` will do later, once.
package final class Delay {
  private weak var loop: EventLoop?
  private let ticket: DelayQueue<MonotonicInstant, () -> Void>.Ticket

  init(loop: EventLoop, ticket: DelayQueue<MonotonicInstant, () -> Void>.Ticket) {
    self.loop = loop
    self.ticket = ticket
  }

  /// Drops the work, even if it is due in the current iteration of the loop. Returns whether it was still pending. May be called
  /// twice.
  @discardableResult
  package func cancel() -> Bool {
    loop?.removeDelay(ticket) ?? false
  }
}
