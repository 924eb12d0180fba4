import TimelineCore
import TimelineEngine

// Parts of a drawing as shapes. Each part has its own origin; writers place the parts. Lengths are tenths of a pixel.

extension TimelineDrawing {
  package static let rowHeight = 460
  /// Height of the strip of active runs.
  package static let loadHeight = 360

  var axisHeight: Int { axis.height }

  /// The labels of the axis, which end at its lower edge.
  var axisMarkup: String { axis.labels(on: scale).markup }

  /// Weekends, ticks and clock changes behind rows with the given height.
  func gridMarkup(height: Int) -> String { axis.grid(height: height).markup }

  /// The average number of active runs as an area.
  var loadMarkup: String { Self.loadShape(load).markup }

  /// The average number of active runs in each column, in hundredths, as an area.
  package static func loadShape(_ load: [Int]) -> DrawingShape {
    let (most, height) = (max(1, load.max() ?? 0), loadHeight - 80)
    var area = "M0 \(loadHeight.tenths)"
    var former = 0
    for (column, value) in load.enumerated() {
      let level = value * height / most
      if level != former { area += "V\((loadHeight - level).tenths)" }
      former = level
      area += column + 1 < load.count && load[column + 1] == value ? "" : "H\(column + 1)"
    }
    return .path(style: "load", data: "\(area)V\(loadHeight.tenths)z")
  }

  /// A text at a position, as SVG.
  static func label(_ style: String, _ text: String, _ x: Int, _ y: Int) -> String {
    DrawingShape.label(style: style, text: text, x: x, y: y).markup
  }

  /// A path as SVG, or nothing if it is empty.
  static func path(_ style: String, _ data: PathData) -> String {
    data.isEmpty ? "" : DrawingShape.path(style: style, data: data.text).markup
  }
}

extension DrawingAxis {
  /// Two lines of labels, and one line of clock changes if there are any.
  package var height: Int { clockChanges.isEmpty ? 380 : 540 }

  /// The labels, which end at the lower edge.
  package func labels(on scale: DrawingScale) -> [DrawingShape] {
    let bottom = height
    var shapes: [DrawingShape] = []
    for (index, context) in contexts.enumerated() {
      let end = index + 1 < contexts.count ? contexts[index + 1].x : scale.width
      guard !context.label.isEmpty, end - context.x >= context.label.count * 72 else { continue }
      shapes.append(
        .label(style: "context", text: context.label, x: context.x + 40, y: bottom - 250))
    }
    var free = Int.min
    for tick in ticks where tick.x >= free {
      let end = tick.x + 40 + tick.label.count * 66
      // The last label would extend beyond the drawing.
      guard end <= scale.width else { break }
      shapes.append(.label(style: "tick", text: tick.label, x: tick.x + 40, y: bottom - 80))
      free = end
    }
    free = Int.min
    for change in clockChanges where change.x >= free {
      let isRight = change.x > scale.width * 3 / 4
      shapes.append(
        .label(
          style: isRight ? "change end" : "change", text: "clock change: " + change.label,
          x: change.x + (isRight ? -40 : 40), y: bottom - 420))
      free = change.x + change.label.count * 68 + 1_000
    }
    return shapes
  }

  /// Weekends, ticks and clock changes behind rows with the given height.
  package func grid(height: Int) -> [DrawingShape] {
    var (weekendData, tickData, contextData, changeData) = (PathData(), PathData(), PathData(), PathData())
    for span in weekends { weekendData.rectangle(span.start, 0, width: span.width, height: height) }
    for tick in ticks { tickData.line(tick.x, 0, down: height) }
    for context in contexts.dropFirst() { contextData.line(context.x, 0, down: height) }
    for change in clockChanges { changeData.line(change.x, 0, down: height) }
    var shapes: [DrawingShape] = []
    shapes.append("weekend", weekendData)
    shapes.append("grid", tickData)
    shapes.append("grid strong", contextData)
    shapes.append("change", changeData)
    return shapes
  }
}

extension DrawingRow {
  /// Upper edge of the runs.
  private static let top = 140
  /// Height of the runs.
  private static let height = 220
  /// Height of the middle of the runs.
  private static let middle = top + height / 2

  /// The row as SVG.
  var markup: String { shapes.markup }

  /// The row as shapes: one path for each class of outcome.
  package var shapes: [DrawingShape] {
    var (gapLines, waitLines, changes) = (PathData(), PathData(), PathData())
    var labels: [DrawingShape] = []
    for gap in gaps {
      gapLines.line(gap.span.start + 20, Self.middle, across: gap.span.width - 40)
      let text = gap.length.approximateText
      guard gap.span.width >= text.count * 62 + 40 else { continue }
      labels.append(
        .label(
          style: "gap middle", text: text, x: gap.span.start + gap.span.width / 2, y: Self.middle - 70))
    }
    for wait in waits { waitLines.line(wait.start, Self.middle, across: wait.width) }
    for change in clockChanges { changes.line(change.x, 0, down: TimelineDrawing.rowHeight) }
    var shapes: [DrawingShape] = []
    shapes.append("change", changes)
    shapes.append("gap", gapLines)
    shapes += labels
    shapes.append("wait", waitLines)
    for kind in Outcome.Kind.bySeverity { shapes.append(kind.style, barData(kind)) }
    for kind in Outcome.Kind.bySeverity {
      var data = PathData()
      for mark in marks where mark.kind == kind { data.mark(kind.shape, mark.span, markHeight(kind)) }
      shapes.append("mark \(kind.style)", data)
    }
    return shapes
  }

  private func barData(_ kind: Outcome.Kind) -> PathData {
    var data = PathData()
    let lane = (Self.height - (laneCount - 1) * 20) / laneCount
    for bar in bars where bar.kind == kind {
      if let number = bar.lane {
        let y = Self.top + number * (lane + 20)
        // A narrow gap separates a run from one that begins when it ends.
        let width = bar.span.width >= 40 ? bar.span.width - 8 : bar.span.width
        data.rectangle(bar.span.start, y, width: width, height: lane)
      } else {
        // Stripes show that these are many short runs and not one long run.
        for stripe in 0..<3 {
          data.rectangle(bar.span.start, Self.top + 10 + stripe * 85, width: bar.span.width, height: 30)
        }
      }
    }
    return data
  }

  /// Returns the height of a mark: above the end of a run, or in the middle for an entry without a run.
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

  /// Shape of the marks of this class.
  var shape: MarkShape {
    switch self {
    case .failure: .triangle
    case .cancellation: .square
    case .miss: .diamond
    case .success, .omission: .circle
    }
  }
}
