extension Diagnostic {
  /// The diagnostic for people: several lines, each with a newline at its end; with ANSI escapes if `color` is set.
  ///
  /// The first line is `file:line:column: error: message`, which editors and terminals turn into a link. Then follow
  /// the source line with a caret under the place, the `help:` lines and the `note:` places. Control characters of
  /// the file are never written to the terminal. Without `withSeverity`, the severity is omitted, for a log with a
  /// severity of its own.
  package func text(color: Bool = false, withSeverity: Bool = true) -> String {
    let paint = Paint(isOn: color)
    let tone: Paint.Tone = severity == .error ? .red : .yellow
    var lines = [
      paint.bold(Excerpt.cleaned(place.description) + ": ")
        + (withSeverity ? paint.tone(tone, "\(severity.rawValue): ") : "")
        + paint.bold(Excerpt.cleaned(message))
    ]
    lines += Excerpt(place).lines(label: label.map(Excerpt.cleaned), paint: paint, tone: tone)
    lines += help.map { "  " + paint.tone(.cyan, "help: ") + Excerpt.cleaned($0) }
    for note in notes {
      lines.append(
        "  " + paint.tone(.cyan, "note: ") + Excerpt.cleaned("\(note.place.description): \(note.message)"))
      lines += Excerpt(note.place).lines(label: nil, paint: paint, tone: .cyan)
    }
    return lines.joined(separator: "\n") + "\n"
  }
}

extension Sequence<Diagnostic> {
  /// All diagnostics for people, with an empty line between two of them.
  package func text(color: Bool = false) -> String {
    map { $0.text(color: color) }.joined(separator: "\n")
  }

  package var jsonLines: String { map { $0.json + "\n" }.joined() }
}

/// ANSI escapes; empty texts without color.
struct Paint {
  enum Tone: String {
    case red = "31"
    case yellow = "33"
    case cyan = "36"
  }
  var isOn: Bool

  func bold(_ text: String) -> String { isOn ? "\u{1B}[1m\(text)\u{1B}[0m" : text }
  func tone(_ tone: Tone, _ text: String) -> String {
    isOn ? "\u{1B}[1;\(tone.rawValue)m\(text)\u{1B}[0m" : text
  }
}

/// A source line with a caret under it, aligned in columns of a terminal.
private struct Excerpt {
  let place: SourcePlace

  init(_ place: SourcePlace) {
    self.place = place
  }

  func lines(label: String?, paint: Paint, tone: Paint.Tone) -> [String] {
    // If the line is not shown, its columns are not shown either.
    guard place.line > 0, !place.lineText.isEmpty || !place.isPrivate else {
      return label.map { ["  " + $0] } ?? []
    }
    let number = String(place.line)
    let scalars = Array(place.lineText.unicodeScalars)
    let before = scalars.prefix(max(0, place.column - 1 - place.lineTextOffset))
    let marked = scalars.dropFirst(before.count).prefix(place.length)
    let ellipsis = place.lineTextOffset > 0 ? "..." : ""
    // A tab before the caret is repeated in the caret's line, so that the caret is aligned for any width of tabs.
    let indent = before.map {
      $0 == "\t" ? "\t" : String(repeating: " ", count: TerminalWidth.columns(of: $0))
    }.joined()
    let width = max(1, marked.reduce(0) { $0 + ($1 == "\t" ? 1 : TerminalWidth.columns(of: $1)) })
    let caret = "^" + String(repeating: "~", count: width - 1)
    let gutter = String(repeating: " ", count: number.count)
    return [
      "  \(number) | \(ellipsis)\(Self.cleaned(place.lineText))",
      "  \(gutter) | \(ellipsis.isEmpty ? "" : "   ")\(indent)"
        + paint.tone(tone, caret + (label.map { " " + $0 } ?? "")),
    ]
  }

  /// Returns the text with U+FFFD in place of characters that would control a terminal or change the reading order.
  static func cleaned(_ text: String) -> String {
    // Nearly every text is plain ASCII. Looking up the category of each scalar took most of the time of writing many
    // warnings.
    if text.utf8.allSatisfy({ (0x20...0x7E).contains($0) || $0 == 0x09 }) { return text }
    var cleaned = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      let isControl = scalar.properties.generalCategory == .control && scalar != "\t"
      let turns = (0x202A...0x202E).contains(scalar.value) || (0x2066...0x2069).contains(scalar.value)
      cleaned.append(isControl || turns ? "\u{FFFD}" : scalar)
    }
    return String(cleaned)
  }
}
