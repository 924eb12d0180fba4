import TimelineCore
import TimelineEngine

extension TimelineDrawing {
  /// The drawing with its tables as a self-contained HTML document without scripts.
  package func html(_ caption: DrawingCaption, _ summary: DryRunSummary, _ entries: DrawingEntries) -> String
  {
    HTMLPage(drawing: self, caption: caption, summary: summary, entries: entries).text
  }
}

/// The parts of the page, one after the other.
private struct HTMLPage {
  let drawing: TimelineDrawing
  let caption: DrawingCaption
  let summary: DryRunSummary
  let entries: DrawingEntries

  var text: String {
    """
    <!DOCTYPE html>
    <html lang="en">
    <head>
    <meta charset="utf-8">
    <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>\(caption.title.escapedMarkup)</title>
    <style>
    \(DrawingStyle.rules)\(DrawingStyle.pageRules)</style>
    </head>
    <body>
    <h1>\(caption.title.escapedMarkup)</h1>
    <p>\(drawing.subtitle.escapedMarkup)</p>
    <p><code>\(caption.command.escapedMarkup)</code></p>
    \(chart)\(legend)\(clockChanges)\(totals)\(table)</body>
    </html>

    """
  }

  private var chart: String {
    var text = "<div class=\"chart\" tabindex=\"0\" role=\"region\" aria-label=\"Timeline\">\n"
    text += row("<div></div>", height: drawing.axisHeight, label: nil, drawing.axisMarkup, isOnGrid: false)
    if drawing.loadMax > 0 {
      let heading = "<div><h3>active runs<small>\(drawing.loadNote)</small></h3></div>"
      let label = "active runs: \(drawing.loadNote)"
      text += row(heading, height: TimelineDrawing.loadHeight, label: label, drawing.loadMarkup)
    }
    for item in drawing.rows {
      let name = item.job.name.text.escapedMarkup
      let heading = "<div><h3>\(name)<small>\(item.summary.escapedMarkup)</small></h3></div>"
      text += row(heading, height: TimelineDrawing.rowHeight, label: item.description, item.markup)
    }
    text += "</div>\n"
    if let omission = drawing.omission { text += "<p>\(omission)</p>\n" }
    return text
  }

  private func row(
    _ heading: String, height: Int, label: String?, _ markup: String, isOnGrid: Bool = true
  ) -> String {
    let role = label.map { "role=\"img\" aria-label=\"\($0.escapedMarkup)\"" } ?? "aria-hidden=\"true\""
    let grid = isOnGrid ? drawing.gridMarkup(height: height) : ""
    return "<div class=\"row\">\(heading)<svg viewBox=\"0 0 \(drawing.scale.width.tenths) \(height.tenths)\" "
      + "\(role)>\(grid)\(markup)</svg></div>\n"
  }

  private var legend: String {
    let items = drawing.legend.map { item in
      "<li><svg width=\"28\" height=\"16\" aria-hidden=\"true\">\(item.sign)</svg>\(item.text)</li>\n"
    }
    return "<ul class=\"key\" aria-label=\"Signs\">\n\(items.joined())</ul>\n"
  }

  /// The clock changes as text, for readers who cannot see the image.
  private var clockChanges: String {
    drawing.axis.clockChanges.map { change in
      let instant = change.instant.text(in: drawing.axis.zone)
      return "<p>Clock change at \(instant.escapedMarkup): \(change.label.escapedMarkup).</p>\n"
    }.joined()
  }

  private var totals: String {
    let outcomes = summary.outcomes.sorted.map(\.outcome)
    let titles = outcomes.map { Self.outcomeTitle($0) }.joined()
    func line(_ name: String, _ entries: Int, _ peak: Int, _ counts: OutcomeCounts) -> String {
      let numbers = [entries] + outcomes.map { counts[$0] } + [peak]
      return "<tr><th scope=\"row\">\(name.escapedMarkup)</th>"
        + numbers.map { "<td class=\"number\">\($0 == 0 ? "–" : $0.grouped)</td>" }.joined() + "</tr>\n"
    }
    let lines = summary.jobs.map { line($0.name.text, $0.entries, $0.peak, $0.outcomes) }
    return """
      <h2>Totals</h2>
      <div class="scroll" tabindex="0" role="region" aria-label="Totals"><table>
      <thead><tr><th scope="col">Job</th><th scope="col" class="number">Entries</th>\(titles)\
      <th scope="col" class="number">Most runs at a time</th></tr></thead>
      <tbody>
      \(lines.joined())\(line("all", summary.entries, summary.peak, summary.outcomes))</tbody>
      </table></div>

      """
  }

  private static func outcomeTitle(_ outcome: Outcome) -> String {
    "<th scope=\"col\" class=\"number\">\(sign(outcome.kind))\(outcome.rawValue)</th>"
  }

  private static func sign(_ kind: Outcome.Kind) -> String {
    "<svg width=\"14\" height=\"14\" viewBox=\"6 0 16 16\" aria-hidden=\"true\">\(TimelineDrawing.sign(kind))</svg>"
  }

  private var table: String {
    var text = """
      <h2>Entries</h2>
      <div class="scroll" tabindex="0" role="region" aria-label="Entries"><table>
      <thead><tr><th scope="col">Entry</th><th scope="col">Job</th><th scope="col">Start</th><th scope="col">End</th>\
      <th scope="col" class="number">Took</th><th scope="col">Outcome</th></tr></thead>
      <tbody>

      """
    for row in entries.rows {
      let job = summary.jobs[row.job].name
      let cells = EntryCells(row, in: zone(of: row.job))
      text +=
        "<tr><td>\(cells.entry.escapedMarkup)</td><td>\(job.text.escapedMarkup)</td>"
        + "<td>\(cells.start.escapedMarkup)</td><td>\(cells.end.escapedMarkup)</td>"
        + "<td class=\"number\">\(cells.took)</td>"
        + "<td>\(cells.kind.map(Self.sign) ?? "")\(cells.outcome.escapedMarkup)</td></tr>\n"
    }
    text += "</tbody>\n</table></div>\n"
    if entries.omittedCount > 0 {
      text +=
        "<p>\(entries.omittedCount.grouped) more \(entries.omittedCount == 1 ? "row is" : "rows are") left out (limit: "
        + "\(entries.rowsMaxOfJob.grouped) of each job); <code>timelinectl dry-run --json</code> has all.</p>\n"
    }
    return text
  }

  private func zone(of job: Int) -> Zone {
    drawing.rows.indices.contains(job) ? drawing.rows[job].job.zone : drawing.axis.zone
  }
}
