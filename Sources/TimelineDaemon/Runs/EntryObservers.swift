import TimelineEngine

/// Clients that wait for what becomes of an entry.
struct EntryObservers {
  /// Names one of them, to let it go.
  struct Number: Hashable {
    fileprivate let entry: EntryKey
    fileprivate let count: Int
  }

  private struct Observer {
    let number: Number
    /// The run that the client belongs to; `nil` for none.
    let run: RunID?
    let tell: (Daemon.EntryEvent) -> Void
  }

  private var byEntry: [EntryKey: [Observer]] = [:]
  private var lastCount = 0

  /// Whether nobody waits.
  var isEmpty: Bool { byEntry.isEmpty }

  /// The entries that somebody waits for.
  var entries: Set<EntryKey> { Set(byEntry.keys) }

  /// The runs that wait.
  var runs: Set<RunID> { Set(byEntry.values.joined().compactMap(\.run)) }

  /// The entries that each of these runs waits for.
  var entriesByRun: [RunID: Set<EntryKey>] {
    byEntry.values.joined().reduce(into: [:]) { result, observer in
      if let run = observer.run { result[run, default: []].insert(observer.number.entry) }
    }
  }

  /// Adds a client that waits for `entry`, and belongs to `run` if that is given.
  mutating func add(
    _ entry: EntryKey, run: RunID? = nil, _ tell: @escaping (Daemon.EntryEvent) -> Void
  ) -> Number {
    lastCount += 1
    let number = Number(entry: entry, count: lastCount)
    byEntry[entry, default: []].append(Observer(number: number, run: run, tell: tell))
    return number
  }

  /// Lets a client go, if it still waits.
  mutating func remove(_ number: Number) {
    byEntry[number.entry]?.removeAll { $0.number == number }
    if byEntry[number.entry]?.isEmpty ?? false { byEntry[number.entry] = nil }
  }

  /// The clients that are to be told of `entry`, which wait no longer if that is the last they hear.
  mutating func told(of entry: EntryKey, isLast: Bool) -> [(Daemon.EntryEvent) -> Void] {
    let told = isLast ? byEntry.removeValue(forKey: entry) : byEntry[entry]
    return told?.map(\.tell) ?? []
  }
}
