import TimelineControl
import TimelineCore
import TimelineEngine
import TimelineLedger

/// State of a job's timeline at a moment.
struct WhyFinding {
  /// Kinds of states.
  enum Kind {
    /// An entry with its outcome.
    case settled(LedgerEntry)
    /// An active run, and the ledger's record of it.
    case running(Daemon.ActiveRun, LedgerEntry?)
    /// A due entry that waits, with its wait and the ledger's record of it.
    case waiting(WaitReport?, LedgerEntry?)
    /// A due entry of a paused job.
    case held
    /// An entry to come, and the instant at which it was claimed.
    case planned(claimedAt: WallInstant?)
    /// An instant to come in a stretch that the clock had already shown, and the last instant of that stretch.
    case silent(through: WallInstant)
    /// An instant that the rule leaves out.
    case omitted(Omission)
    /// An instant of a job whose entries are counted.
    case counted
    /// A past entry without a record in the ledger.
    case unrecorded
    /// No entry.
    case none
  }

  var kind: Kind
  /// The nominal instant that was found, one of several where a record stands for several; where nothing was found the
  /// beginning of the moment.
  var nominal: WallInstant
  /// Number of further entries at the moment that was asked about.
  var alsoCount = 0
  /// Whether the job has had no entry yet, and the present was asked about.
  var isBeforeFirst = false
  /// The upstream entry of a reaction, where it is known.
  var told: WhyUpstream?
  /// The reactions to an entry that is due or has its outcome, oldest first.
  var reactions: [LedgerEntry] = []
  /// Incident in which a failed entry counts.
  var incident: WhyIncident?
  /// The change of the mode that left the entry out, or because of which there is none.
  var modeChange: ModeChange?
  /// The actions of operators that had a part in it, oldest first.
  var actions: [OperatorAction] = []
}
