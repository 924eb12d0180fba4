package import TimelineCore

/// What the engine's decisions go into, in their order: an array for a shell that performs them, or whoever takes them as
/// they come.
///
/// Every entry has a start and an end. Of these two the engine tells in brief what it has at hand and offers to make the
/// whole, so that who only counts does not pay for what it does not look at.
package protocol EffectSink {
  /// Takes in an effect of any kind.
  mutating func append(_ effect: EngineEffect)

  /// Takes in the start of an attempt.
  mutating func start(_ brief: StartBrief, _ attempt: @autoclosure () -> Attempt)

  /// Takes in the end of an entry.
  mutating func settle(_ brief: EndBrief, _ record: @autoclosure () -> EntryRecord)
}

extension EffectSink {
  /// Makes the effect of it.
  @inline(__always)
  package mutating func start(_ brief: StartBrief, _ attempt: @autoclosure () -> Attempt) {
    append(.start(attempt()))
  }

  /// Makes the effect of it.
  @inline(__always)
  package mutating func settle(_ brief: EndBrief, _ record: @autoclosure () -> EntryRecord) {
    append(.settle(record()))
  }
}

extension [EngineEffect]: EffectSink {}

/// An ``Attempt`` in brief.
package struct StartBrief: Sendable, Hashable {
  /// The run that the attempt belongs to.
  package var run: RunID
  /// Where its job stands in the engine.
  package var job: Int
  /// 1 for the first attempt of a run.
  package var number: Int
  /// How long it is expected to last by the job's configuration.
  package var expected: ElapsedTime
}

/// An ``EntryRecord`` in brief.
package struct EndBrief: Sendable, Hashable {
  /// Where the job stands in the engine; -1 for one that is not configured any more.
  package var job: Int
  /// The nominal instant.
  package var nominal: WallInstant
  /// How it ended.
  package var disposition: Disposition
  /// When the first attempt of its run was started; `nil` when there was no run.
  package var startedAt: WallInstant?
  /// When the entry was settled.
  package var endedAt: WallInstant
  /// How many entries in a row end so, the last of which is at ``nominal``.
  package var entryCount: Int
}
