/// The bounds that keep a test clock from hanging. They count work, not time, so that they are the same everywhere.
enum TestingLimits {
  /// Jobs that tasks may run between two wake-ups before the clock moves on without waiting for them to rest.
  ///
  /// Reached only by tasks that poll (`while !done { await Task.yield() }`); a tenth of a second of work.
  static let jobsPerSettling = 100_000
  /// Turns of the main thread without a new job before the lane is at rest: the longest chain of main-actor tasks,
  /// each started by the one before, that is still waited for.
  static let mainTurns = 8
  /// The timeout, in seconds, of the very first turn of the main thread; only a blocked one takes so long.
  static let mainThreadPatienceSeconds = 10.0
  /// Turns of the executor left to tasks that the runtime does not show.
  static let turnsWithoutHook = 100
  /// Wake-ups at one and the same instant within one advance, before the test is told that time stands still.
  static let wakesAtOneInstant = 1_000
  /// Wake-ups that one millisecond of `run(timeout:)` pays for: about what a machine can do in that time.
  static let wakesPerMillisecond = 20
}
