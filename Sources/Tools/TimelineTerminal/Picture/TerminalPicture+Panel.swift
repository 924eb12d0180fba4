import TimelineCore

// Panels over the lower part of the timeline.
extension TerminalPicture {
  /// Draws the open panel above the last two lines of the screen, under a line with the panel's title and the number
  /// of further lines.
  mutating func drawPanel() {
    guard let text = PanelText(view, glyphs) else { return }
    let room = layout.panelRoom
    let first = max(0, min(view.panelFirst, text.lines.count - room))
    let shown = text.lines.dropFirst(first).prefix(room)
    let (width, height) = (view.size.width, shown.count + 2)
    let top = view.size.height - 2 - height
    for line in top..<top + height {
      let isEdge = line == top || line == top + height - 1
      for column in 0..<width { grid.set(line, column, isEdge ? glyphs.line : " ", isEdge ? .dim : .plain) }
    }
    let title = Self.title(text.title, rest: text.lines.count - first - shown.count, width: width - 6)
    write(" \(title) ", top, 2, limit: width - 2, .bold)
    for (offset, parts) in shown.enumerated() {
      var column = 2
      for part in parts { column = write(part.text, top + 1 + offset, column, limit: width - 1, part.style) }
    }
  }

  /// The title with the number of further lines, and with the keys that show them if there is room.
  private static func title(_ title: String, rest: Int, width: Int) -> String {
    guard rest > 0 else { return title }
    let short = "\(title); \(rest) more line\(rest == 1 ? "" : "s")"
    let long = "\(short): down, space"
    return long.count <= width ? long : short
  }
}
