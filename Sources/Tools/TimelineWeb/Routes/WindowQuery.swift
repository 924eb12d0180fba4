package import TimelineCore

/// The part of the timelines that a page shows.
package struct WindowQuery: Sendable, Hashable {
  /// `nil` for a window around now.
  package var from: WallInstant?
  /// `nil` for the usual length.
  package var length: ElapsedTime?
  /// Width of a row, in pixels.
  package var columns: Int
  /// Words that select jobs; see `JobFilter`.
  package var filter: String

  package init(from: WallInstant? = nil, length: ElapsedTime? = nil, columns: Int = 900, filter: String = "")
  {
    self.from = from
    self.length = length
    self.columns = columns
    self.filter = filter
  }

  /// Reads `from` and `length` in milliseconds, `columns` and `filter`.
  init(_ query: QueryText) throws(WebRoute.Failure) {
    from = try Self.instant("from", in: query)
    length = try Self.number("length", in: query).map { milliseconds in
      let length = ElapsedTime.milliseconds(milliseconds)
      return min(max(length, WebLimits.windowLengths.lowerBound), WebLimits.windowLengths.upperBound)
    }
    columns = min(max(Int(clamping: try Self.number("columns", in: query) ?? 900), 1), WebLimits.columnsMax)
    filter = query["filter"] ?? ""
    guard filter.count <= WebLimits.filterLengthMax else {
      throw .badQuery("filter: at most \(WebLimits.filterLengthMax) characters")
    }
  }

  /// An instant of a query in milliseconds since 1970; `nil` if there is none.
  static func instant(_ name: String, in query: QueryText) throws(WebRoute.Failure) -> WallInstant? {
    try number(name, in: query).map {
      WallInstant(nanosecondsSinceEpoch: $0.multipliedSaturating(by: 1_000_000))
    }
  }

  private static func number(_ name: String, in query: QueryText) throws(WebRoute.Failure) -> Int64? {
    guard let text = query[name] else { return nil }
    guard let number = Int64(text) else { throw .badQuery("\(name): expected a whole number") }
    return number
  }
}
