import TimelineConfiguration
import TimelineCore
import TimelineLedger
import TimelineSystem

/// Keeps the daemon's mode: reads the machine where the mode depends on it, and reports each change.
///
/// Readings are made on a thread of their own, one at a time. Without a condition in the configuration, or with an operator's choice,
/// there are none, and nothing wakes the daemon.
final class ModeKeeper {
  /// The mode in force, with its cause.
  private(set) var current: ModeChange
  /// Takes in a change of the mode or of its cause.
  var changed: (ModeChange) -> Void = { _ in }

  private let loop: EventLoop
  private let announcer: Announcer
  /// Precedes the kernel's paths; empty but for tests.
  private let root: String
  private let now: () -> WallInstant
  private var policy: ModePolicy
  private var by: Operator?
  private var reading: DetachedWork<MachineReading>?
  private var timer: Delay?
  /// The complaints that were announced.
  private var complaints: Set<String> = []
  private var isEnded = false

  /// Time from one reading to the next with a threshold of pressure: the kernel's average is over 10 s.
  private static let pressureInterval = ElapsedTime.seconds(5)
  /// The same with the battery alone: who unplugs a machine does not wait for it, and each reading wakes a processor.
  private static let batteryInterval = ElapsedTime.seconds(30)

  /// Makes a keeper that goes on from the last change of the `former` daemon.
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

  /// Begins to read the machine, if the mode depends on it.
  func begin() { readMachine() }

  /// Takes in the settings of a new configuration.
  func adopt(_ settings: ModeSettings) {
    policy.adopt(settings)
    decide()
    readMachine()
  }

  /// Takes in an operator's choice, and reads the machine at once where that counts again.
  func choose(_ choice: ModeChoice, _ cadence: LowFrequencyCadence?, by: Operator) {
    let former = (policy.choice, policy.cadence)
    policy.choose(choice, cadence: cadence)
    // A choice that is made again stays that of the first operator, as a pause does.
    if former != (policy.choice, policy.cadence) { self.by = by }
    decide()
    readMachine()
  }

  /// Reads nothing any more.
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
    // One that hangs is waited for: another would hang too.
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

  /// Announces why the mode does not depend on all that it should; the same reason once.
  private func complain(_ text: String) {
    guard complaints.insert(text).inserted else { return }
    announcer.announce(.warning, "low-frequency mode: \(text)")
  }
}

extension ModePolicy {
  /// The decision as a change at an instant; `by` is the operator who made the choice, if one did.
  fileprivate func change(at now: WallInstant, by: Operator?) -> ModeChange {
    let decision = decision
    return ModeChange(
      at: now, mode: decision.mode, cadence: cadence, choice: choice, cause: decision.cause,
      reason: decision.reason, by: choice == .auto ? nil : by)
  }
}

extension ModeChange {
  /// Whether it differs from another in more than its instant, its words and its operator.
  func isOther(than other: ModeChange) -> Bool {
    (mode, cadence, choice, cause) != (other.mode, other.cadence, other.choice, other.cause)
  }

  /// The change in force after a later decision: that one, or this one in its words if nothing else differs.
  fileprivate func followed(by decided: ModeChange) -> ModeChange {
    guard !decided.isOther(than: self) else { return decided }
    var same = self
    same.reason = decided.reason
    return same
  }
}
