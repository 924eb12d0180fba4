import TimelineCore
import TimelineEngine

/// Collects the row of one job, column by column.
package struct DrawingRowBuilder: Sendable {
  private let scale: DrawingScale
  private var shown: DrawingRow
  /// Runs by the column in which they start.
  private var cells: [Cell]
  /// Bars of columns in which at most ``apart`` runs start.
  private var bars: [(column: Int, bar: DrawingBar)] = []
  /// Number of entries to mark in each column, by severity; -1 without a mark.
  private var marks: [[Int]]
  /// Columns in which an entry waited.
  private var waits: [Bool]
  /// End of the last run in each lane.
  private var laneEnds: [WallInstant] = []

  /// Runs that start in one column.
  private struct Cell: Sendable {
    /// Number of runs, counted up to one more than ``apart``.
    var count = 0
    var severity = 0
    var first = WallInstant.max
    var end = WallInstant.min

    mutating func add(_ kind: Outcome.Kind, _ start: WallInstant, _ end: WallInstant, count: Int) {
      self.count = min(self.count + count, DrawingRowBuilder.apart + 1)
      severity = max(severity, kind.severity)
      first = min(first, start)
      self.end = max(self.end, end)
    }
  }

  /// Maximum number of runs in one column that are drawn separately.
  private static let apart = 2
  /// Minimum width of a bar, in tenths of a pixel.
  static let barMin = 12
  /// Width of a mark, in pixels. Closer marks are drawn as one.
  static let markWidth = 9
  /// Minimum width of a gap that is marked, in tenths of a pixel: room for a label.
  private static let gapMin = 240

  /// Makes a builder of a row without entries.
  package init(_ job: DrawingRow.Job, _ scale: DrawingScale) {
    self.scale = scale
    shown = DrawingRow(job: job)
    cells = [Cell](repeating: Cell(), count: scale.columns)
    waits = [Bool](repeating: false, count: scale.columns)
    let none = [Int](repeating: -1, count: scale.columns)
    marks = Outcome.Kind.bySeverity.map { _ in none }
  }

  /// Adds an entry.
  package mutating func add(_ entry: DryRunEntry) {
    let kind = entry.outcome.kind
    shown.outcomes.add(entry.count, of: entry.outcome)
    guard let start = entry.start, let end = entry.end else {
      return mark(kind, entry.count, from: entry.firstEntry, through: entry.entry)
    }
    shown.runCount += 1
    shown.firstStart = min(shown.firstStart ?? .max, start)
    if scale.x(start) - scale.x(entry.entry) >= 10 {
      for column in scale.column(entry.entry)...scale.column(start) { waits[column] = true }
    }
    guard start < scale.until else { return }
    addBar(kind, start, end)
    if kind != .success { mark(kind, 1, from: end, through: end) }
  }

  /// Adds the entries of a minute.
  package mutating func add(_ minute: DryRunMinute) {
    let end = min(minute.minute + .minutes(1), scale.until)
    for (outcome, count) in minute.outcomes.sorted {
      shown.outcomes.add(count, of: outcome)
      if outcome.ran {
        shown.runCount += count
        shown.firstStart = min(shown.firstStart ?? .max, minute.entry)
        // Their times within the minute are unknown: they are drawn across the whole minute.
        for column in scale.column(minute.entry)...scale.column(end - .nanoseconds(1)) {
          let start = max(minute.entry, scale.start(ofColumn: column))
          cells[column].add(
            outcome.kind, start, min(end, scale.start(ofColumn: column + 1)), count: Self.apart + 1)
        }
      }
      if outcome.kind != .success { mark(outcome.kind, count, from: minute.entry, through: minute.entry) }
    }
  }

  private mutating func addBar(_ kind: Outcome.Kind, _ start: WallInstant, _ end: WallInstant) {
    let lane = takeLane(start, end)
    let column = scale.column(start)
    cells[column].add(kind, start, end, count: 1)
    guard cells[column].count <= Self.apart else { return }
    let left = min(scale.x(start), scale.width - Self.barMin)
    let span = DrawingSpan(left, max(scale.x(end), left + Self.barMin))
    bars.append((column, DrawingBar(kind: kind, span: span, lane: lane)))
  }

  /// Takes the first lane that is free at `start`, or the last lane if none is free.
  private mutating func takeLane(_ start: WallInstant, _ end: WallInstant) -> Int {
    if let free = laneEnds.firstIndex(where: { $0 <= start }) {
      laneEnds[free] = end
      return free
    }
    if laneEnds.count < DrawingRow.lanesMax {
      laneEnds.append(end)
    } else {
      laneEnds[laneEnds.count - 1] = max(laneEnds[laneEnds.count - 1], end)
    }
    return laneEnds.count - 1
  }

  private mutating func mark(
    _ kind: Outcome.Kind, _ count: Int, from first: WallInstant, through last: WallInstant
  ) {
    let (begin, end) = (scale.column(first), scale.column(last))
    for column in begin...end { marks[kind.severity][column] = max(0, marks[kind.severity][column]) }
    marks[kind.severity][end] += count
  }
}

extension DrawingRowBuilder {
  /// The row of all entries that were added.
  package var row: DrawingRow {
    var row = shown
    let single = bars.filter { cells[$0.column].count <= Self.apart }.map(\.bar)
    row.bars = single + crowds
    row.laneCount = 1 + (single.compactMap(\.lane).max() ?? 0)
    row.marks = Outcome.Kind.bySeverity.flatMap(marks)
    row.waits = Self.stretches(waits).map { DrawingSpan($0.lowerBound * 10, $0.upperBound * 10) }
    row.gaps = gaps
    return row
  }

  /// Bars of the columns in which too many runs start. Adjacent columns of one severity are one bar.
  private var crowds: [DrawingBar] {
    var result: [DrawingBar] = []
    for (column, cell) in cells.enumerated() where cell.count > Self.apart {
      let kind = Outcome.Kind.bySeverity[cell.severity]
      let span = DrawingSpan(column * 10, max(scale.x(cell.end), column * 10 + 10))
      if let last = result.indices.last, result[last].kind == kind, result[last].span.end >= span.start {
        result[last].span.end = max(result[last].span.end, span.end)
      } else {
        result.append(DrawingBar(kind: kind, span: span, lane: nil))
      }
    }
    return result
  }

  private func marks(of kind: Outcome.Kind) -> [DrawingMark] {
    var result: [DrawingMark] = []
    for (column, count) in marks[kind.severity].enumerated() where count >= 0 {
      let middle = column * 10 + 5
      if let last = result.indices.last, middle - result[last].span.end < Self.markWidth * 10 {
        result[last].span.end = middle
        result[last].count += count
      } else {
        result.append(DrawingMark(kind: kind, span: DrawingSpan(middle, middle), count: count))
      }
    }
    return result
  }

  /// Stretches without a run that are at least twice as long as the median distance and wide enough for a label.
  private var gaps: [DrawingGap] {
    var idle: [ClosedRange<WallInstant>] = []
    var end: WallInstant?
    for cell in cells where cell.count > 0 {
      if let end, cell.first > end { idle.append(end...cell.first) }
      end = max(end ?? .min, cell.end)
    }
    // The median needs at least three distances.
    guard shown.runCount > 3 else { return [] }
    let lengths = idle.map { $0.upperBound - $0.lowerBound }.sorted()
    let short = shown.runCount - 1 - lengths.count
    let middle = (shown.runCount - 1) / 2 - short
    let usual = lengths.indices.contains(middle) ? lengths[middle] : .zero
    return idle.compactMap { stretch in
      let length = stretch.upperBound - stretch.lowerBound
      let span = DrawingSpan(scale.x(stretch.lowerBound), scale.x(stretch.upperBound))
      guard span.width >= Self.gapMin, length >= usual * 2 else { return nil }
      return DrawingGap(span: span, length: length)
    }
  }

  /// Returns the ranges of columns that are set.
  private static func stretches(_ columns: [Bool]) -> [Range<Int>] {
    var result: [Range<Int>] = []
    for (column, isSet) in columns.enumerated() where isSet {
      if let last = result.last, last.upperBound == column {
        result[result.count - 1] = last.lowerBound..<(column + 1)
      } else {
        result.append(column..<(column + 1))
      }
    }
    return result
  }
}
