import TimelineCore
import TimelineEngine

/// Clients that wait for the events of an entry.
struct EntryObservers {
  /// Identity of a client, for its removal.
  struct Number: Equatable {
    fileprivate let entry: EntryKey
    fileprivate let count: Int
  }

  private struct Observer {
    let number: Number
    /// The run that the client belongs to; `nil` for none.
    let run: RunID?
    let tell: (EntryEvent) -> Void
  }

  private var byEntry: [EntryKey: [Observer]] = [:]
  private var lastCount = 0

  var isEmpty: Bool { byEntry.isEmpty }

  /// The entries that clients wait for.
  var entries: Set<EntryKey> { Set(byEntry.keys) }

  /// The runs that the waiting clients belong to.
  var runs: Set<RunID> { Set(byEntry.values.joined().compactMap(\.run)) }

  /// The entries that each run in ``runs`` waits for.
  var entriesByRun: [RunID: Set<EntryKey>] {
    byEntry.values.joined().reduce(into: [:]) { result, observer in
      if let run = observer.run { result[run, default: []].insert(observer.number.entry) }
    }
  }

  /// Adds a client that waits for `entry`, and belongs to `run` if one is given.
  mutating func add(
    _ entry: EntryKey, run: RunID? = nil, _ tell: @escaping (EntryEvent) -> Void
  ) -> Number {
    lastCount += 1
    let number = Number(entry: entry, count: lastCount)
    byEntry[entry, default: []].append(Observer(number: number, run: run, tell: tell))
    return number
  }

  /// Removes a client, if it still waits.
  mutating func remove(_ number: Number) {
    byEntry[number.entry]?.removeAll { $0.number == number }
    if byEntry[number.entry]?.isEmpty ?? false { byEntry[number.entry] = nil }
  }

  /// Returns the closures of the clients that wait for `entry`. If the event `isLast`, the clients are removed.
  mutating func told(of entry: EntryKey, isLast: Bool) -> [(EntryEvent) -> Void] {
    let told = isLast ? byEntry.removeValue(forKey: entry) : byEntry[entry]
    return told?.map(\.tell) ?? []
  }
}

/// Events for an observer of an entry.
enum EntryEvent {
  case started(RunID)
  /// Progress of the run, in millionths, and its text.
  case progress(RunID, UInt32?, String)
  /// The entry has ended; nothing follows.
  case end(EntryRecord)
  /// This daemon ends before the entry has its outcome, and the next daemon continues the entry; nothing follows.
  case kept
  /// The entry had its outcome before; nothing follows.
  case taken

  /// Whether nothing follows.
  var isLast: Bool {
    switch self {
    case .started, .progress: false
    case .end, .kept, .taken: true
    }
  }
}
