import TimelineCore

/// Search for the latest entries that have one of the given outcomes, page by page from the newest to the oldest.
///
/// Each page occupies the daemon's one thread only for a short time, even if matching entries are rare.
package struct HistorySearch {
  /// Outcomes that the ledger indexes. The daemon itself searches for these.
  package static let failures = Set(Outcome.names(of: .failure))
  /// Largest number of pages read: 100,000 entries, some seconds of the daemon's time in total.
  static let pagesMax = 100

  private let parameters: Control.History
  private let outcomes: Set<String>

  package init(_ parameters: Control.History, for outcomes: Set<String>) {
    self.parameters = parameters
    self.outcomes = outcomes
  }

  /// Returns the matching entries, oldest first. `isCut` is true if there are older matching entries, or if older pages were not
  /// read.
  ///
  /// - Parameter page: Requests a page from the daemon.
  package func run<Failure: Error>(
    _ page: (Control.History) throws(Failure) -> HistoryReply
  ) throws(Failure) -> HistoryReply {
    let limit = parameters.limit ?? ControlLimits.historyDefault
    var query = parameters
    query.onlyFailures = outcomes.isSubset(of: Self.failures)
    query.limit = ControlLimits.historyMax
    var found: [EntryReport] = []
    var zones: [String: String] = [:]
    var seen: Set<EntryReport> = []
    for number in 1...Self.pagesMax {
      var reply = try page(query)
      // Newest first, without the entries that the previous page had too.
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
      // Other entries at the oldest instant may have been cut off.
      query.until = reply.entries.first.map { "\($0.entry.instant + .nanoseconds(1))" }
    }
    preconditionFailure("the last page returns")
  }
}
