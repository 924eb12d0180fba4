/// The effect of an assignment without a value (`KEY=`) in a unit, as `systemd --test` of systemd 252 shows it.
///
/// | settings | `KEY=` |
/// |---|---|
/// | booleans, time spans, modes, resource limits, words such as `Type=` | is an error: the line is ignored |
/// | dependencies, for example `OnFailure=` | adds nothing |
/// | `Unit=` of a timer | is ignored, as is each further one |
/// | `Condition…=` | resets all conditions |
/// | `IOSchedulingClass=`, `IOSchedulingPriority=` | resets both |
/// | times of a timer | reset all times |
/// | others | reset the setting |
enum EmptyAssignment {
  private static let ignoredKeys: Set<String> = [
    "RandomizedDelaySec", "RandomizedOffsetSec", "AccuracySec", "Persistent", "FixedRandomDelay",
    "WakeSystem",
    "RemainAfterElapse", "DeferReactivation", "OnClockChange", "OnTimezoneChange", "Unit",
    "Type", "UMask", "NoNewPrivileges", "Restart", "RestartSec", "RuntimeMaxSec", "StandardOutput",
    "StandardError", "OnFailure", "OnSuccess", "After", "Before", "Wants", "Requires",
  ]

  /// Whether an empty assignment to `key` has no effect.
  static func isIgnored(_ key: String) -> Bool {
    ignoredKeys.contains(key) || key.hasPrefix("Limit") || key.hasPrefix("Timeout")
  }

  /// Whether an empty assignment to `key` resets the values of `other`.
  static func resets(_ key: String, _ other: String) -> Bool {
    guard !isIgnored(key) else { return false }
    return key == other
      || ["Condition", "IOScheduling"].contains { key.hasPrefix($0) && other.hasPrefix($0) }
      || TimerSchedule.timeKeys.isSuperset(of: [key, other])
  }
}
