import TimelineConfiguration
import TimelineCore

/// The schedule of a timer.
struct TimerSchedule {
  /// The value of `schedule` as TOML; `nil` if no times are left.
  private(set) var text: String?
  /// Rules of OnCalendar=.
  private(set) var calendars: [String] = []
  /// Whether there are times relative to an event.
  private(set) var isMonotonic = false
  /// Differences of the schedule from single settings.
  private(set) var differences: [(setting: UnitFile.Setting, note: String)] = []
  private(set) var refusals: [(setting: UnitFile.Setting, note: String)] = []
  /// Remarks about settings that are carried without a difference.
  private(set) var remarks: [(setting: UnitFile.Setting, note: String)] = []

  private let context: ImportContext

  /// Makes the schedule of a timer whose specifiers have been replaced.
  init(_ timer: UnitFile, in context: ImportContext) {
    self.context = context
    var kinds: [[(key: String, text: String)]] = []
    for setting in timer.settings
    where setting.section == "Timer" && Self.timeKeys.contains(setting.key) {
      if setting.value.isEmpty {
        // An empty value resets the times of all keys (systemd.timer(5)).
        (kinds, calendars, isMonotonic, differences, refusals) = ([], [], false, [], [])
      } else if kinds.count == ComposedSchedule.memberCountMax {
        refusals.append((setting, "a job has at most \(kinds.count) rules: divide the timer"))
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
      let zone = try CalendarExpression(parsing: setting.value).zoneName
      if let zone, !context.isZone(zone) {
        let remedy = context.remedy(forZone: zone)
        refusals.append((setting, "`\(setting.value)`: there is no time zone \"\(zone)\": \(remedy)"))
        return nil
      }
      calendars.append(setting.value)
      return [("calendar", TOMLText.string(setting.value))]
    } catch {
      let help = RuleHelp.calendar(setting.value, error)
      let remedy = help.isEmpty ? "correct the rule" : help.joined(separator: "; ")
      refusals.append((setting, "`\(setting.value)` is not a calendar rule: \(error.reason): \(remedy)"))
      return nil
    }
  }

  private mutating func kind(_ setting: UnitFile.Setting) -> [(key: String, text: String)]? {
    let key = setting.key
    guard let span = UnitTimespan.parse(setting.value) else {
      refusals.append((setting, "`\(setting.value)` is no time span: correct it"))
      return nil
    }
    guard span <= ConfigurationLimits.elapsedMax else {
      refusals.append((setting, "a job has at most \(ConfigurationLimits.elapsedMax): shorten it"))
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
      guard span >= ConfigurationLimits.intervalMin else {
        refusals.append(
          (
            setting,
            span > .zero
              ? "a job has at least \(ConfigurationLimits.intervalMin): lengthen it"
              : "it has no length: give it one"
          ))
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
    for setting in timer.settings where setting.section == "Timer" { note(setting, timer) }
    guard let first = kinds.first else { return }
    var keys = first
    if kinds.count > 1 {
      // OnBootSec= and OnStartupSec= may have the same value.
      var seen: Set<String> = []
      let members = kinds.map(TOMLText.table).filter { seen.insert($0).inserted }
      if members.count > 1 { keys = [("any", "[" + members.joined(separator: ", ") + "]")] }
    }
    text = TOMLText.table(keys + delays(timer))
  }

  /// Returns the keys for the delay of each time. systemd adds a random and a fixed delay.
  private func delays(_ timer: UnitFile) -> [(key: String, text: String)] {
    let random = timer.span("Timer", "RandomizedDelaySec") ?? .zero
    let fixed = timer.span("Timer", "RandomizedOffsetSec") ?? .zero
    let (sum, overflow) = random.nanoseconds.addingReportingOverflow(fixed.nanoseconds)
    guard sum > 0, !overflow else { return [] }
    let isFixed = random == .zero || timer.isTrue("Timer", "FixedRandomDelay")
    let jitter = min(ElapsedTime(nanoseconds: sum), ConfigurationLimits.elapsedMax)
    return [("jitter", TOMLText.string("\(jitter)"))]
      + (isFixed ? [("offset", TOMLText.string("hash"))] : [])
  }

  private mutating func note(_ setting: UnitFile.Setting, _ timer: UnitFile) {
    let isHeld = timer.setting("Timer", setting.key) == setting
    switch setting.key {
    case "WakeSystem" where isHeld && timer.isTrue("Timer", setting.key):
      differences.append((setting, "the machine is not woken"))
    case "OnClockChange" where isHeld && timer.isTrue("Timer", setting.key),
      "OnTimezoneChange" where isHeld && timer.isTrue("Timer", setting.key):
      refusals.append(
        (setting, "a change of the clock or of its zone is no entry of a schedule: keep a timer for it"))
    case "DeferReactivation" where isHeld:
      remarks.append((setting, "systemd reads it since version 257, and an older one ignores it"))
    case "RandomizedDelaySec", "RandomizedOffsetSec":
      if !setting.value.isEmpty, UnitTimespan.parse(setting.value) == nil {
        differences.append((setting, "`\(setting.value)` is no time span: systemd ignores the line"))
      } else if setting.key == "RandomizedOffsetSec", isHeld {
        noteOffset(setting, timer)
      }
    default: break
    }
  }

  private mutating func noteOffset(_ setting: UnitFile.Setting, _ timer: UnitFile) {
    remarks.append((setting, "systemd reads it since version 258, and an older one ignores it"))
    let random = timer.span("Timer", "RandomizedDelaySec") ?? .zero
    if random > .zero, !timer.isTrue("Timer", "FixedRandomDelay") {
      differences.append(
        (setting, "the fixed delay and that of RandomizedDelaySec= are one delay, drawn for each entry"))
    }
  }

  /// Settings of `[Timer]` that are part of the schedule, or that have no effect on it.
  static let knownKeys = timeKeys.union([
    "RandomizedDelaySec", "RandomizedOffsetSec", "FixedRandomDelay", "AccuracySec", "Persistent",
    "WakeSystem", "OnClockChange", "OnTimezoneChange", "Unit", "RemainAfterElapse", "DeferReactivation",
  ])

  static let timeKeys: Set<String> = [
    "OnCalendar", "OnBootSec", "OnStartupSec", "OnUnitActiveSec", "OnUnitInactiveSec", "OnActiveSec",
  ]
}
