import TimelineCore
import TimelineEngine
import TimelineLedger

// What the shell knows of runs, and tells of them.
extension Daemon {
  /// A run in flight.
  struct ActiveRun {
    /// Its latest attempt.
    var attempt: Attempt
    /// From 0 to 1,000,000; `nil` when the plugin has not said.
    var progressMillionths: UInt32?
    /// What the plugin last said about its progress.
    var progressText = ""
    /// When its first attempt was started.
    let startedAt: WallInstant
    /// When the engine decided that, which is what it says in its records.
    private let decidedAt: WallInstant
    /// By how much the clock was moved since.
    var clockMoved = ElapsedTime.zero
    /// The last lines it wrote, in all attempts.
    var output: OutputTail

    /// Makes a run of its first attempt, or of a further one of the run as it was so far.
    init(_ attempt: Attempt, decidedAt: WallInstant? = nil, following former: ActiveRun? = nil) {
      self.attempt = attempt
      startedAt = former?.startedAt ?? attempt.startedAt
      self.decidedAt = former?.decidedAt ?? decidedAt ?? attempt.startedAt
      clockMoved = former?.clockMoved ?? .zero
      output = former?.output ?? OutputTail()
    }

    /// Takes in that the clock was moved.
    mutating func clockWasMoved(by step: ElapsedTime) { clockMoved = clockMoved + step }

    /// How long it has been in flight, however often the clock was set meanwhile.
    func elapsed(at now: WallInstant) -> ElapsedTime { now - startedAt - clockMoved }

    /// The record of its end, with the instant at which the plugin was called.
    ///
    /// It says by how much the clock was moved if that is more than corrections of a clock are: the instants of the record do
    /// not tell how long it took.
    func completing(_ record: EntryRecord) -> EntryRecord {
      var record = record
      // Of a run that an earlier daemon began the engine knows more.
      if record.startedAt == decidedAt { record.startedAt = startedAt }
      record.clockMoved = clockMoved
      guard clockMoved >= Self.correctionMax || clockMoved <= .zero - Self.correctionMax,
        let elapsed = record.elapsed
      else { return record }
      let direction = clockMoved > .zero ? "ahead" : "back"
      let length = (clockMoved > .zero ? clockMoved : .zero - clockMoved).approximateText
      record.reason += record.reason.isEmpty ? "" : "; "
      record.reason += "the clock went \(length) \(direction) meanwhile, it took \(elapsed.approximateText)"
      return record
    }

    private static let correctionMax = ElapsedTime.milliseconds(100)
  }

  /// What an observer of a run is told.
  enum RunNews {
    /// How far it is, in millionths, and what it does.
    case progress(UInt32?, String)
    /// It is over; nothing follows.
    case end(EntryRecord)
  }

  /// What became of a trigger by the time it was taken in.
  enum Triggered {
    /// A run was started.
    case started(RunID)
    /// The job's policies did not let it run, or it is over already.
    case settled(EntryRecord)
    /// It waits for its turn.
    case waiting
  }
}
