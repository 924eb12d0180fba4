/// Choice of the daemon's mode, in a configuration or by an operator.
package enum ModeChoice: String, Sendable, Hashable, CaseIterable {
  /// In a configuration, battery and pressure decide. As an operator's choice, the configuration decides.
  case auto
  case normal
  case lowFrequency = "low-frequency"

  /// The chosen mode; `nil` for ``auto``.
  package var mode: ScheduleMode? {
    switch self {
    case .auto: nil
    case .normal: .normal
    case .lowFrequency: .lowFrequency
    }
  }
}

/// Cause of the daemon's mode.
package enum ModeCause: String, Sendable, Hashable, CaseIterable {
  /// An operator chose the mode.
  case operatorChoice = "operator"
  /// The configuration fixes the mode.
  case configuration
  /// The machine runs on battery.
  case battery
  /// Work waits for a processor.
  case cpuPressure = "cpu-pressure"
  /// Work waits for memory.
  case memoryPressure = "memory-pressure"
  /// Work waits for a disk.
  case ioPressure = "io-pressure"
  /// No cause: normal mode.
  case none

  /// The cause by pressure on a resource.
  package init(pressureOn resource: PressureResource) {
    switch resource {
    case .cpu: self = .cpuPressure
    case .memory: self = .memoryPressure
    case .io: self = .ioPressure
    }
  }
}

/// Resource for which the kernel measures how long work waits: pressure stall information.
package enum PressureResource: String, Sendable, Hashable, CaseIterable {
  case cpu
  case memory
  /// Disks and other block devices.
  case io
}

/// Cadence of low-frequency mode, in a configuration or by an operator.
package enum LowFrequencyCadence: String, Sendable, Hashable, CaseIterable {
  /// About one update per second.
  case seconds
  /// About one update per minute.
  case minutes

  /// The cadence that runs receive.
  package var cadence: Cadence {
    switch self {
    case .seconds: .seconds
    case .minutes: .minutes
    }
  }
}

/// Mode and cadence of the daemon at one time, as runs receive them.
package struct CurrentMode: Sendable, Hashable {
  package var mode: ScheduleMode
  package var cadence: Cadence

  package init(_ mode: ScheduleMode, _ cadence: Cadence) {
    self.mode = mode
    self.cadence = cadence
  }
}
