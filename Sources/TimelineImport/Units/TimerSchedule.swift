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
  /// Notes about single settings.
  private(set) var differences: [(setting: UnitFile.Setting, note: String)] = []
  private(set) var refusals: [(setting: UnitFile.Setting, note: String)] = []

  /// Makes the schedule of a timer whose specifiers are replaced.
  init(_ timer: UnitFile) {
    var kinds: [[(key: String, text: String)]] = []
    for setting in timer.settings
    where setting.section == "Timer" && Self.timeKeys.contains(setting.key) {
      if setting.value.isEmpty {
        // An empty value forgets the times of all keys (systemd.timer(5)).
        (kinds, calendars, isMonotonic, differences, refusals) = ([], [], false, [], [])
      } else if let kind = setting.key == "OnCalendar"
        ? calendar(setting) : kind(setting)
      {
        kinds.append(kind)
      }
    }
    finish(kinds, timer)
  }

  private mutating func calendar(_ setting: UnitFile.Setting) -> [(key: String, text: String)]? {
    do throws(TextError) {
      _ = try CalendarExpression(parsing: setting.value)
      calendars.append(setting.value)
      return [("calendar", TOMLText.string(setting.value))]
    } catch {
      refusals.append((setting, "\(error.reason): correct the rule"))
      return nil
    }
  }

  private mutating func kind(_ setting: UnitFile.Setting) -> [(key: String, text: String)]? {
    let key = setting.key
    guard let span = UnitTimespan.parse(setting.value) else {
      refusals.append((setting, "`\(setting.value)` is no time span: correct it"))
      return nil
    }
    switch key {
    case "OnBootSec", "OnStartupSec", "OnActiveSec":
      if key == "OnActiveSec" {
        differences.append((setting, "it counts from the start of the machine, and not of the timer"))
      }
      isMonotonic = true
      let delay = span > .zero ? [("delay", TOMLText.string("\(span)"))] : []
      return [("cron", TOMLText.string("@reboot"))] + delay
    default:
      guard span > .zero else {
        refusals.append((setting, "it has no length: give it one"))
        return nil
      }
      differences.append(
        (
          setting,
          key == "OnUnitActiveSec"
            ? "it counts from a fixed instant and not from the last start"
            : "it counts from a fixed instant and not from the end of the last run"
        ))
      isMonotonic = true
      return [("periodic", TOMLText.table([("by", TOMLText.string("\(span)"))]))]
    }
  }

  private mutating func finish(_ kinds: [[(key: String, text: String)]], _ timer: UnitFile) {
    guard let first = kinds.first else { return }
    var keys = first
    if kinds.count > 1 {
      // OnBootSec= and OnStartupSec= may say the same.
      var seen: Set<String> = []
      let members = kinds.map(TOMLText.table).filter { seen.insert($0).inserted }
      if members.count > 1 { keys = [("any", "[" + members.joined(separator: ", ") + "]")] }
    }
    if let value = timer.value("Timer", "RandomizedDelaySec"), let span = UnitTimespan.parse(value),
      span > .zero
    {
      keys.append(("jitter", TOMLText.string("\(span)")))
      if timer.isTrue("Timer", "FixedRandomDelay") { keys.append(("offset", TOMLText.string("hash"))) }
    }
    text = TOMLText.table(keys)
    for setting in timer.settings where setting.section == "Timer" { note(setting, timer) }
  }

  private mutating func note(_ setting: UnitFile.Setting, _ timer: UnitFile) {
    switch setting.key {
    case "WakeSystem" where timer.isTrue("Timer", setting.key):
      differences.append((setting, "the machine is not woken"))
    case "OnClockChange" where timer.isTrue("Timer", setting.key),
      "OnTimezoneChange" where timer.isTrue("Timer", setting.key):
      refusals.append(
        (setting, "a change of the clock or of its zone is no entry of a schedule: keep a timer for it"))
    case "RandomizedDelaySec" where !setting.value.isEmpty && UnitTimespan.parse(setting.value) == nil:
      differences.append((setting, "`\(setting.value)` is no time span: the job has no jitter"))
    default: break
    }
  }

  /// Settings of `[Timer]` that are part of the schedule, or have no effect on it.
  static let knownKeys = timeKeys.union([
    "RandomizedDelaySec", "FixedRandomDelay", "AccuracySec", "Persistent", "WakeSystem", "OnClockChange",
    "OnTimezoneChange", "Unit", "RemainAfterElapse",
  ])

  private static let timeKeys: Set<String> = [
    "OnCalendar", "OnBootSec", "OnStartupSec", "OnUnitActiveSec", "OnUnitInactiveSec", "OnActiveSec",
  ]
}
