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
    /// The last lines it wrote, in all attempts.
    var output: OutputTail

    /// Makes a run of its first attempt, or of a further one of the run as it was so far.
    init(_ attempt: Attempt, following former: ActiveRun? = nil) {
      self.attempt = attempt
      startedAt = former?.startedAt ?? attempt.startedAt
      output = former?.output ?? OutputTail()
    }
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
