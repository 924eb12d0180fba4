import TimelineControl
import TimelineCore
import TimelineEngine
import TimelineLedger

/// What there is at a moment of a job's timeline.
struct WhyFinding {
  /// What kind of thing.
  enum Kind {
    /// An entry with its disposition.
    case settled(LedgerEntry)
    /// A run in flight, and what the ledger has of it.
    case running(Daemon.ActiveRun, LedgerEntry?)
    /// A due entry that waits, what for, and what the ledger has of it.
    case waiting(WaitReport?, LedgerEntry?)
    /// A due entry of a paused job.
    case held
    /// An entry to come, and since when it is claimed.
    case planned(claimedAt: WallInstant?)
    /// An instant to come of a stretch that the clock had already shown, and through when that goes.
    case silent(through: WallInstant)
    /// What the rule leaves out.
    case omitted(Omission)
    /// An instant of a job whose entries are counted.
    case counted
    /// A past entry of which the ledger has nothing.
    case unrecorded
    /// No entry.
    case none
  }

  var kind: Kind
  /// The nominal instant that was found, one of several where a record stands for several; where nothing was found the
  /// beginning of the moment.
  var nominal: WallInstant
  /// How many more entries the moment names.
  var alsoCount = 0
  /// What a reaction was told of, or may have been.
  var told: [EntryRecord] = []
  /// The actions of operators that had a part in it, oldest first.
  var actions: [OperatorAction] = []
}
