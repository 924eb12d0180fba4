import TimelineCore
import TimelineHostPool
import TimelineSystem
import TimelineSystemd

/// The daemon's line to systemd: what it says is sent by a thread of its own, in order, for the manager's socket holds few messages
/// and a manager that hangs would hold up every start.
struct ServiceNotifier: Sendable {
  /// `nil` where nobody listens.
  private let thread: OutboundThread?

  /// Makes the line; without `$NOTIFY_SOCKET` there is none, and without a thread messages are sent where they are said.
  init(environment: [String: String]) {
    isHeard = environment["NOTIFY_SOCKET"] != nil
    thread = isHeard ? try? OutboundThread(name: "timeline-notify") : nil
  }

  /// Whether systemd listens.
  let isHeard: Bool

  /// The service is up, or a reload is over.
  func ready(status: String) { say { _ = ServiceManager.ready(status: status) } }

  /// A reload has begun.
  func reloading() {
    let now = SystemTime.monotonic().nanosecondsSinceBoot / 1_000
    say { _ = ServiceManager.reloading(monotonicMicroseconds: now) }
  }

  /// The service is on its way down.
  func stopping(status: String) { say { _ = ServiceManager.stopping(status: status) } }

  /// Replaces the line that `systemctl status` shows.
  func status(_ text: String) { say { _ = ServiceManager.status(text) } }

  /// The service has made progress.
  func watchdog() { say { _ = ServiceManager.watchdog() } }

  /// Asks for patience; whether there is somebody to ask.
  func extendTimeout(by time: Duration) -> Bool {
    say { _ = ServiceManager.extendTimeout(by: time) }
    return isHeard
  }

  /// Waits until all has been said, but no longer than `limit`.
  func flush(atMost limit: ElapsedTime) { _ = thread?.flush(atMost: limit) }

  /// systemd's descriptor store; what it keeps comes back through ``PassedDescriptor/takeAll()``.
  var keeper: HostDescriptorStore {
    HostDescriptorStore(
      keep: { [thread] numbers, name in
        guard let thread else { return DescriptorStore.store(numbers, name: name) }
        guard DescriptorStore.isValid(name), let copies = try? DescriptorCopies(of: numbers) else {
          return false
        }
        return thread.put(byteCount: Self.messageByteCount) {
          DescriptorStore.store(copies.numbers, name: name)
        }
      },
      forget: { name in say { DescriptorStore.remove(name: name) } })
  }

  /// A status line is the longest message.
  private static let messageByteCount = 600

  private func say(_ hand: @escaping @Sendable () -> Void) {
    guard isHeard else { return }
    guard let thread else { return hand() }
    thread.put(byteCount: Self.messageByteCount, hand)
  }
}
