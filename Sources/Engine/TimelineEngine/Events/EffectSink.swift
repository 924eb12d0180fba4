package import TimelineCore

/// Receiver of the engine's decisions, in order: an array for a shell that performs the decisions, or a type that processes
/// each decision as it comes.
///
/// The most frequent effects are the start of an attempt and the end of an entry. Each is passed as a brief and an
/// autoclosure that builds the full value. A receiver that only counts does not pay for the full value.
package protocol EffectSink {
  /// Appends an effect of any kind.
  mutating func append(_ effect: EngineEffect)

  /// Appends the start of an attempt.
  mutating func start(_ brief: StartBrief, _ attempt: @autoclosure () -> Attempt)

  /// Appends the end of an entry.
  mutating func settle(_ brief: EndBrief, _ record: @autoclosure () -> EntryRecord)
}

extension EffectSink {
  /// Builds the attempt and appends its start as an effect.
  package mutating func start(_ brief: StartBrief, _ attempt: @autoclosure () -> Attempt) {
    append(.start(attempt()))
  }

  /// Builds the record and appends it as an effect.
  package mutating func settle(_ brief: EndBrief, _ record: @autoclosure () -> EntryRecord) {
    append(.settle(record()))
  }
}

extension [EngineEffect]: EffectSink {}

/// An ``Attempt`` in brief.
package struct StartBrief: Sendable, Hashable {
  package var run: RunID
  /// Index of the job in the engine.
  package var job: Int
  /// 1 for the first attempt of a run.
  package var number: Int
  /// Expected duration by the job's configuration; zero for none.
  package var expected: ElapsedTime
  /// Whether ``EngineEvent/attemptBegan(_:late:)`` must report the call of the plugin.
  package var reportsCall: Bool
}

/// An ``EntryRecord`` in brief.
package struct EndBrief: Sendable, Hashable {
  /// Index of the job in the engine; -1 for the record of an earlier daemon whose job is not configured.
  package var job: Int
  package var nominal: WallInstant
  package var outcome: Outcome
  /// Start of the first attempt; `nil` without an attempt.
  package var startedAt: WallInstant?
  /// Instant at which the entry was settled.
  package var endedAt: WallInstant
  /// Number of consecutive entries with this outcome, the last of them at ``nominal``.
  package var entryCount: Int
}
