/// Distributor of events to all listeners; costs nothing while there are none.
///
/// A listener must not wait for anything, and may leave while it is called.
final class EventSubscribers {
  private var listeners: [Int: (DaemonEvent) -> Void] = [:]
  private var number = 0

  /// Number of listeners.
  var count: Int { listeners.count }

  /// Tells `listener` of everything from now on; give the number that is returned to ``leave(_:)``.
  func listen(_ listener: @escaping (DaemonEvent) -> Void) -> Int {
    number += 1
    listeners[number] = listener
    return number
  }

  /// Tells a listener nothing more.
  func leave(_ number: Int) {
    listeners[number] = nil
  }

  /// Tells everybody, those first who have listened longest.
  func tell(_ event: @autoclosure () -> DaemonEvent) { tell { event() } }

  /// Tells everybody what `event` gives, if that is anything.
  func tell(_ event: () -> DaemonEvent?) {
    guard !listeners.isEmpty, let event = event() else { return }
    for number in listeners.keys.sorted() { listeners[number]?(event) }
  }
}
