import TimelineCore
import TimelineRehearsal

/// Paints the row of a drawing into cells.
struct RowPainter {
  let glyphs: Glyphs
  let hasColor: Bool
  /// First column of the chart on the screen.
  let left: Int
  /// Width of the chart, in columns.
  let width: Int
  /// Position of now in tenths of a pixel; `nil` if it is not in the window. A cell is eight pixels wide.
  let nowPosition: Int?
  /// Whether the window begins after now.
  let isFuture: Bool

  /// Tenths of a pixel in a cell.
  static let cell = 80
  /// Maximum number of runs drawn separately in one cell.
  private static let apart = 2

  /// Paints all of a row on `line`.
  func paint(_ row: DrawingRow, on line: Int, _ grid: inout CellGrid) {
    for wait in row.waits { paint(wait: wait, on: line, &grid) }
    // The worst runs are painted last, so that no other run hides them.
    let bars = row.bars.sorted { ($0.kind.rank, $0.span.start) < ($1.kind.rank, $1.span.start) }
    for bar in bars { paint(bar, on: line, &grid) }
    let starts = Dictionary(grouping: bars) { $0.span.start / Self.cell }
    for (column, bars) in starts where bars.count > Self.apart {
      guard let worst = bars.last else { continue }
      let character = isPast(column) ? glyphs.crowd : glyphs.futureCrowd
      set(column, character, worst.kind, isRunning: false, on: line, &grid)
    }
    for mark in row.marks.sorted(by: { $0.kind.rank < $1.kind.rank }) {
      for column in mark.span.start / Self.cell...mark.span.end / Self.cell {
        set(column, glyphs.mark(mark.kind), mark.kind, isRunning: false, on: line, &grid)
      }
    }
  }

  private func paint(wait: DrawingSpan, on line: Int, _ grid: inout CellGrid) {
    guard wait.width >= Self.cell else { return }
    for column in wait.start / Self.cell..<max(wait.start + 1, wait.end) / Self.cell {
      grid.set(line, left + column, glyphs.wait, .dim)
    }
  }

  private func paint(_ bar: DrawingBar, on line: Int, _ grid: inout CellGrid) {
    let isRunning = nowPosition.map { bar.span.start <= $0 && $0 < bar.span.end && bar.lane != nil } ?? false
    let (first, last) = (bar.span.start / Self.cell, (bar.span.end - 1) / Self.cell)
    guard bar.lane != nil else {
      for column in first...last {
        let character = isPast(column) ? glyphs.crowd : glyphs.futureCrowd
        set(column, character, bar.kind, isRunning: false, on: line, &grid)
      }
      return
    }
    if first == last || bar.span.width < Self.cell {
      let character = isPast(first) ? glyphs.tick : glyphs.futureTick
      return set(first, character, bar.kind, isRunning: isRunning, on: line, &grid)
    }
    for column in first...last {
      guard let character = character(at: column, of: bar.span) else { continue }
      set(column, character, bar.kind, isRunning: isRunning, on: line, &grid)
    }
  }

  /// The character of a run at a cell; `nil` if the run covers too little of the cell.
  private func character(at column: Int, of span: DrawingSpan) -> Unicode.Scalar? {
    let begin = column * Self.cell
    let covered = min(span.end, begin + Self.cell) - max(span.start, begin)
    guard isPast(column) else { return covered * 2 >= Self.cell ? glyphs.futureBar : nil }
    if span.start > begin {
      if covered * 4 >= Self.cell * 3 { return glyphs.bar }
      return covered * 4 >= Self.cell ? glyphs.rightHalf : nil
    }
    // An eighth stays free, so that runs that follow one another are separate.
    let eighths = span.end == begin + Self.cell ? 7 : covered * 8 / Self.cell
    return eighths == 0 ? nil : glyphs.left(eighths)
  }

  /// Whether a cell lies before now.
  private func isPast(_ column: Int) -> Bool {
    nowPosition.map { column * Self.cell <= $0 } ?? !isFuture
  }

  private func set(
    _ column: Int, _ character: Unicode.Scalar, _ kind: Outcome.Kind, isRunning: Bool, on line: Int,
    _ grid: inout CellGrid
  ) {
    guard (0..<width).contains(column) else { return }
    var style = CellStyle(kind, isRunning: isRunning && isPast(column))
    if !hasColor { style.color = .none }
    style.isDim = style.isDim || !isPast(column)
    grid.set(line, left + column, character, style)
  }
}

extension CellStyle {
  /// The style of a class of outcomes.
  init(_ kind: Outcome.Kind, isRunning: Bool = false) {
    switch kind {
    case .success: color = isRunning ? .cyan : .green
    case .failure: (color, isBold) = (.red, true)
    case .miss, .cancellation: (color, isBold) = (.yellow, true)
    case .omission: isDim = true
    }
  }
}

extension Outcome.Kind {
  /// Order in which classes are painted, the worst last.
  fileprivate var rank: Int {
    switch self {
    case .omission: 0
    case .success: 1
    case .miss: 2
    case .cancellation: 3
    case .failure: 4
    }
  }
}
