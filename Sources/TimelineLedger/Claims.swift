import TimelineCore
import TimelineEngine

/// Entries that are claimed and have neither a start nor an end: in memory, and in the file only what a later daemon must know.
///
/// That is each one whose intent has been written, since it may have been started, and each one that its job has gone past, since
/// nobody would come to it again. All of them are one row, written anew when one is added: they are few at a time, and a row for
/// each would cost as much as its end. What has a row among the entries counts for nothing here, so that a start need not take
/// its claim out of the file.
struct Claims {
  /// How long before its nominal instant an entry's intent is written: longer than a disk takes on a bad day, and short, because
  /// an entry with an intent may have run as far as anyone knows after a loss of power.
  static let lead = ElapsedTime.milliseconds(500)

  private var byJob: [JobName: [Claim]] = [:]
  /// Those without an intent, by when they fall due; what has left ``byJob`` may still be there.
  private var promised = DueHeap()
  private var others = DueHeap()
  /// Whether the file is to be told of something.
  private(set) var isDue = false
  /// Whether the file has claims that are done with, which is worth a write only when there is time.
  private var isStale = false

  /// When the first intent of those that are promised to run at most once is to be written; may be too early.
  var next: WallInstant? { promised.first.map { $0.nominal - Self.lead } }

  /// Takes in a claim, in place of an earlier one of the same entry.
  mutating func add(_ claim: Claim, isPromised: Bool) {
    withdraw(claim.entry)
    byJob[claim.entry.job, default: []].append(claim)
    guard !claim.isIntended else { return }
    if isPromised { promised.insert(claim.entry) } else { others.insert(claim.entry) }
    compact()
  }

  /// The claim of an entry.
  func claim(of key: EntryKey) -> Claim? { byJob[key.job]?.first { $0.entry == key } }

  /// Takes out the claim of an entry that has a row from now on, and gives it.
  @discardableResult
  mutating func remove(_ key: EntryKey) -> Claim? {
    guard let index = byJob[key.job]?.firstIndex(where: { $0.entry == key }) else { return nil }
    let claim = byJob[key.job]?.remove(at: index)
    if byJob[key.job]?.isEmpty ?? false { byJob[key.job] = nil }
    if claim?.isFiled ?? false { isStale = true }
    return claim
  }

  /// Takes out the claim of an entry that will have no row.
  mutating func withdraw(_ key: EntryKey) {
    if remove(key)?.isFiled ?? false { isDue = true }
  }

  /// Takes out a job's entries from `first` to `last`, which share a row.
  mutating func remove(of job: JobName, from first: WallInstant, through last: WallInstant) {
    // What is in the file for one of them has no row of its own that would speak for it.
    for claim in byJob[job] ?? [] where first <= claim.entry.nominal && claim.entry.nominal <= last {
      withdraw(claim.entry)
    }
  }

  /// Notes that a job stands at `nominal`: what it has gone past and has not started yet waits, and nobody would come to it.
  mutating func pass(_ job: JobName, _ nominal: WallInstant) {
    for index in byJob[job]?.indices ?? 0..<0 {
      guard let claim = byJob[job]?[index], !claim.isFiled, claim.entry.nominal <= nominal else { continue }
      byJob[job]?[index].isFiled = true
      isDue = true
    }
  }

  /// Gives all that are due soon after `now` their intent; whether there are any.
  mutating func intend(at now: WallInstant) -> Bool {
    let horizon = now + Self.lead * 2
    var hasAny = false
    while let key = promised.first, key.nominal <= horizon {
      promised.removeFirst()
      hasAny = intend(key) || hasAny
    }
    while let key = others.first, key.nominal <= horizon {
      others.removeFirst()
      hasAny = intend(key) || hasAny
    }
    return hasAny
  }

  private mutating func intend(_ key: EntryKey) -> Bool {
    guard let index = byJob[key.job]?.firstIndex(where: { $0.entry == key && !$0.isIntended }) else {
      return false
    }
    byJob[key.job]?[index].isIntended = true
    byJob[key.job]?[index].isFiled = true
    isDue = true
    return true
  }

  /// Has the file told of what is done with, now that there is time.
  mutating func refresh() { if isStale { isDue = true } }

  /// What the file has is of an earlier daemon, and good for nothing that is not here.
  mutating func replaceFile() { isDue = true }

  /// The file has been told ``text``.
  mutating func didWrite() { (isDue, isStale) = (false, false) }

  /// What goes into the file: a line for each.
  var text: String {
    var text = ""
    for claims in byJob.values {
      for claim in claims where claim.isFiled { claim.append(to: &text) }
    }
    return text
  }

  /// What has left ``byJob`` long before it was due must not gather: a configuration is reloaded more often than once a year.
  private mutating func compact() {
    guard promised.count + others.count > 2 * byJob.count + 1_000 else { return }
    let waiting = Set(byJob.values.joined().lazy.filter { !$0.isIntended }.map(\.entry))
    promised.keep(waiting)
    others.keep(waiting)
  }
}

/// One entry that is claimed.
struct Claim {
  var entry: EntryKey
  var claimedAt: WallInstant
  /// The boot in which that was done.
  var boot: Int64?
  /// Whether the intent to start it has been written.
  var isIntended = false
  /// Whether it belongs into the file.
  var isFiled = false

  fileprivate func append(to text: inout String) {
    text += entry.job.text
    for number in [entry.nominal.nanosecondsSinceEpoch, claimedAt.nanosecondsSinceEpoch, boot ?? 0] {
      text += " "
      text += String(number)
    }
    text += isIntended ? " 1\n" : " 0\n"
  }
}

extension Claim {
  /// Reads a line of ``Claims/text``; `nil` for one that no program of ours has written.
  init?(_ line: Substring) {
    let words = line.split(separator: " ")
    guard words.count == 5, let job = JobName(String(words[0])), let nominal = Int64(words[1]),
      let claimedAt = Int64(words[2]), let boot = Int64(words[3])
    else { return nil }
    entry = EntryKey(job: job, nominal: WallInstant(nanosecondsSinceEpoch: nominal))
    self.claimedAt = WallInstant(nanosecondsSinceEpoch: claimedAt)
    self.boot = boot == 0 ? nil : boot
    isIntended = words[4] != "0"
    isFiled = true
  }
}

/// Entries by when they fall due, the first at the top: a heap in an array.
private struct DueHeap {
  private var entries: [EntryKey] = []

  var first: EntryKey? { entries.first }
  var count: Int { entries.count }

  mutating func insert(_ entry: EntryKey) {
    entries.append(entry)
    var child = entries.count - 1
    while child > 0, entries[child].nominal < entries[(child - 1) / 2].nominal {
      entries.swapAt(child, (child - 1) / 2)
      child = (child - 1) / 2
    }
  }

  mutating func removeFirst() {
    entries.swapAt(0, entries.count - 1)
    entries.removeLast()
    var parent = 0
    while true {
      var least = parent
      for child in [2 * parent + 1, 2 * parent + 2]
      where child < entries.count && entries[child].nominal < entries[least].nominal {
        least = child
      }
      guard least != parent else { return }
      entries.swapAt(parent, least)
      parent = least
    }
  }

  mutating func keep(_ wanted: Set<EntryKey>) {
    let kept = entries.filter(wanted.contains)
    entries.removeAll()
    for entry in kept { insert(entry) }
  }
}
