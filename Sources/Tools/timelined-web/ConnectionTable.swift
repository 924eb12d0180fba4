import NIOCore
import Synchronization
import TimelineCore
import TimelineSystem
import TimelineWeb

/// Keeps the places of a server's connections, and closes connections to make room.
final class ConnectionTable: Sendable {
  private struct State {
    var places = ConnectionPlaces<ObjectIdentifier>()
    var channels: [ObjectIdentifier: any Channel] = [:]
    /// Whether a call of ``makeRoom(on:)`` is scheduled.
    var isTimerSet = false
  }

  private let state = Mutex(State())

  /// Adds a new connection.
  func arrive(_ channel: any Channel) {
    let id = ObjectIdentifier(channel)
    state.withLock { state in
      state.places.arrive(id, at: SystemTime.monotonic())
      state.channels[id] = channel
    }
    channel.closeFuture.whenComplete { _ in self.leave(id) }
    makeRoom(on: channel.eventLoop)
  }

  /// Marks a connection as that of a signed-in browser, or of a program with the token.
  func recognize(_ channel: any Channel) {
    state.withLock { $0.places.recognize(ObjectIdentifier(channel)) }
  }

  private func leave(_ id: ObjectIdentifier) {
    state.withLock { state in
      state.places.leave(id)
      state.channels[id] = nil
    }
  }

  /// Closes the connections that exceed the limit, and schedules the next check.
  private func makeRoom(on loop: any NIOCore.EventLoop) {
    let now = SystemTime.monotonic()
    let (closed, next) = state.withLock { state -> ([any Channel], MonotonicInstant?) in
      let closed = state.places.crowdedOut(at: now).compactMap { state.channels[$0] }
      guard !state.isTimerSet, let next = state.places.crowdedAt else { return (closed, nil) }
      state.isTimerSet = true
      return (closed, next)
    }
    for channel in closed { channel.close(promise: nil) }
    guard let next else { return }
    loop.scheduleTask(in: .nanoseconds(max(0, (next - now).nanoseconds))) {
      self.state.withLock { $0.isTimerSet = false }
      self.makeRoom(on: loop)
    }
  }
}
