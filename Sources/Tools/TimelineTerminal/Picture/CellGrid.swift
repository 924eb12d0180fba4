/// A screen of characters with their styles.
package struct CellGrid: Sendable, Equatable {
  /// Lines of cells, all of one width.
  package private(set) var lines: [[Cell]]

  /// Makes an empty screen.
  package init(_ size: ScreenSize) {
    lines = Array(repeating: Array(repeating: Cell(), count: size.width), count: size.height)
  }

  /// The characters of each line, without blanks at the end.
  package var text: [String] {
    lines.map { line in
      var text = String(String.UnicodeScalarView(line.map(\.character)))
      while text.last == " " { text.removeLast() }
      return text
    }
  }

  /// Sets a cell; a cell outside the screen is ignored.
  mutating func set(_ line: Int, _ column: Int, _ character: Unicode.Scalar, _ style: CellStyle = .plain) {
    guard lines.indices.contains(line), lines[line].indices.contains(column) else { return }
    lines[line][column] = Cell(character: character, style: style)
  }

  /// Writes a text that ends before column `limit`. A longer text is cut, and ends with an ellipsis. Returns the
  /// column after the text.
  @discardableResult
  mutating func write(
    _ text: String, _ line: Int, _ column: Int, limit: Int? = nil, _ style: CellStyle = .plain, glyphs: Glyphs
  ) -> Int {
    guard lines.indices.contains(line) else { return column }
    let limit = min(limit ?? .max, lines[line].count)
    let room = limit - column
    guard room > 0 else { return column }
    var characters = text.unicodeScalars.map(glyphs.shown)
    if characters.count > room { characters = characters.prefix(room - 1) + [glyphs.cut] }
    for (offset, character) in characters.enumerated() { set(line, column + offset, character, style) }
    return column + characters.count
  }

  /// Sets the style of cells of a line.
  mutating func paint(_ line: Int, _ columns: Range<Int>, _ style: CellStyle) {
    guard lines.indices.contains(line) else { return }
    for column in columns.clamped(to: 0..<lines[line].count) { lines[line][column].style = style }
  }

  /// The cell at a position, which must be on the screen.
  subscript(_ line: Int, _ column: Int) -> Cell { lines[line][column] }
}

/// One character of a screen.
package struct Cell: Sendable, Equatable {
  /// One column wide.
  package var character: Unicode.Scalar = " "
  package var style = CellStyle.plain
}

/// Color and attributes of a cell. Nothing depends on color alone.
package struct CellStyle: Sendable, Equatable {
  /// Colors that every color terminal has, by their numbers.
  package enum Color: UInt8, Sendable, Hashable, CaseIterable {
    case none = 0
    case red = 1
    case green = 2
    case yellow = 3
    case cyan = 6
  }

  package var color = Color.none
  package var isBold = false
  package var isDim = false
  /// Whether foreground and background are exchanged.
  package var isReversed = false

  static let plain = CellStyle()
  static let bold = CellStyle(isBold: true)
  static let dim = CellStyle(isDim: true)
  static let reversed = CellStyle(isReversed: true)
}
