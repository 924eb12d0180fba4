import TimelineControl
import TimelineCore
import TimelineLedger
import TimelineSystem

/// A count of the entries that a backfill would run, in portions, so that no start waits for the whole of it.
final class BackfillCount {
  /// Result of a count.
  struct Result: Sendable {
    var total = 0
    /// Number of entries without a record that are left out.
    var unrecorded = 0
    /// The first entries that would be run, in their order.
    var first: [WallInstant] = []
  }

  private let plan: BackfillPlan
  private let answers: Answers
  private let loop: EventLoop
  private let completion: (Result) -> Void
  private var from: WallInstant
  private var result = Result()

  /// Counts, and calls `completion` in a later turn of the loop.
  @discardableResult
  init(_ plan: BackfillPlan, _ answers: Answers, on loop: EventLoop, _ completion: @escaping (Result) -> Void)
  {
    (self.plan, self.answers, self.loop, self.completion) = (plan, answers, loop, completion)
    from = plan.request.from
    next()
  }

  // The delay keeps the count until it is complete.
  private func next() { loop.after(.zero) { self.countPortion() } }

  private func countPortion() {
    let request = plan.request
    let found = answers.gapSearch(of: plan.job, from: from, until: request.until)
      .repeatable(request.outcomes, includingUnrecorded: request.includesUnrecorded)
    result.total += found.entries.count
    result.unrecorded += found.unrecordedCount
    let bound = ControlLimits.backfillFirstEntriesMax
    result.first =
      request.isNewestFirst
      ? Array((found.entries.suffix(bound).reversed() + result.first).prefix(bound))
      : Array((result.first + found.entries.prefix(bound)).prefix(bound))
    guard let end = found.end, end < request.until else { return completion(result) }
    from = end
    next()
  }
}
