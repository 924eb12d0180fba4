import TimelineCore
import TimelineEngine

/// Claims of entries that have neither a start nor an end. All claims are in memory. The file has only the claims that a
/// later daemon needs.
///
/// A later daemon needs each startable claim, because its entry may have been started. It also needs each claim that the
/// watermark of its job has passed, because the entry would not be reached again. The claims in the file are one row, which is
/// rewritten when a claim is added. There are few claims at a time, and a row for each claim would cost as much as the row for
/// the end of its entry. A claim in the file is ignored if its entry has a row. A start therefore need not remove the claim
/// from the file.
///
/// Jobs are identified by their numbers.
struct Claims {
  /// Time from the write of a claim to the entry's nominal time: longer than a write to a slow disk. The time is short,
  /// because after a loss of power an entry whose claim is in the file may have run.
  static let lead = ElapsedTime.milliseconds(500)

  /// First claim of each job, by its number. Nearly every job has one claim at a time, and every job has a slot.
  private var first: [Claim?] = []
  /// Further claims of jobs that have more than one, in the order in which they were made.
  private var more: [Int: [Claim]] = [:]
  /// Jobs that have claims for the file.
  private var filed: Set<Int> = []
  /// Due times of claims that are not startable yet: `promised` for at-most-once jobs, `others` for the other jobs. Items of
  /// removed claims may remain.
  private var promised = DueHeap()
  private var others = DueHeap()
  /// Whether the claims in the file must be rewritten.
  private(set) var isDue = false
  /// Whether the file has finished claims. Their removal is worth a write only in an idle moment.
  private var isStale = false

  /// Time at which the next claim of an at-most-once entry must be written; too early if this claim was withdrawn.
  var next: WallInstant? { promised.first.map { $0.nominal - Self.lead } }

  /// Reserves memory for exactly one claim per job, because there may be very many jobs. `promisedCount` of the jobs run at
  /// most once.
  mutating func reserve(_ jobCount: Int, promised promisedCount: Int) {
    first.reserveCapacity(jobCount)
    promised.reserve(promisedCount)
    others.reserve(jobCount - promisedCount)
  }

  /// Adds a claim. Replaces an earlier claim of the same entry.
  mutating func add(_ claim: Claim, of job: Int, isPromised: Bool) {
    withdraw(claim.nominal, of: job)
    if job >= first.count { first += repeatElement(nil, count: job + 1 - first.count) }
    if first[job] == nil { first[job] = claim } else { more[job, default: []].append(claim) }
    if claim.isFiled { filed.insert(job) }
    guard !claim.isStartable else { return }
    let due = DueHeap.Item(nominal: claim.nominal, job: job)
    if isPromised { promised.insert(due) } else { others.insert(due) }
    compact()
  }

  /// Returns the claim of an entry; `nil` for none.
  func claim(of nominal: WallInstant, of job: Int) -> Claim? {
    guard job < first.count, let claim = first[job] else { return nil }
    return claim.nominal == nominal ? claim : more[job]?.first { $0.nominal == nominal }
  }

  private func hasFiled(_ job: Int) -> Bool {
    first[job]?.isFiled ?? false || more[job]?.contains(where: \.isFiled) ?? false
  }

  private func claims(of job: Int) -> [Claim] {
    guard job < first.count, let claim = first[job] else { return [] }
    return [claim] + (more[job] ?? [])
  }

  /// Removes and returns the claim of an entry that has a row from now on.
  @discardableResult
  mutating func remove(_ nominal: WallInstant, of job: Int) -> Claim? {
    guard job < first.count, let claim = first[job] else { return nil }
    if claim.nominal == nominal {
      let next = more[job]?.removeFirst()
      first[job] = next
      return removed(claim, of: job)
    }
    guard let index = more[job]?.firstIndex(where: { $0.nominal == nominal }) else { return nil }
    guard let claim = more[job]?.remove(at: index) else { return nil }
    return removed(claim, of: job)
  }

  private mutating func removed(_ claim: Claim, of job: Int) -> Claim {
    if more[job]?.isEmpty ?? false { more[job] = nil }
    if claim.isFiled {
      isStale = true
      if !hasFiled(job) { filed.remove(job) }
    }
    return claim
  }

  /// Removes the claim of an entry that will have no row.
  mutating func withdraw(_ nominal: WallInstant, of job: Int) {
    if remove(nominal, of: job)?.isFiled ?? false { isDue = true }
  }

  /// Removes the claims of a job's scheduled entries up to `watermark`, except the entries in `held`.
  mutating func withdraw(of job: Int, through watermark: WallInstant, except held: Set<WallInstant>) {
    for claim in claims(of: job) where claim.nominal <= watermark && !held.contains(claim.nominal) {
      if claim.cause?.isOfSchedule ?? true { withdraw(claim.nominal, of: job) }
    }
  }

  /// Removes the claims of a job's scheduled entries from `begin` to `end`, which share a row. Entries of no schedule keep
  /// waiting.
  mutating func remove(of job: Int, from begin: WallInstant, through end: WallInstant) {
    // The shared row does not override the filed claim of a single entry, so the claim must be removed from the file.
    for claim in claims(of: job) where begin <= claim.nominal && claim.nominal <= end {
      guard claim.nominal == end || claim.cause?.isOfSchedule ?? true else { continue }
      withdraw(claim.nominal, of: job)
    }
  }

  /// Adds the claims up to `nominal`, the watermark of the job, to the file. Their entries wait and would not be reached
  /// again.
  mutating func pass(_ job: Int, _ nominal: WallInstant) {
    guard job < first.count, first[job] != nil else { return }
    for claim in claims(of: job) where claim.nominal <= nominal && !claim.isFiled {
      change(claim.nominal, of: job) { $0.isFiled = true }
    }
  }

  /// Marks an entry as waiting, also in the file. An entry without a claim gets `claim`.
  mutating func wait(_ claim: Claim, of job: Int) {
    if self.claim(of: claim.nominal, of: job) == nil { add(claim, of: job, isPromised: false) }
    change(claim.nominal, of: job) {
      ($0.cause, $0.isAskedFor, $0.isFiled) = (claim.cause, claim.isAskedFor, true)
    }
  }

  /// Marks all claimed entries in the file as not started. The marks hold even after a loss of power. Called after the last
  /// start.
  mutating func endUnstarted() {
    for job in first.indices {
      for claim in claims(of: job) {
        change(claim.nominal, of: job) { ($0.wait, $0.isFiled) = (0, true) }
      }
    }
  }

  /// Makes the claims of all entries that are due soon after `now` startable, covered by the sync with the number `wait`.
  /// Returns whether there are any.
  mutating func makeStartable(at now: WallInstant, before wait: SyncTracker.Number) -> Bool {
    let horizon = now + Self.lead * 2
    var hasAny = false
    while let due = promised.removeFirst(through: horizon) ?? others.removeFirst(through: horizon) {
      guard let claim = claim(of: due.nominal, of: due.job), !claim.isStartable else { continue }
      change(due.nominal, of: due.job) { ($0.wait, $0.isFiled) = (wait, true) }
      hasAny = true
    }
    return hasAny
  }

  /// Changes a claim and marks it for the file.
  private mutating func change(_ nominal: WallInstant, of job: Int, _ body: (inout Claim) -> Void) {
    if var claim = first[job], claim.nominal == nominal {
      body(&claim)
      first[job] = claim
    } else if let index = more[job]?.firstIndex(where: { $0.nominal == nominal }) {
      body(&more[job, default: []][index])
    }
    filed.insert(job)
    isDue = true
  }

  /// Requests the removal of finished claims from the file. Called when the daemon is idle.
  mutating func refresh() { if isStale { isDue = true } }

  /// Requests the replacement of the file's claims, because they belong to an earlier daemon. The claims that are still needed
  /// are in memory.
  mutating func replaceFile() { isDue = true }

  /// Marks ``text(_:)`` as written to the file.
  mutating func didWrite() { (isDue, isStale) = (false, false) }

  /// Text of the claims that belong in the file, one line for each.
  func text(_ jobs: JobCatalog) -> String {
    var text = ""
    for job in filed {
      for claim in claims(of: job) where claim.isFiled { claim.append(to: &text, jobs.name(job)) }
    }
    return text
  }

  /// Drops the items of removed and startable claims if items outnumber jobs two to one. Each reload withdraws claims long
  /// before they are due, and their items would accumulate.
  private mutating func compact() {
    guard promised.count + others.count > 2 * first.count + 1_000 else { return }
    let isWaiting = { [first, more] (due: DueHeap.Item) in
      let claims = [first[due.job]] + (more[due.job] ?? [])
      return claims.contains { $0.map { $0.nominal == due.nominal && !$0.isStartable } ?? false }
    }
    promised.keep(isWaiting)
    others.keep(isWaiting)
  }
}
