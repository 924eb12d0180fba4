internal import CTimelineSystem

/// Events for which a descriptor is watched. Errors and hang-ups are always reported.
package struct Interest: OptionSet, Sendable, Hashable {
  package let rawValue: UInt8

  package init(rawValue: UInt8) { self.rawValue = rawValue }

  /// Something can be read, or the other side has stopped writing.
  package static let reading = Interest(rawValue: 1)
  /// Something can be written.
  package static let writing = Interest(rawValue: 2)

  var epoll: UInt32 {
    (contains(.reading) ? timeline_epoll_in | timeline_epoll_peer_closed : 0)
      | (contains(.writing) ? timeline_epoll_out : 0)
  }
}

/// Events for which a watched descriptor is ready.
package struct Readiness: OptionSet, Sendable, Hashable {
  package let rawValue: UInt8

  package init(rawValue: UInt8) { self.rawValue = rawValue }

  /// A read will not wait: there are data, or the end.
  package static let readable = Readiness(rawValue: 1)
  /// A write will not wait.
  package static let writable = Readiness(rawValue: 2)
  /// The other side has closed the connection completely; data that it sent before can still be read.
  package static let hangUp = Readiness(rawValue: 4)
  /// The descriptor is in error; reading or writing returns the error.
  package static let failure = Readiness(rawValue: 8)

  init(epoll events: UInt32) {
    var result: Readiness = []
    if events & (timeline_epoll_in | timeline_epoll_peer_closed) != 0 { result.insert(.readable) }
    if events & timeline_epoll_out != 0 { result.insert(.writable) }
    if events & timeline_epoll_hang_up != 0 { result.insert(.hangUp) }
    if events & timeline_epoll_error != 0 { result.insert(.failure) }
    self = result
  }
}

/// The registration of a descriptor in an ``EventLoop``.
package final class Watch {
  let descriptor: CInt
  let token: UInt64
  private weak var loop: EventLoop?
  private var handler: ((Readiness) -> Void)?

  /// The events for which the descriptor is watched now.
  package private(set) var interest: Interest

  init(
    loop: EventLoop, descriptor: CInt, token: UInt64, interest: Interest,
    handler: @escaping (Readiness) -> Void
  ) {
    self.loop = loop
    self.descriptor = descriptor
    self.token = token
    self.interest = interest
    self.handler = handler
  }

  /// Changes the events for which the descriptor is watched; `[]` leaves only errors and hang-ups. Does nothing after
  /// ``cancel()``.
  package func update(_ interest: Interest) {
    guard handler != nil, interest != self.interest else { return }
    self.interest = interest
    loop?.change(self, to: interest)
  }

  /// Ends the watch at once, even for events of the current iteration, and releases the handler. May be called twice.
  package func cancel() {
    guard handler != nil else { return }
    handler = nil
    loop?.remove(self)
  }

  func deliver(_ readiness: Readiness) {
    handler?(readiness)
  }
}
