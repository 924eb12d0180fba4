package import TimelineCore
import TimelineEngine

/// Collects the rows of a dry run into a drawing.
///
/// Memory grows with the width of the drawing and its number of jobs, not with the number of entries.
package struct DrawingBuilder: Sendable {
  private let scale: DrawingScale
  private let zone: Zone
  private var rows: [DrawingRowBuilder]
  private let omittedRows: Int
  private var load: DrawingLoad
  /// Rows for the table beside the drawing.
  package private(set) var entries: DrawingEntries

  /// Makes a builder for jobs in the order of the dry run's summary, with an axis in `zone`.
  package init(jobs: [DrawingRow.Job], scale: DrawingScale, zone: Zone) {
    self.scale = scale
    self.zone = zone
    rows = jobs.prefix(TimelineDrawing.rowsMax).map { DrawingRowBuilder($0, scale) }
    omittedRows = jobs.count - rows.count
    load = DrawingLoad(scale)
    entries = DrawingEntries(jobCount: jobs.count)
  }

  /// Adds a row of the dry run.
  package mutating func add(_ row: DryRunRow) {
    entries.add(row)
    if case .entry(let entry) = row, let start = entry.start, let end = entry.end {
      load.add(from: start, to: end)
    }
    guard row.job < rows.count else { return }
    switch row {
    case .entry(let entry): rows[row.job].add(entry)
    case .minute(let minute): rows[row.job].add(minute)
    }
  }

  /// The drawing of all rows so far.
  package var drawing: TimelineDrawing {
    TimelineDrawing(
      scale: scale, axis: DrawingAxis(scale, in: zone),
      rows: rows.map { row in
        var row = row.row
        if row.job.zone != zone {
          row.clockChanges = DrawingAxis.clockChanges(of: row.job.zone, in: scale)
        }
        return row
      },
      omittedRows: omittedRows,
      load: load.hundredths)
  }
}
