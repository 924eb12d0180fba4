import TimelineCore
import TimelineEngine

/// Entries that are claimed and have neither a start nor an end: in memory, and in the file only what a later daemon must know.
///
/// A later daemon must know each one that is startable, since it may have been started, and each one that its job has
/// gone past, since nobody would come to it again. All of them are one row, written anew when one is added: they are few at a time, and a row for
/// each would cost as much as its end. What has a row among the entries counts for nothing here, so that a start need not take
/// its claim out of the file.
///
/// A job is known here by its number.
struct Claims {
  /// Lead time of a claim: it is written this long before the entry's nominal time. That is longer than a slow disk takes.
  /// It is short because an entry whose claim is in the file counts as one that may have run after a power loss.
  static let lead = ElapsedTime.milliseconds(500)

  /// First claim of each job, by its number. Nearly every job has one claim at a time, and every job has a slot.
  private var first: [Claim?] = []
  /// Further claims of jobs that have more than one, in the order in which they were made.
  private var more: [Int: [Claim]] = [:]
  /// The jobs that have claims for the file.
  private var filed: Set<Int> = []
  /// Due times of claims that are not startable yet, of at-most-once jobs and of others. Claims that are gone may still be there.
  private var promised = DueHeap()
  private var others = DueHeap()
  /// Whether the file is to be told of something.
  private(set) var isDue = false
  /// Whether the file has claims that are done with, which is worth a write only when there is time.
  private var isStale = false

  /// Time at which the next claim of an at-most-once entry is due to be written; too early if that claim was withdrawn.
  var next: WallInstant? { promised.first.map { $0.nominal - Self.lead } }

  /// Makes room for a claim of each of these jobs, of which so many are promised to run at most once, and no more than that: there
  /// may be very many.
  mutating func reserve(_ jobCount: Int, promised promisedCount: Int) {
    first.reserveCapacity(jobCount)
    promised.reserve(promisedCount)
    others.reserve(jobCount - promisedCount)
  }

  /// Takes in a claim, in place of an earlier one of the same entry.
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

  /// The claim of an entry.
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

  /// Takes out the claim of an entry that has a row from now on, and gives it.
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

  /// Takes out the claim of an entry that will have no row.
  mutating func withdraw(_ nominal: WallInstant, of job: Int) {
    if remove(nominal, of: job)?.isFiled ?? false { isDue = true }
  }

  /// Takes out the entries of a job's schedule from `begin` to `end`, which share a row; what was asked for in between waits on.
  mutating func remove(of job: Int, from begin: WallInstant, through end: WallInstant) {
    // What is in the file for one of them has no row of its own that would speak for it.
    for claim in claims(of: job) where begin <= claim.nominal && claim.nominal <= end {
      guard claim.nominal == end || claim.cause?.isOfSchedule ?? true else { continue }
      withdraw(claim.nominal, of: job)
    }
  }

  /// Notes that the watermark of a job is `nominal`: what it has gone past and has not started yet waits, and nobody would come to it.
  mutating func pass(_ job: Int, _ nominal: WallInstant) {
    guard job < first.count, first[job] != nil else { return }
    for claim in claims(of: job) where claim.nominal <= nominal && !claim.isFiled {
      change(claim.nominal, of: job) { $0.isFiled = true }
    }
  }

  /// Notes that an entry waits, which the file is to say. Without a claim of its own it gets `claim`.
  mutating func wait(_ claim: Claim, of job: Int) {
    if self.claim(of: claim.nominal, of: job) == nil { add(claim, of: job, isPromised: false) }
    change(claim.nominal, of: job) {
      ($0.cause, $0.isAskedFor, $0.isFiled) = (claim.cause, claim.isAskedFor, true)
    }
  }

  /// Has the file say of each entry that is claimed that it has not been started, over a loss of power too: nothing is started any
  /// more.
  mutating func endUnstarted() {
    for job in first.indices {
      for claim in claims(of: job) {
        change(claim.nominal, of: job) { ($0.wait, $0.isFiled) = (0, true) }
      }
    }
  }

  /// Makes all claims startable whose entries are due soon after `now`. The wait of this number will cover them. Returns whether there are any.
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

  /// Changes a claim into one for the file.
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

  /// Has the file told of what is done with, now that there is time.
  mutating func refresh() { if isStale { isDue = true } }

  /// Marks the file's claims for replacement: they are an earlier daemon's, and those still needed are in memory.
  mutating func replaceFile() { isDue = true }

  /// Notes that ``text(_:)`` was written to the file.
  mutating func didWrite() { (isDue, isStale) = (false, false) }

  /// Text of the claims that belong in the file, one line for each.
  func text(_ jobs: JobCatalog) -> String {
    var text = ""
    for job in filed {
      for claim in claims(of: job) where claim.isFiled { claim.append(to: &text, jobs.name(job)) }
    }
    return text
  }

  /// Drops the items of claims that are gone or startable, when items outnumber jobs two to one. Each reload withdraws claims
  /// long before they are due, and their items would pile up.
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
