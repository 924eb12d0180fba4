package import TimelineCore

/// Active runs of all jobs in each column of a drawing.
package struct DrawingLoad: Sendable {
  private let scale: DrawingScale
  /// Nanoseconds of active runs in each column, without runs that are counted by the minute.
  private var busy: [Int64]

  /// Makes a load without runs.
  package init(_ scale: DrawingScale) {
    self.scale = scale
    busy = [Int64](repeating: 0, count: scale.columns)
  }

  /// Adds a run.
  package mutating func add(from start: WallInstant, to end: WallInstant) {
    let (start, end) = (max(start, scale.from), min(end, scale.until))
    guard start < end else { return }
    for column in scale.column(start)...scale.column(end) {
      let length =
        min(end, scale.start(ofColumn: column + 1)) - max(start, scale.start(ofColumn: column))
      busy[column] = busy[column].addingSaturating(max(0, length.nanoseconds))
    }
  }

  /// Average number of active runs in each column, in hundredths.
  package var hundredths: [Int] {
    busy.indices.map { column in
      let length = scale.start(ofColumn: column + 1) - scale.start(ofColumn: column)
      return Int(Int128(busy[column]) * 100 / Int128(max(1, length.nanoseconds)))
    }
  }
}
