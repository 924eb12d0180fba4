import TimelineCore

/// The conversation with the ledger about whose an entry is.
///
/// A claim is made as soon as the next entry is known, long before it is due, so that at the deadline nothing
/// waits for a disk. Only what nobody could know ahead is asked at its time: manual triggers, and the one entry
/// that stands for several missed ones. A deadline that comes before its answer waits for it.
extension EngineState {
  /// Asks for the entry with the effects of this event, where asking is called for.
  mutating func askForClaim(_ index: Int, _ nominal: WallInstant) -> ClaimState {
    guard isClaimed(index) else { return .granted }
    claims.ask(for: jobs.key(index, nominal))
    return .asked
  }

  /// Gives the claim of the next entry up, because the entry is about to leave the timeline.
  mutating func withdrawNext(_ index: Int) {
    guard let nominal = jobs[index].next, isClaimed(index), jobs[index].nextClaim.isHeld else { return }
    claims.withdraw(jobs.key(index, nominal))
  }

  /// Does not ask for an entry after all: it was found to have passed with others in the event that planned it.
  mutating func leaveUnasked(_ index: Int, _ nominal: WallInstant) {
    claims.cancelRequest(for: jobs.key(index, nominal))
  }

  /// Whether the ledger has a row for each entry of the job.
  func isClaimed(_ index: Int) -> Bool {
    claims.hasLedger && !jobs[index].isCounted
  }

  /// Takes in what the ledger said; answers about entries that were given up meanwhile are ignored.
  ///
  /// Entries that have waited for their answers are dealt with in the order in which they fell due, which the ledger does not know.
  mutating func claimsAnswered(
    _ answers: [ClaimAnswer], _ now: WallInstant, _ effects: inout some EffectSink
  ) {
    var due: [(index: Int, entry: DueEntry, claim: ClaimState)] = []
    for answer in answers {
      guard let index = jobs.index(of: answer.entry) else { continue }
      let nominal = answer.entry.nominal
      if let entry = jobs[index].waiting.takeUnclaimed(at: nominal) {
        due.append((index, entry, ClaimState(answer.verdict)))
      } else if jobs[index].next == nominal, jobs[index].nextClaim == .asked {
        jobs[index].nextClaim = ClaimState(answer.verdict)
      }
    }
    if due.count > 1 { due.sort { node($0.index, $0.entry).precedes(node($1.index, $1.entry)) } }
    for (index, entry, claim) in due {
      take(index, entry, claim, now, &effects)
      if jobs[index].isClosedLoop { planClosedLoop(index, now) }
    }
  }

  /// Returns the node by which the queue orders an entry of a job.
  private func node(_ index: Int, _ entry: DueEntry) -> DeadlineHeap.Node {
    DeadlineHeap.Node(
      deadline: dueInstant(index, of: entry.nominal), tie: jobs[index].tie, order: index,
      owner: .init(.job(index)))
  }
}
