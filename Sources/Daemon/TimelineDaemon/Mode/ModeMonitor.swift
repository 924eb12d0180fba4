import TimelineConfiguration
import TimelineCore
import TimelineLedger
import TimelineSystem

/// Monitor of the daemon's mode: reads the state of the machine if the mode depends on it, and reports each change.
///
/// Readings are made on a separate thread, one at a time. If the configuration has no condition, or an operator has chosen the
/// mode, there are no readings, and nothing wakes the daemon.
final class ModeMonitor {
  /// The mode in force, with its cause.
  private(set) var current: ModeChange
  /// Called for each change of the mode or of its cause.
  private var changed: (ModeChange) -> Void = { _ in }

  private let loop: EventLoop
  private let announcer: Announcer
  /// Prefix of the kernel's paths; empty except in tests.
  private let root: String
  private let now: () -> WallInstant
  private var policy: ModePolicy
  private var by: Operator?
  private var reading: DetachedWork<MachineReading>?
  private var timer: Delay?
  /// The complaints that were logged.
  private var complaints: Set<String> = []
  private var isEnded = false

  /// Time from one reading to the next with a threshold of pressure: the kernel's average is over 10 s.
  private static let pressureInterval = ElapsedTime.seconds(5)
  /// Time from one reading to the next with the battery alone: the change is not urgent, and each reading wakes a processor.
  private static let batteryInterval = ElapsedTime.seconds(30)

  /// Makes a monitor that continues from the last change of the `former` daemon.
  init(
    _ settings: ModeSettings, former: ModeChange?, loop: EventLoop, announcer: Announcer, root: String,
    now: @escaping () -> WallInstant
  ) {
    self.loop = loop
    self.announcer = announcer
    self.root = root
    self.now = now
    policy = ModePolicy(
      settings, choice: former?.choice ?? .auto, cadence: former?.cadence, former: former?.cause ?? .none)
    by = former?.by
    let decided = policy.change(at: now(), by: by)
    current = former?.followed(by: decided) ?? decided
  }

  /// Sets what is called for each change.
  func whenChanged(_ handler: @escaping (ModeChange) -> Void) { changed = handler }

  /// Begins to read the machine, if the mode depends on it.
  func begin() { readMachine() }

  /// Adopts the settings of a new configuration.
  func adopt(_ settings: ModeSettings) {
    policy.adopt(settings)
    decide()
    readMachine()
  }

  /// Applies an operator's choice, and reads the machine at once if the mode depends on it again.
  func choose(_ choice: ModeChoice, _ cadence: LowFrequencyCadence?, by: Operator) {
    let former = (policy.choice, policy.cadence)
    policy.choose(choice, cadence: cadence)
    // A repeated choice stays attributed to the first operator, like a pause.
    if former != (policy.choice, policy.cadence) { self.by = by }
    decide()
    readMachine()
  }

  /// Ends all readings.
  func end() {
    isEnded = true
    timer?.cancel()
    reading = nil
  }

  private func decide() {
    let change = policy.change(at: now(), by: by)
    let isOther = change.isOther(than: current)
    current = current.followed(by: change)
    if isOther { changed(current) }
  }

  private func readMachine() {
    timer?.cancel()
    timer = nil
    guard !isEnded, policy.readsMachine else { return }
    let conditions = policy.settings.lowFrequency
    let interval = conditions.thresholds.isEmpty ? Self.batteryInterval : Self.pressureInterval
    timer = loop.after(interval) { [weak self] in self?.readMachine() }
    // No reading begins while another reading hangs, because the new one would hang, too.
    guard reading == nil else { return }
    do throws(SystemError) {
      reading = try DetachedWork(name: "timeline-mode", loop: loop) { [root] in
        MachineReading.read(for: conditions, below: root)
      } completion: { [weak self] reading in
        self?.take(reading)
      }
    } catch {
      complain("\(error)")
    }
  }

  private func take(_ reading: MachineReading) {
    self.reading = nil
    guard !isEnded else { return }
    for complaint in reading.complaints { complain("\(complaint): this condition is ignored") }
    policy.take(reading, at: SystemTime.monotonic())
    decide()
  }

  /// Logs why a condition of the mode cannot be checked, once for each reason.
  private func complain(_ text: String) {
    guard complaints.insert(text).inserted else { return }
    announcer.announce(.warning, "low-frequency mode: \(text)")
  }
}

extension ModePolicy {
  /// Returns the decision as a change at an instant; `by` is the operator who made the choice, if any.
  fileprivate func change(at now: WallInstant, by: Operator?) -> ModeChange {
    let decision = decision
    return ModeChange(
      at: now, mode: decision.mode, cadence: cadence, choice: choice, cause: decision.cause,
      reason: decision.reason, by: choice == .auto ? nil : by)
  }
}

extension ModeChange {
  /// Whether the change differs from `other` in more than its instant, its reason and its operator.
  func isOther(than other: ModeChange) -> Bool {
    (mode, cadence, choice, cause) != (other.mode, other.cadence, other.choice, other.cause)
  }

  /// Returns the change in force after a later decision: `decided` if it ``isOther(than:)`` this change, and otherwise this
  /// change with the reason of `decided`.
  fileprivate func followed(by decided: ModeChange) -> ModeChange {
    guard !decided.isOther(than: self) else { return decided }
    var same = self
    same.reason = decided.reason
    return same
  }
}
