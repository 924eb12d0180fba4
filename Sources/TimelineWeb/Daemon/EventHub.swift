import Synchronization

/// Hands texts to those who listen: one stream for each open page.
package final class EventHub: Sendable {
  private struct State {
    var listeners: [Int: AsyncStream<String>.Continuation] = [:]
    var lastNumber = 0
  }

  private let state = Mutex(State())

  /// Texts that wait for a page: a burst of events. One that does not keep up misses the oldest, and learns of the newest.
  private static let waitingMax = 64

  /// Makes a hub that nobody listens to.
  package init() {}

  /// The texts from now on; `nil` where too many listen already. A listener that lets go of the stream is forgotten.
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

  /// Hands a text to all who listen.
  package func publish(_ text: String) {
    for listener in state.withLock({ Array($0.listeners.values) }) { listener.yield(text) }
  }
}
