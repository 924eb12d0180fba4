import TimelineCore
import TimelineEngine

/// Facts about a drawing that are text: its title, and the command that made it.
package struct DrawingCaption: Sendable, Equatable {
  /// Title, such as `Dry run of night.toml`.
  package var title: String
  /// Command that made the drawing.
  package var command: String

  package init(title: String, command: String) {
    (self.title, self.command) = (title, command)
  }
}

extension TimelineDrawing {
  /// The window, its zone, and its counts.
  var subtitle: String {
    let zone = axis.zone
    let window = "\(scale.from.text(in: zone)) to \(scale.until.text(in: zone))"
    let entries = rows.reduce(0) { $0 + $1.outcomes.total }
    let jobs = rows.count == 1 ? "1 job" : "\(rows.count) jobs"
    return "\(window) (\(scale.until - scale.from)), \(zone.name): \(jobs), \(Self.entries(entries))"
  }

  /// A sentence about jobs without a row; `nil` if there are none.
  var omission: String? {
    guard omittedRows > 0 else { return nil }
    return "\(omittedRows.grouped) more \(omittedRows == 1 ? "job is" : "jobs are") not drawn "
      + "(limit: \(Self.rowsMax) rows); name the jobs to draw"
  }

  /// Text of the strip of active runs.
  var loadNote: String {
    let hundredths = loadMax % 100
    return "average, up to \(loadMax / 100).\(hundredths < 10 ? "0" : "")\(hundredths)"
  }

  /// `1 entry`, `1,440 entries`.
  static func entries(_ count: Int) -> String { count == 1 ? "1 entry" : "\(count.grouped) entries" }
}

extension DrawingRow {
  /// Counts such as `12 runs, 1 failed, 2 overlapped`.
  package var summary: String {
    guard outcomes.total > 0 else { return "no entries" }
    let runs = runCount == 0 ? "no run" : runCount == 1 ? "1 run" : "\(runCount.grouped) runs"
    let others = outcomes.sorted.filter { $0.outcome != .succeeded }
    return ([runs] + others.map { "\($0.count.grouped) \($0.outcome.rawValue)" }).joined(separator: ", ")
  }

  /// The row in words: name, counts, first run, and the other signs of the row.
  package var description: String {
    var parts = [summary]
    if let firstStart { parts.append("first run \(firstStart.text(in: job.zone))") }
    if laneCount > 1 { parts.append("runs overlap one another") }
    if let longest = gaps.map(\.length).max() { parts.append("longest gap \(longest.approximateText)") }
    for change in clockChanges.prefix(2) { parts.append("clock change in \(job.zone.name): \(change.label)") }
    return "\(job.name.text): \(parts.joined(separator: "; "))"
  }
}

/// An explanation of one sign of a drawing.
struct LegendItem {
  /// The sign as SVG, 28 by 16 pixels.
  var sign: String
  /// Meaning of the sign.
  var text: String
}

extension TimelineDrawing {
  /// Explanations of the signs that the drawing has.
  var legend: [LegendItem] {
    func bar(_ style: String) -> String {
      "<path class=\"\(style)\" d=\"M2 2h24v12h-24z\"/>"
    }
    func line(_ style: String, _ data: String = "M2 8h24") -> String {
      "<path class=\"\(style)\" d=\"\(data)\"/>"
    }
    let bars = rows.lazy.flatMap(\.bars)
    var items: [LegendItem] = []
    if bars.contains(where: { $0.lane != nil }) {
      items.append(LegendItem(sign: bar("success"), text: "a run"))
    }
    if bars.contains(where: { $0.lane == nil }) {
      let stripes = line("success", "M2 1h24v3h-24zM2 7h24v3h-24zM2 13h24v3h-24z")
      items.append(LegendItem(sign: stripes, text: "many short runs"))
    }
    for kind in Outcome.Kind.bySeverity.reversed() where kind != .success {
      let outcomes = Outcome.allCases.filter { outcome in
        outcome.kind == kind && rows.contains { $0.outcomes[outcome] > 0 }
      }
      guard !outcomes.isEmpty else { continue }
      items.append(LegendItem(sign: Self.sign(kind), text: outcomes.map(\.rawValue).joined(separator: ", ")))
    }
    if rows.contains(where: { !$0.waits.isEmpty }) {
      items.append(LegendItem(sign: line("wait"), text: "waiting"))
    }
    if rows.contains(where: { !$0.gaps.isEmpty }) {
      items.append(LegendItem(sign: line("gap"), text: "unusually long gap"))
    }
    if !axis.clockChanges.isEmpty || rows.contains(where: { !$0.clockChanges.isEmpty }) {
      items.append(LegendItem(sign: line("change", "M14 0v16"), text: "clock change"))
    }
    return items
  }

  /// The sign of a class of outcomes, 28 by 16 pixels.
  static func sign(_ kind: Outcome.Kind) -> String {
    guard kind != .success else { return "<path class=\"success\" d=\"M8 2h12v12h-12z\"/>" }
    var data = PathData()
    data.mark(kind.shape, DrawingSpan(140, 140), 80)
    return path("mark \(kind.style)", data)
  }
}
