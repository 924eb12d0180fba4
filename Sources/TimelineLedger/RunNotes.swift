import TimelineCore
import TimelineEngine

/// What is remembered of a run in flight until its end is filed.
struct RunNotes {
  var entry: EntryKey
  /// Its latest attempt.
  var attempt: LedgerAttempt
  /// What it wrote, in all its attempts.
  var tail = OutputTail()
  /// Whether a daemon before this one started it.
  var isOfEarlierDaemon = false

  init(entry: EntryKey, number: Int, startedAt: WallInstant) {
    self.entry = entry
    attempt = LedgerAttempt(number: number, startedAt: startedAt)
  }
}

/// The numbers of runs: the highest one ever given is filed, so that none is given twice.
///
/// Busy jobs write nothing at their starts. For them a block of numbers is filed at once; a daemon that dies leaves the rest of
/// it unused.
struct RunNumbers {
  /// How many numbers are taken at once: at 120 starts a second one write in eight seconds.
  static let blockLength: UInt64 = 1_000
  /// The highest number given.
  var highest: UInt64 = 0
  /// The highest number that needs no further write.
  var reserved: UInt64 = 0
  /// What the file says.
  var filed: UInt64 = 0

  /// Whether the file is to be told.
  var isDue: Bool { reserved > filed }

  mutating func take(_ run: RunID, reserving: Bool) {
    highest = max(highest, run.number)
    guard run.number > reserved else { return }
    reserved = reserving ? run.number.addingReportingOverflow(Self.blockLength).partialValue : run.number
  }
}

/// Entries that are claimed and whose intent is not on the disk yet.
struct Intents {
  /// How long before its nominal instant an entry's intent is written: longer than a disk takes on a bad day, and short, because
  /// an entry with an intent may have run as far as anyone knows after a loss of power.
  static let lead = ElapsedTime.milliseconds(500)

  private var waiting: [EntryKey: Bool] = [:]
  /// When the first of the promised ones is to be written; may be too early after one was removed.
  private(set) var next: WallInstant?

  mutating func add(_ key: EntryKey, isPromised: Bool) {
    waiting[key] = isPromised
    guard isPromised else { return }
    let instant = key.nominal - Self.lead
    next = min(next ?? instant, instant)
  }

  @discardableResult
  mutating func remove(_ key: EntryKey) -> Bool { waiting.removeValue(forKey: key) != nil }

  /// Takes out a job's entries from `first` to `last`.
  mutating func remove(of job: JobName, from first: WallInstant, through last: WallInstant) {
    for key in waiting.keys where key.job == job && first <= key.nominal && key.nominal <= last {
      waiting[key] = nil
    }
  }

  /// What is due so soon after `now` that it is worth writing now, in order of time.
  func due(at now: WallInstant) -> [EntryKey] {
    let horizon = now + Self.lead * 2
    return waiting.keys.filter { $0.nominal <= horizon }.sorted { $0.nominal < $1.nominal }
  }

  /// Takes out what has been written.
  mutating func remove(_ keys: [EntryKey]) {
    for key in keys { waiting[key] = nil }
    next = waiting.lazy.filter(\.value).map { $0.key.nominal - Self.lead }.min()
  }
}

extension Disposition {
  init(_ status: AttemptOutcome.Status) {
    switch status {
    case .succeeded: self = .succeeded
    case .failed: self = .failed
    case .cancelled: self = .cancelled
    }
  }
}
