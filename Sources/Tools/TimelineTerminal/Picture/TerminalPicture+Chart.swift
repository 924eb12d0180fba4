import TimelineCore
import TimelineRehearsal

// The axis, the rows, and the number of active runs.
extension TerminalPicture {
  mutating func drawChart() {
    let scale = view.window.scale
    let lines = view.chartLines(limit: min(layout.rowCount, TimelineDrawing.rowsMax))
    let drawing = drawing(of: lines.filter { $0.lane == nil }.map(\.job), scale)
    drawAxis(drawing.axis, rows: lines.count)
    let now = view.now
    let isInside = scale.from <= now && now < scale.until
    let painter = RowPainter(
      glyphs: glyphs, hasColor: capabilities.hasColor, left: layout.nameWidth, width: layout.chartWidth,
      nowPosition: isInside ? scale.x(now) : nil, isFuture: now < scale.from)
    var own = drawing.rows.makeIterator()
    for (offset, chartLine) in lines.enumerated() {
      let line = ScreenLayout.top + offset
      if let lane = chartLine.lane {
        let indent = 2 + ScreenLayout.nodeIndent
        write(lane.node, line, indent, limit: layout.nameWidth - 1, .dim)
        drawUnknown(scale, on: line, view.isUnknownOfNodes)
        drawNow(painter.nowPosition, on: line)
        painter.paint(row(of: lane, of: view.jobs[chartLine.job], scale), on: line, &grid)
      } else {
        drawName(chartLine.job, isSelected: chartLine.row == view.selectedRow, on: line)
        drawUnknown(scale, on: line, view.isUnknown)
        drawNow(painter.nowPosition, on: line)
        if let row = own.next() { painter.paint(row, on: line, &grid) }
      }
    }
    if lines.isEmpty, layout.rowCount > 0 {
      write(view.filter.isEmpty ? "no jobs" : "no job matches", ScreenLayout.top, 2, .dim)
    }
    drawSelectedEntry(scale, lines)
    // Below the rows, after an empty line if there is room for one.
    if layout.hasLoad { drawLoad(drawing, on: ScreenLayout.top + min(lines.count + 1, layout.rowCount)) }
  }

  /// The row of a job's entries on another node.
  private func row(of lane: ReportedPast.Lane, of job: ViewJob, _ scale: DrawingScale) -> DrawingRow {
    var builder = DrawingRowBuilder(DrawingRow.Job(name: job.name, zone: job.zone), scale)
    for entry in lane.entries where view.isInWindow(entry) { builder.add(entry.row(job: 0, now: view.now)) }
    return builder.row
  }

  /// Marks the stretches of the past that are not read yet.
  private mutating func drawUnknown(
    _ scale: DrawingScale, on line: Int, _ isUnknown: (WallInstant) -> Bool
  ) {
    for column in 0..<layout.chartWidth where isUnknown(scale.start(ofColumn: column * 8)) {
      grid.set(line, layout.nameWidth + column, glyphs.unknown, .dim)
    }
  }

  /// The drawing of some jobs, by the same builder as SVG and HTML.
  private func drawing(of shown: [Int], _ scale: DrawingScale) -> TimelineDrawing {
    let names = shown.map { DrawingRow.Job(name: view.jobs[$0].name, zone: view.jobs[$0].zone) }
    var builder = DrawingBuilder(jobs: names, scale: scale, zone: view.zone)
    let now = view.now
    for (row, job) in shown.enumerated() {
      for entry in view.entries(of: job) {
        let drawn = entry.row(job: row, now: now)
        if (drawn.end ?? drawn.entry) >= scale.from, drawn.firstEntry < scale.until {
          builder.add(.entry(drawn))
        }
      }
      for var minute in view.minutes(of: job)
      where minute.minute + .minutes(1) > scale.from && minute.minute < scale.until {
        minute.job = row
        builder.add(.minute(minute))
      }
    }
    return builder.drawing
  }

  private mutating func drawAxis(_ axis: DrawingAxis, rows: Int) {
    let limit = view.size.width
    drawLabels(axis.contexts, on: 1, .bold, limit: limit)
    drawLabels(axis.ticks, on: 2, .dim, limit: limit)
    for change in axis.clockChanges {
      let column = layout.nameWidth + change.x / RowPainter.cell
      for row in 0..<rows {
        grid.set(ScreenLayout.top + row, column, glyphs.grid, CellStyle(color: color(.yellow)))
      }
      let end = column + change.label.count
      let isFree = end < limit && (max(0, column - 1)...end).allSatisfy { grid[1, $0].character == " " }
      if isFree { write(change.label, 1, column, CellStyle(color: .yellow)) }
    }
    for context in axis.contexts.dropFirst() {
      let column = layout.nameWidth + context.x / RowPainter.cell
      for row in 0..<rows { grid.set(ScreenLayout.top + row, column, glyphs.grid, .dim) }
    }
  }

  /// Draws labels at their positions. A label that would overlap the next label loses its last words. A label that
  /// begins in the same cell as the next label, such as a part of a day, is left out.
  private mutating func drawLabels(_ ticks: [DrawingAxis.Tick], on line: Int, _ style: CellStyle, limit: Int)
  {
    var free = 0
    for (index, tick) in ticks.enumerated() {
      let column = layout.nameWidth + tick.x / RowPainter.cell
      let next =
        index + 1 < ticks.count ? layout.nameWidth + ticks[index + 1].x / RowPainter.cell : limit + 1
      var words = tick.label.split(separator: " ")
      while !words.isEmpty, column + words.joined(separator: " ").count >= min(next, limit + 1) {
        words.removeLast()
      }
      guard column >= free, !words.isEmpty else { continue }
      free = write(words.joined(separator: " "), line, column, style) + 1
    }
  }

  private func color(_ color: CellStyle.Color) -> CellStyle.Color { capabilities.hasColor ? color : .none }

  private mutating func drawName(_ job: Int, isSelected: Bool, on line: Int) {
    let style = CellStyle(isBold: isSelected)
    if isSelected { grid.set(line, 0, glyphs.selected, style) }
    write(view.jobs[job].name.text, line, 2, limit: layout.nameWidth - 1, style)
    if view.jobs[job].pause != nil {
      grid.set(line, 1, glyphs.paused, CellStyle(color: color(.yellow), isBold: true))
    }
  }

  private mutating func drawNow(_ position: Int?, on line: Int) {
    guard let position else { return }
    let column = layout.nameWidth + position / RowPainter.cell
    // A label at this position stays readable.
    if grid[2, column].character == " " {
      grid.set(2, column, glyphs.nowEnd, .bold)
    } else {
      grid.paint(2, column..<column + 1, .reversed)
    }
    grid.set(line, column, glyphs.now, .bold)
  }

  private mutating func drawSelectedEntry(_ scale: DrawingScale, _ lines: [TerminalView.ChartLine]) {
    guard let selected = view.selectedEntry, scale.from <= selected.entry, selected.entry < scale.until,
      let place = lines.firstIndex(where: {
        $0.row == view.selectedRow && $0.lane?.node == selected.node
      })
    else { return }
    let line = ScreenLayout.top + place
    let column = layout.nameWidth + scale.x(selected.entry) / RowPainter.cell
    guard column < view.size.width else { return }
    var style = grid[line, column].style
    style.isReversed = true
    style.isDim = false
    grid.paint(line, column..<column + 1, style)
  }

  /// Draws the average number of active runs in all rows, in eighths of the maximum.
  private mutating func drawLoad(_ drawing: TimelineDrawing, on line: Int) {
    let most = drawing.loadMax
    guard most > 0 else { return }
    let peak = (most + 99) / 100
    write("max \(peak)", line, 2, limit: layout.nameWidth - 1, .dim)
    for column in 0..<layout.chartWidth {
      let values = drawing.load[column * 8..<column * 8 + 8]
      let average = values.reduce(0, +) / 8
      let eighths = average == 0 ? 0 : max(1, average * 8 / most)
      grid.set(line, layout.nameWidth + column, glyphs.lower(eighths), .dim)
    }
  }
}
