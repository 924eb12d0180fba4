/// A line that sets a variable, parsed as by Debian's cron (env.c, `load_env`).
enum CrontabVariable: Equatable {
  /// Without quotes.
  case variable(name: String, value: String)
  /// A name and `=` without a value. cron parses the line as a job and refuses it.
  case empty(name: String)

  /// Parses a line without leading blanks; `nil` if the line sets no variable.
  init?(_ line: [UInt8]) {
    var rest = line[...]
    guard let name = Self.name(&rest) else { return nil }
    rest = rest.drop(while: \.isSpace)
    guard rest.first == UInt8(ascii: "=") else { return nil }
    rest = rest.dropFirst().drop(while: \.isSpace)
    guard let first = rest.first else {
      self = .empty(name: String(decoding: name, as: UTF8.self))
      return
    }
    guard var value = Self.value(rest, quote: Self.isQuote(first) ? first : nil) else { return nil }
    // cron removes quotes a second time.
    if value.count >= 2, let quote = value.first, Self.isQuote(quote), value.last == quote {
      value = value.dropFirst().dropLast()
    }
    self = .variable(
      name: String(decoding: name, as: UTF8.self), value: String(decoding: value, as: UTF8.self))
  }

  private static func isQuote(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "'") || byte == UInt8(ascii: "\"")
  }

  private static func name(_ rest: inout ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    guard let first = rest.first else { return nil }
    if isQuote(first) {
      let inner = rest.dropFirst()
      guard let end = inner.firstIndex(of: first), !inner[..<end].contains(UInt8(ascii: "=")) else {
        return nil
      }
      rest = inner[(end + 1)...]
      return inner[..<end]
    }
    let end = rest.firstIndex { $0.isSpace || $0 == UInt8(ascii: "=") } ?? rest.endIndex
    defer { rest = rest[end...] }
    return rest[..<end]
  }

  /// Returns the value; `nil` if a quote is not closed, or if text follows the closing quote.
  private static func value(_ text: ArraySlice<UInt8>, quote: UInt8?) -> ArraySlice<UInt8>? {
    guard let quote else {
      let last = text.lastIndex { !$0.isSpace } ?? text.startIndex
      return text[...last]
    }
    let inner = text.dropFirst()
    guard let end = inner.firstIndex(of: quote), inner[(end + 1)...].allSatisfy(\.isSpace) else { return nil }
    return inner[..<end]
  }
}
