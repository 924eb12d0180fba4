import TimelineEngine

/// Clients that wait for what becomes of an entry.
struct EntryObservers {
  /// The number of observers at a time: each has a connection of its own, of which there are no more, and leaves when that is closed.
  static let countMax = 32

  /// Names one of them, to let it go.
  struct Number: Hashable {
    fileprivate let entry: EntryKey
    fileprivate let count: Int
  }

  private var byEntry: [EntryKey: [(number: Number, tell: (Daemon.EntryEvent) -> Void)]] = [:]
  private var lastCount = 0

  /// Whether nobody waits.
  var isEmpty: Bool { byEntry.isEmpty }

  /// Whether nobody else may wait.
  var isFull: Bool { byEntry.values.reduce(0) { $0 + $1.count } >= Self.countMax }

  /// The entries that somebody waits for.
  var entries: Set<EntryKey> { Set(byEntry.keys) }

  /// Takes in a client that waits for `entry`.
  mutating func add(_ entry: EntryKey, _ tell: @escaping (Daemon.EntryEvent) -> Void) -> Number {
    lastCount += 1
    let number = Number(entry: entry, count: lastCount)
    byEntry[entry, default: []].append((number, tell))
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
