import TimelineConfiguration
import TimelineCore
import TimelineSystem

/// Rules of the daemon's mode: an operator's choice comes first, then the configuration's, then the state of the machine.
///
/// Pressure has hysteresis, so that a machine at its threshold does not change its mode again and again. A resource counts as
/// under pressure after it has been at its threshold or above for a time, and until it has been below the release level for the
/// same time.
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
    /// Instant of the first of the consecutive readings that call for a change.
    var since: MonotonicInstant?
  }

  private(set) var settings: ModeSettings
  /// The operator's choice.
  private(set) var choice: ModeChoice
  /// The cadence of the operator's choice of low-frequency mode: the chosen cadence, or the configuration's cadence at the time
  /// of the choice.
  private var chosenCadence: Cadence?
  /// Name of the battery that the machine runs on; empty if only the previous daemon has read it.
  private var battery: String?
  private var pressures: [PressureResource: Pressure] = [:]

  /// Makes a policy. Until the first reading, the machine is assumed to be in the state that caused the `former` mode.
  ///
  /// The `cadence` is used only with the choice of low-frequency mode.
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

  /// Applies an operator's choice. While a choice other than `auto` is in force, the machine is not read.
  mutating func choose(_ choice: ModeChoice, cadence: LowFrequencyCadence? = nil) {
    self.choice = choice
    chosenCadence = choice == .lowFrequency ? (cadence ?? settings.lowFrequency.cadence).cadence : nil
    forgetUnread()
  }

  /// Adopts the settings of a new configuration.
  mutating func adopt(_ settings: ModeSettings) {
    self.settings = settings
    forgetUnread()
  }

  /// Processes a reading of the machine at an instant. The reading is ignored if the mode no longer depends on the machine.
  mutating func take(_ reading: MachineReading, at now: MonotonicInstant) {
    guard readsMachine else { return }
    battery = settings.lowFrequency.isForBattery ? reading.battery : nil
    for (resource, threshold) in settings.lowFrequency.thresholds {
      pressures[resource, default: Pressure()].take(
        reading.pressure[resource], threshold: threshold * 100, settings.lowFrequency, at: now)
    }
  }

  /// Discards the state of conditions that are not read any more, because it would be outdated when the readings begin again.
  private mutating func forgetUnread() {
    let conditions = settings.lowFrequency
    if !readsMachine || !conditions.isForBattery { battery = nil }
    pressures = readsMachine ? pressures.filter { conditions.thresholds[$0.key] != nil } : [:]
  }

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

  /// The cadence that is passed to runs.
  var cadence: Cadence {
    decision.mode == .lowFrequency ? chosenCadence ?? settings.lowFrequency.cadence.cadence : .live
  }
}

extension ModePolicy.Pressure {
  /// Processes a reading. A resource that cannot be read counts as under no pressure.
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
