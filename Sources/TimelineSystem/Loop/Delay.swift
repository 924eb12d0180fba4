/// Work that an ``EventLoop`` will do later, once.
package final class Delay {
  private weak var loop: EventLoop?
  private let ticket: DelayQueue<MonotonicInstant, () -> Void>.Ticket

  init(loop: EventLoop, ticket: DelayQueue<MonotonicInstant, () -> Void>.Ticket) {
    self.loop = loop
    self.ticket = ticket
  }

  /// Forgets the work, also when it is due in the current turn; whether it was still to come. May be called twice.
  @discardableResult
  package func cancel() -> Bool {
    loop?.removeDelay(ticket) ?? false
  }
}
