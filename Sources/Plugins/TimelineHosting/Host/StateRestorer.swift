internal import TimelineCore
internal import TimelineSystem

/// Restores the state of the process that a plugin has changed and that programs of later runs would inherit.
///
/// The state has a first part that is checked after each run, and a rest (see `ProcessState`). A check of the rest takes as
/// long as a short run of a plugin, and in a series of runs each run waits for the one before it. So if a plugin has not
/// changed the rest in its first runs, the rest is checked only when the host is idle, and once in a while in a long
/// series.
struct StateRestorer: ~Copyable {
  /// Number of runs at the beginning that are each followed by a check of the whole state.
  private static let firstRuns = 16
  /// Number of consecutive runs without a check of the rest. When it is reached, the rest is checked.
  private static let rowMax = 64
  /// Time without a message after which the host counts as idle: far more than the daemon needs between two runs of a
  /// series.
  static let rest = ElapsedTime.milliseconds(1)

  private let state: ProcessState
  private var runs = 0
  private var hasFoundRest = false
  /// Number of runs since the last check of the rest.
  private var unseenRuns = 0

  /// Records the present state of the process. `output` is a copy of standard output.
  init(output: CInt) throws(SystemError) {
    state = try ProcessState(output: output)
  }

  /// Whether the rest is to be checked when the host is idle.
  var awaitsRest: Bool { unseenRuns > 0 }

  /// Restores the state that opening an instance has changed. State that cannot be restored is left to the run that
  /// follows, because another host would be in the same state.
  mutating func instanceOpened() {
    _ = state.restoreFirst()
    _ = state.restoreRest()
  }

  /// Restores the state that a run has changed. Returns the name of a part that cannot be restored; `nil` if there is none.
  mutating func runEnded() -> String? {
    runs += 1
    unseenRuns += 1
    if let fault = state.restoreFirst() { return fault }
    return runs <= Self.firstRuns || hasFoundRest || unseenRuns >= Self.rowMax ? restoreRest() : nil
  }

  /// Restores the rest. Returns the name of a part that cannot be restored; `nil` if there is none.
  mutating func restoreRest() -> String? {
    unseenRuns = 0
    let (hasFound, fault) = state.restoreRest()
    if hasFound { hasFoundRest = true }
    return fault
  }
}
