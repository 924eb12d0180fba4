package import TimelineCore

/// Settings of the daemon's mode: `mode` and `low-frequency` in `[daemon]`.
package struct ModeSettings: Sendable, Equatable {
  /// `auto` if the conditions in ``lowFrequency`` decide the mode.
  package var choice = ModeChoice.auto
  /// Conditions and effect of low-frequency mode.
  package var lowFrequency = LowFrequencySettings()

  /// Makes the settings of an empty configuration: `auto` without conditions, which is normal mode.
  package init() {}

  /// Whether the mode depends on the state of the machine.
  package var readsMachine: Bool { choice == .auto && lowFrequency.hasConditions }
}

/// Conditions of low-frequency mode, and its cadence: the table `low-frequency` in `[daemon]`.
package struct LowFrequencySettings: Sendable, Equatable {
  package var cadence = LowFrequencyCadence.minutes
  /// Whether low-frequency mode applies on battery.
  package var isForBattery = false
  /// Pressure at which low-frequency mode begins, in percent from 1 to 100, by resource.
  package var thresholds: [PressureResource: Int] = [:]
  /// Time for which a resource must be at or above its threshold before the mode begins, and below the release value
  /// before the mode ends.
  package var duration = ElapsedTime.seconds(30)
  /// The release value, in percent of the threshold. Pressure below this value counts as over.
  package var releasePercent = 50

  package init() {}

  package var hasConditions: Bool { isForBattery || !thresholds.isEmpty }
}
