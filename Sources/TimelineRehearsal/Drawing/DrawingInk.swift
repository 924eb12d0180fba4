import TimelineCore
import TimelineEngine

// The parts of a drawing as SVG. Each begins at its own origin; writers place them. Lengths are tenths of a pixel.

extension TimelineDrawing {
  /// Height of a row.
  static let rowHeight = 460
  /// Height of the strip of active runs.
  static let loadHeight = 360

  /// Height of the axis: two lines of labels, and one of clock changes where there are any.
  var axisHeight: Int { axis.clockChanges.isEmpty ? 380 : 540 }

  /// The labels of the axis, which end at its lower edge.
  var axisMarkup: String {
    let bottom = axisHeight
    var text = ""
    for (index, context) in axis.contexts.enumerated() {
      let end = index + 1 < axis.contexts.count ? axis.contexts[index + 1].x : scale.width
      guard !context.label.isEmpty, end - context.x >= context.label.count * 72 else { continue }
      text += Self.label("context", context.label, context.x + 40, bottom - 250)
    }
    var free = Int.min
    for tick in axis.ticks where tick.x >= free {
      let end = tick.x + 40 + tick.label.count * 66
      // The last label would leave the drawing.
      guard end <= scale.width else { break }
      text += Self.label("tick", tick.label, tick.x + 40, bottom - 80)
      free = end
    }
    free = Int.min
    for change in axis.clockChanges where change.x >= free {
      let isRight = change.x > scale.width * 3 / 4
      let x = change.x + (isRight ? -40 : 40)
      text += Self.label(
        isRight ? "change end" : "change", "clock change: " + change.label, x, bottom - 420)
      free = change.x + change.label.count * 68 + 1_000
    }
    return text
  }

  /// Weekends, ticks and clock changes behind rows of a height.
  func gridMarkup(height: Int) -> String {
    var (weekends, ticks, contexts, changes) = (PathData(), PathData(), PathData(), PathData())
    for span in axis.weekends { weekends.rectangle(span.start, 0, width: span.width, height: height) }
    for tick in axis.ticks { ticks.line(tick.x, 0, down: height) }
    for context in axis.contexts.dropFirst() { contexts.line(context.x, 0, down: height) }
    for change in axis.clockChanges { changes.line(change.x, 0, down: height) }
    return Self.path("weekend", weekends) + Self.path("grid", ticks) + Self.path("grid strong", contexts)
      + Self.path("change", changes)
  }

  /// The average number of active runs as an area.
  var loadMarkup: String {
    let (most, height) = (max(1, loadMax), Self.loadHeight - 80)
    var area = "M0 \(Self.loadHeight.tenths)"
    var former = 0
    for (column, value) in load.enumerated() {
      let level = value * height / most
      if level != former { area += "V\((Self.loadHeight - level).tenths)" }
      former = level
      area += column + 1 < load.count && load[column + 1] == value ? "" : "H\(column + 1)"
    }
    return "<path class=\"load\" d=\"\(area)V\(Self.loadHeight.tenths)z\"/>"
  }

  /// A text at a place.
  static func label(_ style: String, _ text: String, _ x: Int, _ y: Int) -> String {
    "<text class=\"\(style)\" x=\"\(x.tenths)\" y=\"\(y.tenths)\">\(text.escapedMarkup)</text>"
  }

  /// A path, or nothing where it is empty.
  static func path(_ style: String, _ data: PathData) -> String {
    data.isEmpty ? "" : "<path class=\"\(style)\" d=\"\(data.text)\"/>"
  }
}

extension DrawingRow {
  /// Upper edge of the runs.
  private static let top = 140
  /// Height of the runs.
  private static let height = 220
  /// Height of the middle of the runs.
  private static let middle = top + height / 2

  /// The row as SVG: one path for each class of outcome.
  var markup: String {
    var (gapLines, waitLines, changes) = (PathData(), PathData(), PathData())
    var labels = ""
    for gap in gaps {
      gapLines.line(gap.span.start + 20, Self.middle, across: gap.span.width - 40)
      let text = gap.length.approximateText
      guard gap.span.width >= text.count * 62 + 40 else { continue }
      labels += TimelineDrawing.label(
        "gap middle", text, gap.span.start + gap.span.width / 2, Self.middle - 70)
    }
    for wait in waits { waitLines.line(wait.start, Self.middle, across: wait.width) }
    for change in clockChanges { changes.line(change.x, 0, down: TimelineDrawing.rowHeight) }
    var text = TimelineDrawing.path("change", changes) + TimelineDrawing.path("gap", gapLines) + labels
    text += TimelineDrawing.path("wait", waitLines)
    for kind in Outcome.Kind.bySeverity {
      text += TimelineDrawing.path(kind.style, barData(kind))
    }
    for kind in Outcome.Kind.bySeverity {
      var data = PathData()
      for mark in marks where mark.kind == kind { data.mark(kind.shape, mark.span, markHeight(kind)) }
      text += TimelineDrawing.path("mark \(kind.style)", data)
    }
    return text
  }

  private func barData(_ kind: Outcome.Kind) -> PathData {
    var data = PathData()
    let lane = (Self.height - (laneCount - 1) * 20) / laneCount
    for bar in bars where bar.kind == kind {
      if let number = bar.lane {
        let y = Self.top + number * (lane + 20)
        // A line of the paper tells a run from one that begins when it ends.
        let width = bar.span.width >= 40 ? bar.span.width - 8 : bar.span.width
        data.rectangle(bar.span.start, y, width: width, height: lane)
      } else {
        // Stripes: not one long run, but many short ones.
        for stripe in 0..<3 {
          data.rectangle(bar.span.start, Self.top + 10 + stripe * 85, width: bar.span.width, height: 30)
        }
      }
    }
    return data
  }

  /// Marks of runs stand above the end of the run, those of entries without a run in the middle.
  private func markHeight(_ kind: Outcome.Kind) -> Int {
    switch kind {
    case .failure, .cancellation: Self.top - 65
    case .success, .miss, .omission: Self.middle
    }
  }
}

extension Outcome.Kind {
  /// Name of the style, the same in SVG and HTML.
  var style: String { rawValue }

  /// Shape of its marks.
  var shape: MarkShape {
    switch self {
    case .failure: .triangle
    case .cancellation: .square
    case .miss: .diamond
    case .success, .omission: .circle
    }
  }
}
