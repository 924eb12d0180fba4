import TimelineCore
import TimelineEngine

/// State of a manual trigger after the engine has handled it.
enum Triggered {
  case started(EntryKey, RunID)
  /// The job's policies prevented a run, or the run has ended already.
  case settled(EntryRecord)
  case waiting(EntryKey)
  /// An entry of the same instant had its outcome before.
  case taken

  /// The entry of the trigger, if one was made.
  var entry: EntryKey? {
    switch self {
    case .started(let entry, _), .waiting(let entry): entry
    case .settled(let record): record.entry
    case .taken: nil
    }
  }
}
