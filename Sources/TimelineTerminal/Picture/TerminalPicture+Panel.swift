import TimelineCore

// Panels over the lower part of the timeline: help, an entry, texts of the daemon.
extension TerminalPicture {
  mutating func drawPanel() {
    switch view.panel {
    case .help?: drawHelp()
    case .entry?: drawEntry()
    case .text(let title, let lines, let first)?: drawText(title, lines, from: first)
    case nil: break
    }
  }

  /// A line of a panel: texts with their styles.
  private typealias PanelLine = [(text: String, style: CellStyle)]

  private mutating func drawHelp() {
    var lines: [PanelLine] = ViewHelp.keys(isRehearsal: view.isRehearsal).map { key, word in
      [(Self.padded(key, to: 12), .bold), (word, .plain)]
    }
    let runs = "\(glyphs.bar)\(glyphs.bar) run   \(glyphs.futureBar)\(glyphs.futureBar) run to come   "
    lines.append([
      (runs + "\(glyphs.tick) short run   \(glyphs.crowd) many runs   \(glyphs.wait) wait", .plain)
    ])
    for (kind, word) in ViewHelp.signs {
      lines.append([(Self.padded(String(glyphs.mark(kind)), to: 4), CellStyle(kind)), (word, .plain)])
    }
    drawLines(lines, title: "keys and signs")
  }

  private mutating func drawEntry() {
    guard let entry = view.selection, let job = view.selectedJob.map({ view.jobs[$0] }) else { return }
    let words = EntryWords(view)
    let details = words.details(entry, of: job)
    let width = (details.map(\.name.count).max() ?? 0) + 2
    let lines: [PanelLine] = details.flatMap { name, text in
      wrapped(text, to: max(10, view.size.width - width - 4)).enumerated().map { index, part in
        [(Self.padded(index == 0 ? name : "", to: width), .bold), (part, .plain)]
      }
    }
    let head = wrapped(words.headline(entry, of: job), to: max(10, view.size.width - 4))
    drawLines(head.map { [($0, entry.outcome.map { CellStyle($0.kind) } ?? .bold)] } + lines, title: "entry")
  }

  private mutating func drawText(_ title: String, _ lines: [String], from first: Int) {
    let room = max(1, layout.panelHeight - 2)
    let shown = lines.dropFirst(first).prefix(room)
    let rest = lines.count - first - shown.count
    let more = rest > 0 ? "; \(rest) more line\(rest == 1 ? "" : "s"): down, space" : ""
    drawLines(shown.map { [($0, .plain)] }, title: title + more)
  }

  /// Draws lines above the last two of the screen, under a line with a title; those for which there is no room are left out.
  private mutating func drawLines(_ lines: [PanelLine], title: String) {
    let height = min(lines.count + 2, layout.panelHeight)
    let top = view.size.height - 2 - height
    let width = view.size.width
    for line in top..<top + height {
      for column in 0..<width { grid.set(line, column, " ") }
    }
    for edge in [top, top + height - 1] {
      for column in 0..<width { grid.set(edge, column, glyphs.line, .dim) }
    }
    write(" \(title) ", top, 2, limit: width - 2, .bold)
    for (offset, parts) in lines.prefix(height - 2).enumerated() {
      var column = 2
      for part in parts { column = write(part.text, top + 1 + offset, column, limit: width - 1, part.style) }
    }
  }

  private static func padded(_ text: String, to width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.count))
  }

  /// The text in lines of `width` characters at most, broken at blanks where there are some.
  private func wrapped(_ text: String, to width: Int) -> [String] {
    var lines: [String] = []
    var line = ""
    for word in text.split(separator: " ", omittingEmptySubsequences: false) {
      if !line.isEmpty, line.count + 1 + word.count > width {
        lines.append(line)
        line = String(word)
      } else {
        line += line.isEmpty ? String(word) : " " + word
      }
    }
    return lines + [line]
  }
}
