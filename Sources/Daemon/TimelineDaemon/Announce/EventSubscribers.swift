/// Distributor of events to all listeners. Without listeners no event is made.
///
/// A listener must not block. It may be removed while it is called.
final class EventSubscribers {
  private var listeners: [Int: (DaemonEvent) -> Void] = [:]
  private var number = 0

  var count: Int { listeners.count }

  /// Adds a listener. Returns the number by which ``leave(_:)`` removes the listener.
  func listen(_ listener: @escaping (DaemonEvent) -> Void) -> Int {
    number += 1
    listeners[number] = listener
    return number
  }

  /// Removes a listener.
  func leave(_ number: Int) {
    listeners[number] = nil
  }

  /// Delivers an event to all listeners, in the order in which they were added.
  func tell(_ event: @autoclosure () -> DaemonEvent) { tell { event() } }

  /// Delivers the event that `event` returns, if any. Without listeners `event` is not called.
  func tell(_ event: () -> DaemonEvent?) {
    guard !listeners.isEmpty, let event = event() else { return }
    for number in listeners.keys.sorted() { listeners[number]?(event) }
  }
}
