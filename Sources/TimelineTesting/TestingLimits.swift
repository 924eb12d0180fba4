/// The bounds that keep a test clock from hanging. They count work, not time, so that they are the same everywhere.
enum TestingLimits {
  /// Yields of one task between two wake-ups, without anything else that it does, before the clock moves on without
  /// waiting for it. Reached by tasks that poll (`while !done { await Task.yield() }`) in a tenth of a second.
  static let yieldsPerSettling = 100_000
  /// The same for a task that was found to poll before.
  static let yieldsOfPoller = 100
  /// Jobs that all tasks may run between two wake-ups before the clock moves on without waiting for them to rest: those
  /// of a million tasks with ten calls of actors each are no error. Some ten seconds of work.
  static let jobsPerSettling = 20_000_000
  /// The timeout, in seconds, of the very first turn of the main thread; only a blocked one takes so long.
  static let mainThreadPatienceSeconds = 10.0
  /// Tasks of no test with a clock that are remembered, with the task that started each; the older half of more is
  /// forgotten. Some megabytes.
  static let bystanders = 100_000
  /// Generations of tasks between a task of a test and one that it has started before it touched the clock; so that a
  /// chain of tasks without a test is not followed to its beginning at each step.
  static let generations = 1_000
  /// Turns of the executor left to tasks that the runtime does not show.
  static let turnsWithoutExecutors = 100
  /// Wake-ups at one and the same instant within one advance, beside those of tasks that slept when it was reached,
  /// before the test is told that time stands still.
  static let wakesAtOneInstant = 1_000
  /// Wake-ups that one millisecond of `run(timeout:)` pays for: about what a machine can do in that time.
  static let wakesPerMillisecond = 20
  /// Wake-ups of a clock that moves by itself, before the test is told that it does not end. A minute of work.
  static let wakesAutomatically = 10_000_000
  /// Sleepers that a report names.
  static let sleepersNamed = 10
}
