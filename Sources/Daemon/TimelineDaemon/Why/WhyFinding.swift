import TimelineControl
import TimelineCore
import TimelineEngine
import TimelineLedger

/// State of a job's timeline at a moment: the facts for an answer to `why`.
struct WhyFinding {
  /// Kinds of states.
  enum Kind {
    /// An entry with its outcome.
    case settled(LedgerEntry)
    /// An active run, and the ledger's record of it.
    case running(ActiveRun, LedgerEntry?)
    /// A due entry that waits, its wait, and the ledger's record of it.
    case waiting(WaitReport?, LedgerEntry?)
    /// A due entry of a paused job.
    case held
    /// A future entry, and the instant at which it was claimed.
    case planned(claimedAt: WallInstant?)
    /// A future instant in a period that the clock has already shown, and the last instant of that period.
    case silent(through: WallInstant)
    /// An instant that the rule leaves out.
    case omitted(Omission)
    /// An instant of a job whose entries are counted.
    case counted
    /// A past entry without a record in the ledger.
    case unrecorded
    case none
  }

  var kind: Kind
  /// The nominal instant of the entry. A record of several entries has the instant of one of them. If there is no entry, the
  /// beginning of the requested moment.
  var nominal: WallInstant
  /// Number of further entries at the requested moment.
  var alsoCount = 0
  /// Whether the job has had no entry yet, and the question is about the present.
  var isBeforeFirst = false
  /// The upstream entry of a reaction, if it is known.
  var told: WhyUpstream?
  /// The reactions to an entry that is due or has its outcome, oldest first.
  var reactions: [LedgerEntry] = []
  /// The reruns of an entry that is decided, oldest first.
  var reruns: [LedgerEntry] = []
  /// Incident in which a failed entry counts.
  var incident: WhyIncident?
  /// The change of the mode that left the entry out, or that is the reason why there is no entry.
  var modeChange: ModeChange?
  /// The actions of operators that affected the entry, oldest first.
  var actions: [OperatorAction] = []
}
