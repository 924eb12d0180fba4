package import TimelineCore

/// The part of a rehearsal that a page shows.
package struct RehearsalQuery: Sendable, Hashable {
  /// Begin of the rehearsal; `nil` for a rehearsal that begins now, from the daemon's present state.
  package var start: WallInstant?
  /// The time of the rehearsal's clock; `nil` for the begin of the rehearsal.
  package var now: WallInstant?
  package var window: WindowQuery

  package init(start: WallInstant? = nil, now: WallInstant? = nil, window: WindowQuery = WindowQuery()) {
    self.start = start
    self.now = now
    self.window = window
  }

  /// Reads `start` and `at` in milliseconds, and the window.
  init(_ query: QueryText) throws(WebRoute.Failure) {
    window = try WindowQuery(query)
    start = try WindowQuery.instant("start", in: query)
    now = try WindowQuery.instant("at", in: query)
  }
}
