import Synchronization

/// Publishes texts to listeners: one stream for each open page.
package final class EventHub: Sendable {
  private struct State {
    var listeners: [Int: AsyncStream<String>.Continuation] = [:]
    var lastNumber = 0
  }

  private let state = Mutex(State())

  /// Maximum number of texts that wait for one page: a burst of events. A page that is too slow misses the oldest
  /// texts and receives the newest.
  private static let waitingMax = 64

  package init() {}

  /// Returns the texts from now on; `nil` if there are too many listeners. A listener is removed when it drops the
  /// stream.
  package func listen() -> AsyncStream<String>? {
    let (stream, continuation) = AsyncStream<String>.makeStream(
      bufferingPolicy: .bufferingNewest(Self.waitingMax))
    let number = state.withLock { state -> Int? in
      guard state.listeners.count < WebLimits.eventStreamsMax else { return nil }
      state.lastNumber += 1
      state.listeners[state.lastNumber] = continuation
      return state.lastNumber
    }
    guard let number else { return nil }
    continuation.onTermination = { [weak self] _ in
      _ = self?.state.withLock { $0.listeners.removeValue(forKey: number) }
    }
    return stream
  }

  /// Publishes a text to all listeners.
  package func publish(_ text: String) {
    for listener in state.withLock({ Array($0.listeners.values) }) { listener.yield(text) }
  }
}
