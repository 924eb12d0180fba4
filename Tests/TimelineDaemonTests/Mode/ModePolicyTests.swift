import Testing
import TimelineConfiguration
import TimelineCore
import TimelineSystem

@testable import TimelineDaemon

@Suite struct `The policy of the mode` {
  /// Settings with thresholds of 60 % for processors and 10 % for memory, for 30 s.
  private static func settings(
    _ choice: ModeChoice = .auto, isForBattery: Bool = true, release: Int = 50, duration: Int64 = 30
  ) -> ModeSettings {
    var settings = ModeSettings()
    settings.choice = choice
    settings.lowFrequency.isForBattery = isForBattery
    settings.lowFrequency.thresholds = [.cpu: 60, .memory: 10]
    settings.lowFrequency.releasePercent = release
    settings.lowFrequency.duration = .seconds(duration)
    return settings
  }

  private static func at(_ seconds: Int64) -> MonotonicInstant {
    MonotonicInstant(nanosecondsSinceBoot: seconds * 1_000_000_000)
  }

  private static func reading(cpu: Int? = nil, memory: Int? = nil, battery: String? = nil) -> MachineReading {
    var reading = MachineReading(battery: battery)
    reading.pressure[.cpu] = cpu
    reading.pressure[.memory] = memory
    return reading
  }

  /// Pressure of processors in hundredths of a percent, reading by reading 5 s apart, and what the policy decides after each: H for
  /// low-frequency because the pressure is high, a dot for normal.
  static let pictures: [(readings: [Int?], release: Int, duration: Int64, decisions: String)] = [
    // At the threshold, for 30 s: seven readings.
    ([6_000, 6_000, 6_000, 6_000, 6_000, 6_000, 6_000, 6_000], 50, 30, "......HH"),
    // Below the threshold once, and the time starts again.
    ([6_000, 6_000, 6_000, 5_999, 6_000, 6_000, 6_000, 6_000], 50, 15, ".......H"),
    // Between release and threshold it stays as it is.
    ([10_000, 10_000, 3_000, 5_999, 3_000, 2_999, 2_999, 2_999], 50, 5, ".HHHHH.."),
    // One reading is enough for no time.
    ([6_000, 5_000, 6_000, 5_000], 100, 0, "H.H."),
    // A resource that cannot be read is under no pressure.
    ([9_000, 9_000, nil, 9_000, 9_000], 50, 5, ".H..H"),
  ]

  @Test(arguments: pictures.indices)
  func `has hysteresis`(index: Int) {
    let row = Self.pictures[index]
    var policy = ModePolicy(Self.settings(release: row.release, duration: row.duration))
    var decisions = ""
    for (number, share) in row.readings.enumerated() {
      policy.take(Self.reading(cpu: share), at: Self.at(Int64(number) * 5))
      #expect(policy.decision.mode == (policy.decision.cause == .cpuPressure ? .lowFrequency : .normal))
      decisions += policy.decision.cause == .cpuPressure ? "H" : "."
    }
    #expect(decisions == row.decisions)
  }

  /// Choices and readings, and the decision that follows.
  static let rows:
    [(
      choice: ModeChoice, configured: ModeChoice, reading: MachineReading, cause: ModeCause, reason: String
    )] = [
      (.auto, .auto, reading(), .none, "no condition of `low-frequency` holds"),
      (.auto, .auto, reading(battery: "BAT0"), .battery, "on battery (BAT0)"),
      (.auto, .auto, reading(cpu: 9_000, battery: "BAT0"), .battery, "on battery (BAT0)"),
      (.auto, .auto, reading(cpu: 9_000), .cpuPressure, "cpu pressure at 60% or above for 0s"),
      (
        .auto, .auto, reading(cpu: 5_999, memory: 1_000), .memoryPressure,
        "memory pressure at 10% or above for 0s"
      ),
      (.auto, .lowFrequency, reading(), .configuration, "set by `mode` in the configuration"),
      (.auto, .normal, reading(battery: "BAT0"), .configuration, "set by `mode` in the configuration"),
      (.normal, .lowFrequency, reading(), .operatorChoice, "chosen by an operator"),
      (.lowFrequency, .normal, reading(), .operatorChoice, "chosen by an operator"),
    ]

  @Test(arguments: rows.indices)
  func `puts the operator first, then the configuration, then the machine`(index: Int) {
    let row = Self.rows[index]
    var policy = ModePolicy(Self.settings(row.configured, duration: 0), choice: row.choice)
    policy.take(row.reading, at: Self.at(0))
    let mode =
      row.choice.mode ?? row.configured.mode ?? (row.cause == .none ? ScheduleMode.normal : .lowFrequency)
    #expect(policy.decision == ModePolicy.Decision(mode: mode, cause: row.cause, reason: row.reason))
    #expect(policy.cadence == (mode == .normal ? .live : .minutes))
    #expect(policy.readsMachine == (row.choice == .auto && row.configured == .auto))
  }

  @Test func `is normal and reads nothing without a condition`() {
    let policy = ModePolicy(ModeSettings())
    #expect(!policy.readsMachine && policy.cadence == .live)
    #expect(policy.decision == ModePolicy.Decision(mode: .normal, cause: .none, reason: "the default"))
  }

  @Test func `continues from the state of the previous daemon, until the first reading`() {
    #expect(ModePolicy(Self.settings(), former: .battery).decision.reason == "on battery")
    #expect(ModePolicy(Self.settings(isForBattery: false), former: .battery).decision.mode == .normal)
    #expect(ModePolicy(Self.settings(), former: .ioPressure).decision.mode == .normal, "it has no threshold")
    var policy = ModePolicy(Self.settings(), former: .memoryPressure)
    #expect(policy.decision.cause == .memoryPressure)
    policy.take(Self.reading(memory: 0), at: Self.at(0))
    #expect(policy.decision.cause == .memoryPressure, "it has to be over for 30 s")
    policy.take(Self.reading(memory: 0), at: Self.at(30))
    #expect(policy.decision.cause == .none)
  }

  @Test func `forgets former pressure while an operator's choice is in force`() {
    var policy = ModePolicy(Self.settings())
    policy.take(Self.reading(cpu: 9_000), at: Self.at(0))
    policy.choose(.normal)
    policy.choose(.auto)
    policy.take(Self.reading(cpu: 9_000), at: Self.at(3_600))
    #expect(policy.decision.cause == .none)
    policy.take(Self.reading(cpu: 9_000), at: Self.at(3_630))
    #expect(policy.decision.cause == .cpuPressure)
  }

  /// Events between a reading on battery and the automatic mode again.
  static let interludes: [@Sendable (inout ModePolicy) -> Void] = [
    { $0.choose(.normal) },
    { $0.choose(.lowFrequency, cadence: .seconds) },
    { $0.adopt(settings(.normal)) },
    { $0.adopt(settings(isForBattery: false)) },
    {
      $0.adopt(settings(isForBattery: false))
      $0.take(reading(battery: "BAT0"), at: at(1))
    },
    {
      // The reading was under way when the operator chose the mode.
      $0.choose(.normal)
      $0.take(reading(battery: "BAT0"), at: at(1))
    },
  ]

  @Test(arguments: interludes.indices)
  func `forgets the battery while it is not read, until the next reading`(index: Int) {
    var policy = ModePolicy(Self.settings())
    policy.take(Self.reading(battery: "BAT0"), at: Self.at(0))
    #expect(policy.decision.cause == .battery)
    Self.interludes[index](&policy)
    policy.adopt(Self.settings())
    policy.choose(.auto)
    #expect(policy.decision.cause == .none)
    policy.take(Self.reading(battery: "BAT0"), at: Self.at(30))
    #expect(policy.decision.cause == .battery)
  }

  @Test func `applies a new configuration`() {
    var policy = ModePolicy(Self.settings(duration: 0))
    policy.take(Self.reading(cpu: 9_000), at: Self.at(0))
    #expect(policy.decision.cause == .cpuPressure)
    var settings = Self.settings()
    settings.lowFrequency.thresholds[.cpu] = nil
    settings.lowFrequency.cadence = .seconds
    policy.adopt(settings)
    #expect(policy.decision.cause == .none)
    policy.choose(.lowFrequency)
    #expect(policy.cadence == .seconds)
    settings.lowFrequency.cadence = .minutes
    policy.adopt(settings)
    #expect(policy.cadence == .seconds, "a choice keeps its cadence")
  }

  @Test func `keeps the chosen cadence until another mode is chosen`() {
    var policy = ModePolicy(ModeSettings())
    policy.choose(.lowFrequency, cadence: .seconds)
    #expect(policy.cadence == .seconds)
    policy.choose(.normal)
    #expect(policy.cadence == .live)
    policy.choose(.lowFrequency)
    #expect(policy.cadence == .minutes)
    #expect(ModePolicy(ModeSettings(), choice: .lowFrequency, cadence: .seconds).cadence == .seconds)
    #expect(ModePolicy(ModeSettings(), choice: .auto, cadence: .seconds).cadence == .live)
  }
}
