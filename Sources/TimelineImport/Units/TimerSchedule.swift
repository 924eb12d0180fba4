import TimelineConfiguration
import TimelineCore

/// The schedule of a timer.
struct TimerSchedule {
  /// The value of `schedule` as TOML; `nil` where nothing is left.
  private(set) var text: String?
  /// Rules of OnCalendar=.
  private(set) var calendars: [String] = []
  /// Whether there are times that count from an event.
  private(set) var isMonotonic = false
  /// Notes about settings, by their keys.
  private(set) var differences: [(key: String, note: String)] = []
  private(set) var refusals: [(key: String, note: String)] = []

  /// Makes the schedule of a timer whose specifiers are replaced.
  init(_ timer: UnitFile) {
    var kinds: [[(key: String, text: String)]] = []
    for rule in timer.list("Timer", "OnCalendar") {
      do throws(TextError) {
        _ = try CalendarExpression(parsing: rule)
        calendars.append(rule)
        kinds.append([("calendar", TOMLText.string(rule))])
      } catch {
        refusals.append(("OnCalendar", "\(error.reason): correct the rule"))
      }
    }
    var events = Set<String>()
    for key in ["OnBootSec", "OnStartupSec", "OnUnitActiveSec", "OnUnitInactiveSec", "OnActiveSec"] {
      for value in timer.list("Timer", key) {
        guard let kind = kind(key, value) else { continue }
        if events.insert(key + value).inserted { kinds.append(kind) }
      }
    }
    finish(kinds, timer)
  }

  private mutating func kind(_ key: String, _ value: String) -> [(key: String, text: String)]? {
    guard let span = UnitTimespan.parse(value) else {
      refusals.append((key, "`\(value)` is no time span: correct it"))
      return nil
    }
    isMonotonic = true
    switch key {
    case "OnBootSec", "OnStartupSec":
      let delay = span > .zero ? [("delay", TOMLText.string("\(span)"))] : []
      return [("cron", TOMLText.string("@reboot"))] + delay
    case "OnUnitActiveSec", "OnUnitInactiveSec":
      guard span > .zero else {
        refusals.append((key, "it has no length: give it one"))
        return nil
      }
      differences.append(
        (
          key,
          key == "OnUnitActiveSec"
            ? "it counts from a fixed instant and not from the last start"
            : "it counts from a fixed instant and not from the end of the last run"
        ))
      return [("periodic", TOMLText.table([("by", TOMLText.string("\(span)"))]))]
    default:
      refusals.append(
        (key, "there is no start of a timer to count from: run timelinectl trigger, or use `explicit`"))
      return nil
    }
  }

  private mutating func finish(_ kinds: [[(key: String, text: String)]], _ timer: UnitFile) {
    guard let first = kinds.first else { return }
    var keys = first
    if kinds.count > 1 { keys = [("any", "[" + kinds.map(TOMLText.table).joined(separator: ", ") + "]")] }
    if let value = timer.value("Timer", "RandomizedDelaySec"), let span = UnitTimespan.parse(value),
      span > .zero
    {
      keys.append(("jitter", TOMLText.string("\(span)")))
      if timer.isTrue("Timer", "FixedRandomDelay") { keys.append(("offset", TOMLText.string("hash"))) }
    }
    text = TOMLText.table(keys)
    if timer.isTrue("Timer", "WakeSystem") {
      differences.append(("WakeSystem", "the machine is not woken"))
    }
    for key in ["OnClockChange", "OnTimezoneChange"] where timer.isTrue("Timer", key) {
      refusals.append(
        (key, "a change of the clock or of its zone is no entry of a schedule: keep a timer for it"))
    }
  }

  /// Settings of `[Timer]` that are part of the schedule, or have no effect on it.
  static let knownKeys: Set<String> = [
    "OnCalendar", "OnBootSec", "OnStartupSec", "OnUnitActiveSec", "OnUnitInactiveSec", "OnActiveSec",
    "RandomizedDelaySec", "FixedRandomDelay", "AccuracySec", "Persistent", "WakeSystem", "OnClockChange",
    "OnTimezoneChange", "Unit",
    "RemainAfterElapse",
  ]
}
