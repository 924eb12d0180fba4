import TimelineCore

extension TimelineDrawing {
  /// The drawing as a self-contained SVG document: light or dark as the viewer prefers, with all text as text.
  package func svg(_ caption: DrawingCaption) -> String {
    SVGPage(drawing: self, caption: caption).text
  }
}

/// Places the parts of a drawing below one another. Lengths are tenths of a pixel.
private struct SVGPage {
  let drawing: TimelineDrawing
  let caption: DrawingCaption

  private static let margin = 240
  /// Left edge of the runs. Names are on its left.
  private static let plot = 2_640
  /// Maximum number of characters of a name and of a note on the left of the runs.
  private static let (nameMax, noteMax) = (26, 37)
  /// Maximum number of characters of the last lines, which are as wide as the drawing.
  private static let lineMax = 170

  private var width: Int { Self.plot + drawing.scale.width + Self.margin }

  var text: String {
    var (body, y) = ("", 920)
    let axisTop = y
    y += drawing.axisHeight
    let gridTop = y
    if drawing.loadMax > 0 {
      body += group(y, "active runs: \(drawing.loadNote)", drawing.loadMarkup)
      body += names("active runs", drawing.loadNote, y - 60)
      y += TimelineDrawing.loadHeight
    }
    for row in drawing.rows {
      body += group(y, row.description, row.markup)
      body += names(row.job.name.text, row.summary, y)
      y += TimelineDrawing.rowHeight
    }
    let grid = at(Self.plot, gridTop, drawing.gridMarkup(height: y - gridTop))
    let axis = at(Self.plot, axisTop, drawing.axisMarkup)
    let (legend, end) = legend(from: y + 240)
    return opening(height: end + Self.margin) + heading + axis + grid + body + legend + "</svg>\n"
  }

  private func opening(height: Int) -> String {
    let (width, height) = (width.tenths, height.tenths)
    let rows = drawing.rows.map(\.description).joined(separator: "\n")
    return """
      <svg xmlns="http://www.w3.org/2000/svg" width="\(width)" height="\(height)" viewBox="0 0 \(width) \(height)" role="group" \
      aria-labelledby="title description">
      <title id="title">\(caption.title.escapedMarkup)</title>
      <desc id="description">\(drawing.subtitle.escapedMarkup)
      \(rows.escapedMarkup)</desc>
      <style>
      \(DrawingStyle.rules)</style>
      <rect class="paper" width="\(width)" height="\(height)" rx="8"/>

      """
  }

  private var heading: String {
    TimelineDrawing.label("title", caption.title.shortened(to: 110), Self.margin, 420) + "\n"
      + TimelineDrawing.label("note", drawing.subtitle.shortened(to: Self.lineMax), Self.margin, 640) + "\n"
  }

  private func names(_ name: String, _ note: String, _ y: Int) -> String {
    TimelineDrawing.label("name", name.shortened(to: Self.nameMax), Self.margin, y + 230)
      + TimelineDrawing.label("note", note.shortened(to: Self.noteMax), Self.margin, y + 380) + "\n"
  }

  private func group(_ y: Int, _ description: String, _ markup: String) -> String {
    "<g role=\"img\" aria-label=\"\(description.escapedMarkup)\">" + at(Self.plot, y, markup) + "</g>\n"
  }

  private func at(_ x: Int, _ y: Int, _ markup: String) -> String {
    "<g transform=\"translate(\(x.tenths) \(y.tenths))\">\(markup)</g>\n"
  }

  /// Returns the legend and the last lines, and the height at which they end.
  private func legend(from top: Int) -> (markup: String, end: Int) {
    var (text, x, y) = ("", Self.margin, top)
    for item in drawing.legend {
      // About the width of the text, with the sign before it and a blank after it.
      let needed = 600 + item.text.count * 68
      if x + needed > width - Self.margin, x > Self.margin { (x, y) = (Self.margin, y + 240) }
      text += at(x, y - 120, item.sign) + TimelineDrawing.label("note", item.text, x + 360, y)
      x += needed
    }
    if let omission = drawing.omission {
      y += 280
      text += TimelineDrawing.label("note", omission, Self.margin, y)
    }
    y += 280
    text += TimelineDrawing.label("note", caption.command.shortened(to: Self.lineMax), Self.margin, y) + "\n"
    return (text, y)
  }
}
