internal import CSystemd

/// Notifications from the daemon to systemd; without systemd they do nothing.
///
/// Each method returns whether systemd was notified. Without systemd (`$NOTIFY_SOCKET` is not set) the result is `false`, which
/// is not an error. systemd accepts messages only from processes that the unit's `NotifyAccess=` allows. Call the methods from
/// any thread, but not while another thread changes the environment.
package enum ServiceManager {
  /// Reports that the service is up, or a reload is over; `status` is one line for `systemctl status`. (sd_notify(3), `READY=1`)
  @discardableResult
  package static func ready(status: String) -> Bool {
    notify(["READY=1", statusLine(status)])
  }

  /// Reports that a reload has begun; ``ready(status:)`` ends the reload. (`RELOADING=1`)
  ///
  /// `monotonicMicroseconds` is CLOCK_MONOTONIC at this moment. For `Type=notify-reload` systemd uses it to match this
  /// notification to its own SIGHUP.
  @discardableResult
  package static func reloading(monotonicMicroseconds: Int64) -> Bool {
    notify(["RELOADING=1", "MONOTONIC_USEC=\(monotonicMicroseconds)"])
  }

  /// Reports that the service is stopping. (`STOPPING=1`)
  @discardableResult
  package static func stopping(status: String) -> Bool {
    notify(["STOPPING=1", statusLine(status)])
  }

  /// Replaces the line that `systemctl status` shows. (`STATUS=`)
  @discardableResult
  package static func status(_ status: String) -> Bool {
    notify([statusLine(status)])
  }

  /// Reports that the service has made progress; due at least once in ``watchdogInterval``. (`WATCHDOG=1`)
  @discardableResult
  package static func watchdog() -> Bool {
    notify(["WATCHDOG=1"])
  }

  /// Extends the timeout of the start, reload or stop that is under way to `time` from now.
  ///
  /// Call it again before that time has passed. It never shortens the timeout of the unit. (`EXTEND_TIMEOUT_USEC=`)
  @discardableResult
  package static func extendTimeout(by time: Duration) -> Bool {
    notify(["EXTEND_TIMEOUT_USEC=\(microseconds(of: time))"])
  }

  /// The longest time between two ``watchdog()`` calls that systemd accepts; call it twice as often. `nil` when
  /// systemd does not watch the service.
  package static var watchdogInterval: Duration? {
    var microseconds: UInt64 = 0
    guard unsafe sd_watchdog_enabled(0, &microseconds) > 0 else { return nil }
    return .microseconds(Int64(clamping: microseconds))
  }

  /// The longest status in bytes: a line for people; systemd refuses datagrams that are far longer.
  static let statusBytesMax = 512

  static func notify(_ assignments: [String]) -> Bool {
    unsafe sd_notify(0, assignments.joined(separator: "\n")) > 0
  }

  /// Replaces control characters with spaces, so that a status cannot contain another assignment.
  private static func statusLine(_ status: String) -> String {
    var line = "STATUS="
    for scalar in status.unicodeScalars {
      let safe = scalar.value < 0x20 || scalar.value == 0x7F ? " " : scalar
      guard line.utf8.count + UTF8.width(safe) <= statusBytesMax else { break }
      line.unicodeScalars.append(safe)
    }
    return line
  }

  private static func microseconds(of time: Duration) -> Int64 {
    let (seconds, attoseconds) = time.components
    let (product, overflow) = max(seconds, 0).multipliedReportingOverflow(by: 1_000_000)
    return overflow ? .max : product + max(attoseconds, 0) / 1_000_000_000_000
  }
}
