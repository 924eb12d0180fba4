import TimelineCore

/// Abilities of a terminal.
package struct TerminalCapabilities: Sendable, Equatable {
  package var hasColor: Bool
  package var hasUnicode: Bool

  package init(hasColor: Bool = true, hasUnicode: Bool = true) {
    self.hasColor = hasColor
    self.hasUnicode = hasUnicode
  }
}

/// Characters of the picture: blocks if the terminal has them, otherwise ASCII.
struct Glyphs: Sendable, Equatable {
  let hasUnicode: Bool

  /// A finished run, or the finished part of a run.
  var bar: Unicode.Scalar { hasUnicode ? "█" : "=" }
  /// A future run.
  var futureBar: Unicode.Scalar { hasUnicode ? "░" : "-" }
  /// Runs too close to be shown separately.
  var crowd: Unicode.Scalar { hasUnicode ? "▓" : "#" }
  /// Future runs too close to be shown separately.
  var futureCrowd: Unicode.Scalar { hasUnicode ? "▒" : "*" }
  /// A run shorter than a cell.
  var tick: Unicode.Scalar { hasUnicode ? "▎" : "'" }
  /// A future run shorter than a cell.
  var futureTick: Unicode.Scalar { hasUnicode ? "╎" : ":" }
  /// An entry that waits.
  var wait: Unicode.Scalar { hasUnicode ? "╌" : "~" }
  /// A stretch of the past that is not read yet.
  var unknown: Unicode.Scalar { hasUnicode ? "╱" : "/" }
  /// The now-line.
  var now: Unicode.Scalar { hasUnicode ? "│" : "|" }
  /// The upper end of the now-line.
  var nowEnd: Unicode.Scalar { hasUnicode ? "▼" : "V" }
  /// A line of the axis behind the rows.
  var grid: Unicode.Scalar { hasUnicode ? "┊" : "." }
  /// Mark of the selected row.
  var selected: Unicode.Scalar { hasUnicode ? "▸" : ">" }
  /// Mark of a paused job.
  var paused: Unicode.Scalar { hasUnicode ? "‖" : "P" }
  /// Horizontal line of a panel.
  var line: Unicode.Scalar { hasUnicode ? "─" : "-" }
  /// End of a text that is cut.
  var cut: Unicode.Scalar { hasUnicode ? "…" : "~" }
  /// A clock that runs.
  var playing: String { hasUnicode ? "▶" : "playing" }
  /// A paused clock.
  var standing: String { hasUnicode ? "‖ paused" : "paused" }

  /// The mark of a class of outcomes.
  func mark(_ kind: Outcome.Kind) -> Unicode.Scalar {
    switch kind {
    case .success: hasUnicode ? "●" : "+"
    case .failure: hasUnicode ? "▲" : "X"
    case .cancellation: hasUnicode ? "■" : "C"
    case .miss: hasUnicode ? "◆" : "M"
    case .omission: hasUnicode ? "○" : "o"
    }
  }

  /// A cell whose left part is filled, in eighths; 0 is empty.
  func left(_ eighths: Int) -> Unicode.Scalar {
    guard hasUnicode else { return eighths >= 4 ? bar : " " }
    let blocks: [Unicode.Scalar] = [" ", "▏", "▎", "▍", "▌", "▋", "▊", "▉", "█"]
    return blocks[max(0, min(eighths, 8))]
  }

  /// A cell whose lower part is filled, in eighths, or an ASCII character of about the same height.
  func lower(_ eighths: Int) -> Unicode.Scalar {
    let blocks: [Unicode.Scalar] =
      hasUnicode
      ? [" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"] : [" ", ".", ".", ":", ":", "|", "|", "#", "#"]
    return blocks[max(0, min(eighths, 8))]
  }

  /// A cell whose right half is filled.
  var rightHalf: Unicode.Scalar { hasUnicode ? "▐" : "=" }

  /// The displayed form of a character in text from outside the program: one column wide, or a question mark.
  func shown(_ character: Unicode.Scalar) -> Unicode.Scalar {
    if (0x20...0x7E).contains(character.value) { return character }
    guard hasUnicode else { return Self.plain[character] ?? "?" }
    return Self.isNarrow(character) ? character : "?"
  }

  /// ASCII replacements of some characters in the program's own text.
  private static let plain: [Unicode.Scalar: Unicode.Scalar] = [
    "→": ">", "−": "-", "–": "-", "—": "-", "…": "~", "·": ".",
  ]

  /// Whether every terminal shows the character one column wide: Latin, Greek and Cyrillic letters, punctuation, currency
  /// signs, arrows, mathematical operators and box drawing, without combining characters.
  private static func isNarrow(_ character: Unicode.Scalar) -> Bool {
    switch character.value {
    case 0xA1...0x2FF, 0x370...0x482, 0x48A...0x52F, 0x2010...0x2027, 0x2030...0x205E, 0x20A0...0x20BF,
      0x2190...0x2319, 0x2500...0x25FC:
      character.value != 0xAD
    default: false
    }
  }
}
