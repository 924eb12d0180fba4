internal import CSystemd

/// Notifications from the daemon to systemd: five verbs, which do nothing where there is no systemd.
///
/// Every verb returns whether systemd was notified: `false` also without systemd (`$NOTIFY_SOCKET` is not set), which
/// is no error. systemd takes messages only from processes that the unit's `NotifyAccess=` allows. Call the verbs
/// from any thread, but not while another changes the environment.
package enum ServiceManager {
  /// The service is up, or a reload is over; `status` is one line for `systemctl status`. (sd_notify(3), `READY=1`)
  @discardableResult
  package static func ready(status: String) -> Bool {
    notify(["READY=1", statusLine(status)])
  }

  /// A reload has begun; ``ready(status:)`` ends it. (`RELOADING=1`)
  ///
  /// `monotonicMicroseconds` is CLOCK_MONOTONIC at this moment: `Type=notify-reload` uses it to tell whether the answer is
  /// to its own SIGHUP.
  @discardableResult
  package static func reloading(monotonicMicroseconds: Int64) -> Bool {
    notify(["RELOADING=1", "MONOTONIC_USEC=\(monotonicMicroseconds)"])
  }

  /// The service is on its way down. (`STOPPING=1`)
  @discardableResult
  package static func stopping(status: String) -> Bool {
    notify(["STOPPING=1", statusLine(status)])
  }

  /// Replaces the line that `systemctl status` shows. (`STATUS=`)
  @discardableResult
  package static func status(_ status: String) -> Bool {
    notify([statusLine(status)])
  }

  /// The service has made progress; due at least once in ``watchdogInterval``. (`WATCHDOG=1`)
  @discardableResult
  package static func watchdog() -> Bool {
    notify(["WATCHDOG=1"])
  }

  /// Asks for `time` from now before systemd loses patience with a start, a reload or a stop that is under way.
  ///
  /// Ask again before it is over. It never shortens what the unit allows. (`EXTEND_TIMEOUT_USEC=`)
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

  /// A status cannot smuggle in another assignment: every control character becomes a space.
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
