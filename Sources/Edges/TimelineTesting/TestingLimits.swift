/// Limits that keep a test clock from hanging. They count work, not time, so that they are the same on every machine.
enum TestingLimits {
  /// Maximum yields of one task between two wake-ups, without its other jobs. After them the clock moves on without
  /// waiting for the task. A task that polls (`while !done { await Task.yield() }`) reaches the limit in a tenth of a
  /// second.
  static let yieldsPerSettling = 100_000
  /// Maximum yields of a task that was found to poll before.
  static let yieldsOfPoller = 100
  /// Maximum jobs of all tasks between two wake-ups. After them the clock moves on without waiting until the tasks
  /// are idle. Enough for a million tasks with ten calls of actors each; some ten seconds of work.
  static let jobsPerSettling = 20_000_000
  /// The timeout, in seconds, of the first job on the main thread; only a blocked main thread takes so long.
  static let mainThreadPatienceSeconds = 10.0
  /// Maximum number of recorded tasks outside of tests with a clock, each with the task that started it: some
  /// megabytes. If there are more, the older half is removed.
  static let bystanders = 100_000
  /// Maximum generations from a task of a test to a descendant that it has started before it touched the clock. The
  /// limit keeps the search short for long chains of tasks without a test.
  static let generations = 1_000
  /// Yields before a move of the clock if the runtime hides the jobs.
  static let turnsWithoutExecutors = 100
  /// Wake-ups at one instant within one advance before an issue reports that time stands still. Tasks that already slept when
  /// the instant was reached are not counted.
  static let wakesAtOneInstant = 1_000
  /// Wake-ups allowed by one millisecond of `run(timeout:)`: about what a machine does in that time.
  static let wakesPerMillisecond = 20
  /// Wake-ups of a clock that moves by itself before an issue reports that it does not end. A minute of work.
  static let wakesAutomatically = 10_000_000
  /// Maximum number of sleepers that a report names.
  static let sleepersNamed = 10
}
