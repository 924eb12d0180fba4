import TimelineCore

/// A search for the last entries that ended in one of some ways, page by page from the newest to the oldest.
///
/// The daemon's one thread is held by one page at a time, however rare what is looked for is.
package struct HistorySearch {
  /// The outcomes of which the ledger has an index, so that the daemon finds them itself.
  package static let failures = Set(Outcome.names(of: .failure))
  /// Pages that are looked through: 100,000 entries, some seconds of the daemon's time in all.
  static let pagesMax = 100

  private let parameters: HistoryParameters
  private let outcomes: Set<String>

  /// Prepares a search among the entries that `parameters` name.
  package init(_ parameters: HistoryParameters, for outcomes: Set<String>) {
    self.parameters = parameters
    self.outcomes = outcomes
  }

  /// Entries that were found, oldest first; `isCut` where there are older ones, or older ones were not looked through.
  ///
  /// - Parameter page: Asks the daemon for a page.
  package func run<Failure: Error>(
    _ page: (HistoryParameters) throws(Failure) -> HistoryReply
  ) throws(Failure) -> HistoryReply {
    let limit = parameters.limit ?? ControlLimits.historyDefault
    var query = parameters
    query.onlyFailures = outcomes.isSubset(of: Self.failures)
    query.limit = ControlLimits.historyMax
    var found: [HistoryEntry] = []
    var zones: [String: String] = [:]
    var seen: Set<HistoryEntry> = []
    for number in 1...Self.pagesMax {
      var reply = try page(query)
      // Newest first, and what the page before had too only once.
      let fresh = reply.entries.reversed().filter { !seen.contains($0) }
      found += fresh.filter { outcomes.contains($0.outcome ?? "") }
      zones.merge(reply.zones ?? [:]) { $1 }
      let isOver = !reply.isCut || fresh.isEmpty
      if isOver || found.count > limit || number == Self.pagesMax {
        reply.isCut = found.count > limit || !isOver
        reply.entries = found.prefix(limit).reversed()
        if reply.zones != nil { reply.zones = zones }
        return reply
      }
      seen = Set(reply.entries)
      // Others of the instant of the oldest may have been cut off.
      query.until = reply.entries.first.map { "\($0.entry.instant + .nanoseconds(1))" }
    }
    preconditionFailure("the last page returns")
  }
}
