import TimelineCore
import TimelineHostPool
import TimelineSystem
import TimelineSystemd

/// Sender of the daemon's messages to systemd. A separate thread sends them in order, because the manager's socket holds few
/// messages and a manager that hangs would delay every start.
struct ServiceNotifier: Sendable {
  /// The thread that sends; `nil` without `$NOTIFY_SOCKET`, or if no thread can be started.
  private let thread: OutboundThread?

  /// Makes a notifier. Without `$NOTIFY_SOCKET` nothing is sent; if no thread can be started, messages are sent on the caller's
  /// thread.
  init(environment: [String: String]) {
    isHeard = environment["NOTIFY_SOCKET"] != nil
    thread = isHeard ? try? OutboundThread(name: "timeline-notify") : nil
  }

  /// Whether messages are sent to systemd.
  let isHeard: Bool

  /// Reports that the service is up, or that a reload has ended.
  func ready(status: String) { say { _ = ServiceManager.ready(status: status) } }

  /// Reports that a reload has begun.
  func reloading() {
    let now = SystemTime.monotonic().nanosecondsSinceBoot / 1_000
    say { _ = ServiceManager.reloading(monotonicMicroseconds: now) }
  }

  /// Reports that the service is stopping.
  func stopping(status: String) { say { _ = ServiceManager.stopping(status: status) } }

  /// Replaces the line that `systemctl status` shows.
  func status(_ text: String) { say { _ = ServiceManager.status(text) } }

  /// Reports progress to the watchdog.
  func watchdog() { say { _ = ServiceManager.watchdog() } }

  /// Extends systemd's timeout. Returns `false` if messages are not sent to systemd.
  func extendTimeout(by time: Duration) -> Bool {
    say { _ = ServiceManager.extendTimeout(by: time) }
    return isHeard
  }

  /// Waits until all messages have been sent, but no longer than `limit`.
  func flush(atMost limit: ElapsedTime) { _ = thread?.flush(atMost: limit) }

  /// systemd's descriptor store. Its descriptors return through ``PassedDescriptor/takeAll()``.
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

  /// Largest size of a message in bytes: the size of a status line.
  private static let messageByteCount = 600

  private func say(_ hand: @escaping @Sendable () -> Void) {
    guard isHeard else { return }
    guard let thread else { return hand() }
    thread.put(byteCount: Self.messageByteCount, hand)
  }
}
