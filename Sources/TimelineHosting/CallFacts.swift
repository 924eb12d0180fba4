package import TimelineCore
package import TimelineWire

/// What a plugin is told of one attempt, beside what its instance knows.
package struct CallFacts: Sendable {
  /// The run's number.
  package var run: UInt64
  /// The instant that the schedule names.
  package var nominal: WallInstant
  /// The instant at which the daemon decided to start.
  package var actual: WallInstant
  /// When the run will be asked to stop; `nil` for never.
  package var deadline: WallInstant?
  /// What the run may expect of the daemon just now.
  package var cadence: Cadence
  /// The daemon's mode.
  package var mode: ScheduleMode
  /// 1 for the first attempt.
  package var attempt: UInt32
  /// How many entries the run stands for, at least 1.
  package var entryCount: UInt64
  /// How the job's previous run ended; `nil` if there was none.
  package var previous: RunRequest.Previous?
  /// The job's cursor; empty for none.
  package var cursor: [UInt8]
  /// How the entry of another job ended that this run reacts to, a JSON object as text; `nil` for any other run.
  package var story: String?

  /// Whether there is more to hand over than numbers.
  var hasExtra: Bool { !cursor.isEmpty || story != nil || previous.map { !$0.text.isEmpty } ?? false }

  /// Makes the facts of an attempt.
  package init(
    run: UInt64, nominal: WallInstant, actual: WallInstant, deadline: WallInstant?, cadence: Cadence,
    mode: ScheduleMode, attempt: UInt32, entryCount: UInt64, previous: RunRequest.Previous?, cursor: [UInt8],
    story: String?
  ) {
    self.run = run
    self.nominal = nominal
    self.actual = actual
    self.deadline = deadline
    self.cadence = cadence
    self.mode = mode
    self.attempt = attempt
    self.entryCount = entryCount
    self.previous = previous
    self.cursor = cursor
    self.story = story
  }
}
