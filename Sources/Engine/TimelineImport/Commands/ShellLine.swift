/// The operators at the top level of a shell command: outside of quotes, substitutions, groups and compound commands.
struct ShellLine {
  /// An operator with its place.
  struct Operator: Equatable {
    var text: String
    var range: Range<String.Index>
  }

  /// Operators between commands, in order.
  private(set) var operators: [Operator] = []
  /// Whether all quotes, parentheses and compound commands are closed.
  private(set) var isBalanced = true
  /// Whether a word redirects standard output.
  private(set) var redirectsOutput = false

  private let text: String
  private var index: String.Index
  private var depth = 0
  private var word = ""
  /// Whether the next word is a command name, so that a keyword is valid.
  private var isAtCommand = true

  /// Scans a command.
  init(_ text: String) {
    self.text = text
    index = text.startIndex
    while index < text.endIndex { step() }
    endWord()
    if depth != 0 { isBalanced = false }
  }

  private mutating func step() {
    let character = text[index]
    switch character {
    case "\\":
      word.append("\\")
      advance(by: 2)
    case "'": skipQuoted(by: "'")
    case "\"": skipQuoted(by: "\"")
    case "`": skipQuoted(by: "`")
    case "$" where text[index...].hasPrefix("$("): skipParentheses(from: text.index(after: index))
    case "(": skipParentheses(from: index)
    case "#" where word.isEmpty: index = text.endIndex
    case " ", "\t":
      endWord()
      advance(by: 1)
    case ";", "&", "|", "\n": takeOperator()
    case ">", "<":
      if character == ">" { redirectsOutput = true }
      // A digit before the redirection and `&1` after it are no commands.
      word = ""
      advance(by: 1)
      while index < text.endIndex, ">&|<".contains(text[index]) { advance(by: 1) }
    default:
      word.append(character)
      advance(by: 1)
    }
  }

  private mutating func takeOperator() {
    // `&>` of bash redirects both outputs, and is no operator.
    if text[index...].hasPrefix("&>") {
      endWord()
      return advance(by: 1)
    }
    endWord()
    let start = index
    let character = text[index]
    advance(by: 1)
    if index < text.endIndex, text[index] == character { advance(by: 1) }
    isAtCommand = true
    guard depth == 0 else { return }
    operators.append(Operator(text: String(text[start..<index]), range: start..<index))
  }

  private mutating func endWord() {
    defer { word = "" }
    guard !word.isEmpty else { return }
    guard isAtCommand else { return }
    switch word {
    case "if", "while", "until", "for", "case", "{": depth += 1
    case "fi", "done", "esac", "}": depth -= 1
    case "then", "else", "elif", "do", "!": return
    default: break
    }
    // The word after `if`, `while`, `until` and `{` is a command again.
    isAtCommand = ["if", "while", "until", "{"].contains(word)
  }

  private mutating func skipQuoted(by quote: Character) {
    word.append(quote)
    advance(by: 1)
    while index < text.endIndex, text[index] != quote {
      let isEscape = text[index] == "\\" && quote != "'"
      advance(by: isEscape ? 2 : 1)
    }
    if index == text.endIndex { isBalanced = false }
    advance(by: 1)
  }

  private mutating func skipParentheses(from start: String.Index) {
    word.append("(")
    var level = 0
    index = start
    while index < text.endIndex {
      switch text[index] {
      case "(": level += 1
      case ")": level -= 1
      case "'", "\"":
        skipQuoted(by: text[index])
        continue
      case "\\": advance(by: 1)
      default: break
      }
      advance(by: 1)
      if level == 0 { return }
    }
    isBalanced = false
  }

  private mutating func advance(by count: Int) {
    index = text.index(index, offsetBy: count, limitedBy: text.endIndex) ?? text.endIndex
  }
}
