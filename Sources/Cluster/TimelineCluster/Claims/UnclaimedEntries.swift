import TimelineCore

/// Entries that the node runs, or was about to run, without a claim, because the store does not answer.
///
/// The store's watermark of a job must not pass an unclaimed entry before the entry has an outcome, because the store has no
/// claim that shows the entry to the next owner.
struct UnclaimedEntries: Sendable, Equatable {
  private var nominals: [JobName: Set<WallInstant>] = [:]

  /// Whether an entry is unclaimed.
  func contains(_ key: EntryKey) -> Bool { nominals[key.job]?.contains(key.nominal) ?? false }

  /// Returns the nominal instant of a job's first entry that is later than `watermark`; `nil` for none.
  func first(of job: JobName, after watermark: WallInstant? = nil) -> WallInstant? {
    nominals[job]?.filter { nominal in watermark.map { nominal > $0 } ?? true }.min()
  }

  /// Adds an entry.
  mutating func insert(_ key: EntryKey) { nominals[key.job, default: []].insert(key.nominal) }

  /// Removes an entry. Returns whether it was present.
  @discardableResult
  mutating func remove(_ key: EntryKey) -> Bool {
    guard nominals[key.job]?.remove(key.nominal) != nil else { return false }
    if nominals[key.job]?.isEmpty ?? false { nominals[key.job] = nil }
    return true
  }

  /// Removes all entries of a job.
  mutating func removeAll(of job: JobName) { nominals[job] = nil }
}
