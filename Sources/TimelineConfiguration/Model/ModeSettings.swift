package import TimelineCore

/// Settings of the daemon's mode: `mode` and `low-frequency` in `[daemon]`.
package struct ModeSettings: Sendable, Hashable {
  /// The mode, or `auto` if the mode depends on the conditions in ``lowFrequency``.
  package var choice = ModeChoice.auto
  /// The conditions of low-frequency mode, and its effect.
  package var lowFrequency = LowFrequencySettings()

  /// Makes the settings of an empty configuration: normal mode.
  package init() {}

  /// Whether the mode depends on the state of the machine.
  package var readsMachine: Bool { choice == .auto && lowFrequency.hasConditions }
}

/// Conditions of low-frequency mode, and its cadence: the table `low-frequency` in `[daemon]`.
package struct LowFrequencySettings: Sendable, Hashable {
  /// The cadence of runs in low-frequency mode.
  package var cadence = LowFrequencyCadence.minutes
  /// Whether a machine on battery is in low-frequency mode.
  package var isForBattery = false
  /// The pressure from which on the machine is in low-frequency mode, in percent from 1 to 100, by resource.
  package var thresholds: [PressureResource: Int] = [:]
  /// Time for which a resource must be at or above its threshold before the mode begins, and below the release value before
  /// it ends.
  package var duration = ElapsedTime.seconds(30)
  /// The release value, below which the pressure counts as over, in percent of the threshold.
  package var releasePercent = 50

  /// Makes the settings of an empty configuration: no condition.
  package init() {}

  /// Whether any condition is set.
  package var hasConditions: Bool { isForBattery || !thresholds.isEmpty }
}
