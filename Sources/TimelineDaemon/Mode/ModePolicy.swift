import TimelineConfiguration
import TimelineCore
import TimelineSystem

/// Decision about the daemon's mode: an operator's choice first, then the configuration's, then the state of the machine.
///
/// Pressure has hysteresis, so that a machine at its threshold does not change its mode again and again: a resource asks for
/// low-frequency mode once it has been at its threshold or above for a time, and until it has been below the release for as long.
struct ModePolicy: Sendable {
  /// The mode and its cause.
  struct Decision: Sendable, Equatable {
    var mode: ScheduleMode
    var cause: ModeCause
    /// The cause in words.
    var reason: String
  }

  /// Pressure on one resource.
  fileprivate struct Pressure: Sendable {
    var isHigh = false
    /// First of the readings in a row that ask for a change.
    var since: MonotonicInstant?
  }

  private(set) var settings: ModeSettings
  /// The operator's choice.
  private(set) var choice: ModeChoice
  /// The cadence that the operator's choice of low-frequency mode came with: the one chosen, or that of the configuration then.
  private var chosenCadence: Cadence?
  /// Name of the battery that the machine runs on; empty where only the daemon before this one knew it.
  private var battery: String?
  private var pressures: [PressureResource: Pressure] = [:]

  /// Makes a policy. Until the first reading the machine counts as in the state that caused the `former` mode.
  ///
  /// The `cadence` counts with the choice of low-frequency mode.
  init(
    _ settings: ModeSettings, choice: ModeChoice = .auto, cadence: Cadence? = nil, former: ModeCause = .none
  ) {
    self.settings = settings
    self.choice = choice
    chosenCadence = choice == .lowFrequency ? cadence : nil
    if former == .battery { battery = "" }
    for resource in PressureResource.allCases where ModeCause(pressureOn: resource) == former {
      pressures[resource] = Pressure(isHigh: true)
    }
    forgetUnread()
  }

  /// Whether the mode depends on readings of the machine.
  var readsMachine: Bool { choice == .auto && settings.readsMachine }

  /// Takes in an operator's choice. While one is in force nothing is read.
  mutating func choose(_ choice: ModeChoice, cadence: LowFrequencyCadence? = nil) {
    self.choice = choice
    chosenCadence = choice == .lowFrequency ? (cadence ?? settings.lowFrequency.cadence).cadence : nil
    forgetUnread()
  }

  /// Takes in the settings of a new configuration.
  mutating func adopt(_ settings: ModeSettings) {
    self.settings = settings
    forgetUnread()
  }

  /// Takes in the state of the machine at an instant; nothing of a reading that began when the mode still depended on it.
  mutating func take(_ reading: MachineReading, at now: MonotonicInstant) {
    guard readsMachine else { return }
    battery = settings.lowFrequency.isForBattery ? reading.battery : nil
    for (resource, threshold) in settings.lowFrequency.thresholds {
      pressures[resource, default: Pressure()].take(
        reading.pressure[resource], threshold: threshold * 100, settings.lowFrequency, at: now)
    }
  }

  /// Forgets the state of what is not read any more: when it is read again, that is long ago.
  private mutating func forgetUnread() {
    let conditions = settings.lowFrequency
    if !readsMachine || !conditions.isForBattery { battery = nil }
    pressures = readsMachine ? pressures.filter { conditions.thresholds[$0.key] != nil } : [:]
  }

  /// The mode and its cause.
  var decision: Decision {
    if let mode = choice.mode {
      return Decision(mode: mode, cause: .operatorChoice, reason: "chosen by an operator")
    }
    if let mode = settings.choice.mode {
      return Decision(mode: mode, cause: .configuration, reason: "set by `mode` in the configuration")
    }
    let conditions = settings.lowFrequency
    if conditions.isForBattery, let battery {
      let name = battery.isEmpty ? "" : " (\(battery.printable))"
      return Decision(mode: .lowFrequency, cause: .battery, reason: "on battery\(name)")
    }
    for resource in PressureResource.allCases {
      guard let threshold = conditions.thresholds[resource], pressures[resource]?.isHigh == true else {
        continue
      }
      return Decision(
        mode: .lowFrequency, cause: ModeCause(pressureOn: resource),
        reason: "\(resource.rawValue) pressure at \(threshold)% or above for \(conditions.duration)")
    }
    let reason = conditions.hasConditions ? "no condition of `low-frequency` holds" : "the default"
    return Decision(mode: .normal, cause: .none, reason: reason)
  }

  /// The cadence that runs are told.
  var cadence: Cadence {
    decision.mode == .lowFrequency ? chosenCadence ?? settings.lowFrequency.cadence.cadence : .live
  }
}

extension ModePolicy.Pressure {
  /// Takes in a reading; a resource that cannot be read is under no pressure.
  fileprivate mutating func take(
    _ share: Int?, threshold: Int, _ conditions: LowFrequencySettings, at now: MonotonicInstant
  ) {
    guard let share else {
      self = ModePolicy.Pressure()
      return
    }
    let asksForChange =
      isHigh ? share * 100 < threshold * conditions.releasePercent : share >= threshold
    guard asksForChange else {
      since = nil
      return
    }
    let first = since ?? now
    since = first
    guard now - first >= conditions.duration else { return }
    isHigh.toggle()
    since = nil
  }
}
