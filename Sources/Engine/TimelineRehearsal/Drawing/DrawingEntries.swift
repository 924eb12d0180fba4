import TimelineCore

/// The first rows of each job of a dry run, for the table beside a drawing.
package struct DrawingEntries: Sendable, Equatable {
  package private(set) var rows: [DryRunRow] = []
  /// Number of rows that are left out.
  package private(set) var omittedCount = 0
  /// Maximum number of rows of one job. A frequent job must not hide the others.
  package let rowsMaxOfJob: Int
  /// Number of rows of each job.
  private var counts: [Int]

  /// Maximum number of rows of all jobs. More rows would be hard to read, and a browser lays out a table of 1,000 rows at
  /// once.
  package static let rowsMax = 1_000

  /// Makes an empty list for `jobCount` jobs.
  package init(jobCount: Int) {
    rowsMaxOfJob = max(1, Self.rowsMax / max(1, jobCount))
    counts = [Int](repeating: 0, count: jobCount)
  }

  /// Adds a row.
  package mutating func add(_ row: DryRunRow) {
    counts[row.job] += 1
    if counts[row.job] <= rowsMaxOfJob, rows.count < Self.rowsMax {
      rows.append(row)
    } else {
      omittedCount += 1
    }
  }
}

/// The cells of one line of the table.
struct EntryCells {
  var entry, start, end, took: String
  /// Class of the outcome; `nil` for the counts of a minute.
  var kind: Outcome.Kind?
  var outcome: String

  /// The cells of a row, its instants in `zone`.
  init(_ row: DryRunRow, in zone: Zone) {
    switch row {
    case .entry(let row):
      entry = row.entry.text(in: zone)
      start = row.start?.text(in: zone) ?? "–"
      end = row.end?.text(in: zone) ?? "–"
      took = row.start.flatMap { start in row.end.map { Self.text($0 - start) } } ?? "–"
      kind = row.outcome.kind
      outcome = row.outcome.rawValue
      if row.count > 1 { outcome += ", \(row.count.grouped) entries since \(row.firstEntry.text(in: zone))" }
    case .minute(let row):
      entry = row.entry.text(in: zone)
      (start, end, took) = ("–", "–", "–")
      outcome = "\(row.outcomes.text) in this minute"
    }
  }

  private static func text(_ length: ElapsedTime) -> String {
    length == .zero ? "0s" : length.approximateText
  }
}
