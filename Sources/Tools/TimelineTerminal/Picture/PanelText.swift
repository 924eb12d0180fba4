import TimelineCore
import TimelineRehearsal

/// The lines of the open panel: help, the selected entry, or a text of the daemon.
struct PanelText {
  /// A line: texts with their styles.
  typealias Line = [(text: String, style: CellStyle)]

  let title: String
  /// All lines; a panel may have room for some of them only.
  let lines: [Line]

  /// Writes the lines; `nil` if no panel is open, or if the selected entry no longer exists.
  init?(_ view: TerminalView, _ glyphs: Glyphs = Glyphs(hasUnicode: true)) {
    switch view.panel {
    case .help?: (title, lines) = ("keys and signs", Self.help(isRehearsal: view.isRehearsal, glyphs))
    case .entry?:
      guard let entry = view.selection, let job = view.selectedJob else { return nil }
      (title, lines) = ("entry", Self.lines(of: entry, of: view.jobs[job], in: view))
    case .text(let title, let lines)?: (self.title, self.lines) = (title, lines.map { [($0, .plain)] })
    case nil: return nil
    }
  }

  private static func help(isRehearsal: Bool, _ glyphs: Glyphs) -> [Line] {
    var lines: [Line] = ViewHelp.keys(isRehearsal: isRehearsal).map { key, word in
      [(padded(key, to: 12), .bold), (word, .plain)]
    }
    let runs = "\(glyphs.bar)\(glyphs.bar) run   \(glyphs.futureBar)\(glyphs.futureBar) run to come   "
    lines.append([
      (runs + "\(glyphs.tick) short run   \(glyphs.crowd) many runs   \(glyphs.wait) wait", .plain)
    ])
    if !isRehearsal { lines.append([("\(glyphs.unknown)\(glyphs.unknown) not read yet", .plain)]) }
    for (kind, word) in ViewHelp.signs {
      lines.append([(padded(String(glyphs.mark(kind)), to: 4), CellStyle(kind)), (word, .plain)])
    }
    return lines
  }

  private static func lines(of entry: ViewEntry, of job: ViewJob, in view: TerminalView) -> [Line] {
    let words = EntryWords(view)
    let details = words.details(entry, of: job)
    let width = (details.map(\.name.count).max() ?? 0) + 2
    let lines: [Line] = details.flatMap { name, text in
      wrapped(text, to: max(10, view.size.width - width - 4)).enumerated().map { index, part in
        [(padded(index == 0 ? name : "", to: width), .bold), (part, .plain)]
      }
    }
    let style = entry.outcome.map { CellStyle($0.kind) } ?? .bold
    let head = wrapped(words.headline(entry, of: job), to: max(10, view.size.width - 4))
    return head.map { [($0, style)] } + lines
  }

  private static func padded(_ text: String, to width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.count))
  }

  /// The text in lines of at most `width` characters, broken at blanks if there are any.
  private static func wrapped(_ text: String, to width: Int) -> [String] {
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
