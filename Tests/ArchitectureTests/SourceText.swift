/// Takes Swift or C text apart, so that a rule about code is not fooled by a comment or a string.
enum SourceText {
  /// The text twice, each byte blanked out where it does not belong: `code` keeps the quotes of string literals and what
  /// is interpolated into them, `comments` keeps comments with their markers. Line breaks stay in both.
  static func separate(_ text: String) -> (code: String, comments: String) {
    var scanner = Scanner(bytes: Array(text.utf8))
    scanner.code(until: nil)
    return (
      String(decoding: scanner.code, as: UTF8.self), String(decoding: scanner.comments, as: UTF8.self)
    )
  }
}

private struct Scanner {
  let bytes: [UInt8]
  var code: [UInt8]
  var comments: [UInt8]
  var position = 0

  init(bytes: [UInt8]) {
    self.bytes = bytes
    code = bytes.map { $0 == UInt8(ascii: "\n") ? $0 : UInt8(ascii: " ") }
    comments = code
  }

  private func starts(with text: StaticString, at offset: Int = 0) -> Bool {
    let start = position + offset
    let count = text.utf8CodeUnitCount
    guard start + count <= bytes.count else { return false }
    return text.withUTF8Buffer { wanted in
      for index in 0..<count where unsafe bytes[start + index] != wanted[index] { return false }
      return true
    }
  }

  private mutating func keepCode(_ count: Int = 1) {
    for _ in 0..<count where position < bytes.count {
      code[position] = bytes[position]
      position += 1
    }
  }

  private mutating func keepComment(_ count: Int = 1) {
    for _ in 0..<count where position < bytes.count {
      comments[position] = bytes[position]
      position += 1
    }
  }

  /// Reads code up to the closing parenthesis of an interpolation, or to the end.
  mutating func code(until closing: UInt8?) {
    var depth = 0
    while position < bytes.count {
      let byte = bytes[position]
      if starts(with: "//") {
        while position < bytes.count, bytes[position] != UInt8(ascii: "\n") { keepComment() }
      } else if starts(with: "/*") {
        blockComment()
      } else if let pounds = literalPounds() {
        string(pounds: pounds)
      } else if byte == UInt8(ascii: "'"), let length = characterLength() {
        keepCode()
        position += length - 2
        keepCode()
      } else {
        if byte == UInt8(ascii: "(") { depth += 1 }
        if byte == UInt8(ascii: ")") { depth -= 1 }
        keepCode()
        if byte == closing, depth < 0 { return }
      }
    }
  }

  private mutating func blockComment() {
    var depth = 0
    repeat {
      if starts(with: "/*") {
        depth += 1
        keepComment(2)
      } else if starts(with: "*/") {
        depth -= 1
        keepComment(2)
      } else {
        keepComment()
      }
    } while depth > 0 && position < bytes.count
  }

  /// The number of `#` before a string or regular expression that begins here; `nil` when none does.
  private func literalPounds() -> Int? {
    var pounds = 0
    while position + pounds < bytes.count, bytes[position + pounds] == UInt8(ascii: "#") { pounds += 1 }
    if starts(with: "\"", at: pounds) { return pounds }
    return pounds > 0 && starts(with: "/", at: pounds) ? pounds : nil
  }

  /// The length of a C character constant that begins here; Swift has none, and an apostrophe elsewhere is none.
  private func characterLength() -> Int? {
    for length in 3...4 where position + length <= bytes.count {
      let escaped = bytes[position + 1] == UInt8(ascii: "\\")
      if bytes[position + length - 1] == UInt8(ascii: "'"), escaped == (length == 4) { return length }
    }
    return nil
  }

  private mutating func string(pounds: Int) {
    keepCode(pounds)
    let quote = bytes[position]
    let quotes = starts(with: "\"\"\"") ? 3 : 1
    keepCode(quotes)
    while position < bytes.count {
      if isRun(of: quote, quotes, at: 0), isRun(of: UInt8(ascii: "#"), pounds, at: quotes) {
        return keepCode(quotes + pounds)
      }
      if bytes[position] == UInt8(ascii: "\n"), quotes == 1 { return }
      guard bytes[position] == UInt8(ascii: "\\"), isRun(of: UInt8(ascii: "#"), pounds, at: 1) else {
        position += 1
        continue
      }
      position += 1 + pounds
      if position < bytes.count, bytes[position] == UInt8(ascii: "(") {
        keepCode()
        code(until: UInt8(ascii: ")"))
      } else {
        position += 1
      }
    }
  }

  private func isRun(of byte: UInt8, _ count: Int, at offset: Int) -> Bool {
    let start = position + offset
    guard start + count <= bytes.count else { return false }
    return bytes[start..<start + count].allSatisfy { $0 == byte }
  }
}
