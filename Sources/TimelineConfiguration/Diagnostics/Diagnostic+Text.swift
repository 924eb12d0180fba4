extension Diagnostic {
  /// The diagnostic for people, several lines that each end with a newline; with `color` in ANSI escapes.
  ///
  /// First `file:line:column: error: message`, which editors and terminals make a link of; then the line with a
  /// caret under the place, `help:` lines and `note:` places. Nothing from the file reaches a terminal as a control
  /// character. A log that names the severity itself leaves it out.
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
  /// All of them for people, with an empty line between two.
  package func text(color: Bool = false) -> String {
    map { $0.text(color: color) }.joined(separator: "\n")
  }

  /// All of them as JSON lines.
  package var jsonLines: String { map { $0.json + "\n" }.joined() }
}

/// ANSI escapes, or none.
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

/// A source line and the caret under it, in columns of a terminal.
private struct Excerpt {
  let place: SourcePlace

  init(_ place: SourcePlace) {
    self.place = place
  }

  func lines(label: String?, paint: Paint, tone: Paint.Tone) -> [String] {
    // A line that is not shown has no column either.
    guard place.line > 0, !place.lineText.isEmpty || !place.isPrivate else {
      return label.map { ["  " + $0] } ?? []
    }
    let number = String(place.line)
    let scalars = Array(place.lineText.unicodeScalars)
    let before = scalars.prefix(max(0, place.column - 1 - place.lineTextOffset))
    let marked = scalars.dropFirst(before.count).prefix(place.length)
    let ellipsis = place.lineTextOffset > 0 ? "..." : ""
    // A tab is repeated under itself, so that the caret lines up whatever a terminal makes of tabs.
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

  /// The text with what would steer a terminal or turn the reading order replaced by U+FFFD.
  static func cleaned(_ text: String) -> String {
    // Nearly every text is plain; to ask what each of its scalars is took most of the time in which many warnings are written.
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
