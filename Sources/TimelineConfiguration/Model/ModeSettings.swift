package import TimelineCore

/// Settings of the daemon's mode: `mode` and `low-frequency` in `[daemon]`.
package struct ModeSettings: Sendable, Hashable {
  /// The mode, or that it depends on the conditions in ``lowFrequency``.
  package var choice = ModeChoice.auto
  /// The conditions of low-frequency mode, and what it means.
  package var lowFrequency = LowFrequencySettings()

  /// Makes the settings of an empty configuration: normal mode.
  package init() {}

  /// Whether the mode depends on the state of the machine.
  package var readsMachine: Bool { choice == .auto && lowFrequency.hasConditions }
}

/// Conditions of low-frequency mode, and its cadence: the table `low-frequency` in `[daemon]`.
package struct LowFrequencySettings: Sendable, Hashable {
  /// The cadence that runs are told in low-frequency mode.
  package var cadence = LowFrequencyCadence.minutes
  /// Whether a machine on battery is in low-frequency mode.
  package var isForBattery = false
  /// The pressure from which on a machine is in low-frequency mode, in percent from 1 to 100, by resource.
  package var thresholds: [PressureResource: Int] = [:]
  /// Time for which a resource must be at its threshold or above, and afterwards below the release.
  package var duration = ElapsedTime.seconds(30)
  /// Share of the threshold below which the pressure counts as over, in percent.
  package var releasePercent = 50

  /// Makes the settings of an empty configuration: no condition.
  package init() {}

  /// Whether there is a condition.
  package var hasConditions: Bool { isForBattery || !thresholds.isEmpty }
}
