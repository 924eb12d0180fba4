/// Words of a unit's setting, parsed according to systemd.syntax(7), "Quoting".
enum UnitWords {
  /// The word for a `;` between commands. A `;` that is escaped or in quotes is an argument.
  static let separator = "\0"

  /// Splits at white space. Quotes keep words together, and C escapes are replaced. Returns `nil` if a quote is not
  /// closed or an escape is unknown.
  static func split(_ text: String) -> [String]? {
    var words: [String] = []
    var word: String?
    var quote: Character?
    var isBare = true
    var rest = text[...]
    func endWord() {
      if let ended = word { words.append(isBare && ended == ";" ? separator : ended) }
      (word, isBare) = (nil, true)
    }
    while let character = rest.popFirst() {
      if character == "\\" {
        guard let escaped = escape(&rest) else { return nil }
        word = (word ?? "") + escaped
        isBare = false
      } else if let open = quote {
        if character == open { quote = nil } else { word?.append(character) }
      } else if character == "\"" || character == "'" {
        quote = character
        word = word ?? ""
        isBare = false
      } else if character.isWhitespace {
        endWord()
      } else {
        word = (word ?? "") + String(character)
      }
    }
    endWord()
    return quote == nil ? words : nil
  }

  private static func escape(_ rest: inout Substring) -> String? {
    guard let character = rest.popFirst() else { return nil }
    switch character {
    case "a": return "\u{7}"
    case "b": return "\u{8}"
    case "f": return "\u{C}"
    case "n": return "\n"
    case "r": return "\r"
    case "t": return "\t"
    case "v": return "\u{B}"
    case "s": return " "
    case "\\", "\"", "'", ";", "$", "%": return String(character)
    case "x":
      let digits = rest.prefix(2)
      rest = rest.dropFirst(2)
      guard digits.count == 2, let value = UInt8(digits, radix: 16), value > 0, value < 0x80 else {
        return nil
      }
      return String(UnicodeScalar(value))
    default: return nil
    }
  }

  /// Returns a word for a POSIX shell, in quotes if necessary.
  static func quoted(_ word: String) -> String {
    let isPlain =
      !word.isEmpty && word.utf8.allSatisfy { $0.isLetterOrDigit || "_/.,:=+@%-".utf8.contains($0) }
    return isPlain ? word : "'" + word.replacing("'", with: "'\\''") + "'"
  }
}
