internal import TimelineCore
internal import TimelineSystem

/// Restores what a plugin has changed of its process and programs of later runs would inherit.
///
/// To look at all of it takes as long as a short run of a plugin, and in a row of runs each waits for the one before it. So a plugin that
/// has left nothing of the rest behind in its first runs has that looked at when the host rests, and now and then in a long row.
struct StateRestorer: ~Copyable {
  /// Number of first runs; the whole state is restored after each of them.
  private static let firstRuns = 16
  /// Runs in a row after which everything is looked at.
  private static let rowMax = 64
  /// Time without a message from which on the host rests: far more than the daemon needs between two runs of a row.
  static let rest = ElapsedTime.milliseconds(1)

  private let state: ProcessState
  private var runs = 0
  private var hasFoundRest = false
  /// Number of runs since the rest was looked at.
  private var unseenRuns = 0

  /// Takes the state of the process as it is. `output` is a copy of standard output.
  init(output: CInt) throws(SystemError) {
    state = try ProcessState(output: output)
  }

  /// Whether the rest is to be looked at when the host rests.
  var awaitsRest: Bool { unseenRuns > 0 }

  /// Restores what opening an instance has changed; what cannot be restored is for the run that follows, which would find the same in
  /// another host.
  mutating func instanceOpened() {
    _ = state.restoreFirst()
    _ = state.restoreRest()
  }

  /// Restores what a run has changed; returns the name of something that cannot be restored.
  mutating func runEnded() -> String? {
    runs += 1
    unseenRuns += 1
    if let fault = state.restoreFirst() { return fault }
    return runs <= Self.firstRuns || hasFoundRest || unseenRuns >= Self.rowMax ? restoreRest() : nil
  }

  /// Restores the rest; returns the name of something that cannot be restored.
  mutating func restoreRest() -> String? {
    unseenRuns = 0
    let (hasFound, fault) = state.restoreRest()
    if hasFound { hasFoundRest = true }
    return fault
  }
}
