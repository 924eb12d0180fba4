/// Variables of an `environment-file`, in the syntax of systemd.exec(5): comments after `#` or `;` at the beginning of
/// a line, quotes, and lines that a backslash continues.
package struct EnvironmentFileText: Sendable, Hashable {
  /// The variables; the last of several assignments to a name counts.
  package private(set) var variables: [String: String] = [:]
  /// The first line, from 1, that is ignored because it is not an assignment, its name is not valid, or timelined
  /// sets the variable itself.
  package private(set) var firstIgnoredLine: Int?

  private enum State {
    case beforeName, name, beforeValue, value, escapedInValue, singleQuotes, doubleQuotes,
      escapedInDoubleQuotes, comment, escapedInComment
  }

  private var state = State.beforeName
  private var name: [UInt8] = []
  private var value: [UInt8] = []
  /// Length of ``value`` in bytes without trailing blanks that are neither escaped nor quoted.
  private var kept = 0
  private var line = 1
  private var firstLine = 1

  /// Reads a text; `nil` if it has a NUL, which an environment cannot hold, or is not UTF-8, which timelined does not
  /// accept in variables.
  package init?(_ bytes: [UInt8]) {
    guard !bytes.contains(0), String(validating: bytes, as: UTF8.self) != nil else { return nil }
    for byte in bytes {
      take(byte)
      if byte == UInt8(ascii: "\n") { line += 1 }
    }
    switch state {
    case .beforeName, .comment, .escapedInComment: break
    case .name: ignore()
    default: assign()
    }
  }

  /// Whether a variable may have that name: letters, digits and `_`, not beginning with a digit.
  package static func isName(_ name: some StringProtocol) -> Bool {
    guard let first = name.utf8.first, !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains(first) else {
      return false
    }
    return name.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
        true
      default: false
      }
    }
  }

  /// Whether timelined sets the variable itself.
  package static func isReserved(_ name: some StringProtocol) -> Bool {
    name == "CREDENTIALS_DIRECTORY" || name.hasPrefix("TIMELINE_")
  }

  private mutating func take(_ byte: UInt8) {
    let isLineEnd = byte == UInt8(ascii: "\n")
    let isBackslash = byte == UInt8(ascii: "\\")
    switch state {
    case .beforeName: beginName(byte)
    case .name:
      if isLineEnd {
        ignore()
        state = .beforeName
      } else if byte == UInt8(ascii: "=") {
        state = .beforeValue
      } else {
        name.append(byte)
      }
    case .beforeValue, .value: takeOfValue(byte)
    case .escapedInValue:
      state = .value
      if !isLineEnd { keep(byte) }
    case .singleQuotes: if byte == UInt8(ascii: "'") { state = .beforeValue } else { keep(byte) }
    case .doubleQuotes:
      switch byte {
      case UInt8(ascii: "\""): state = .beforeValue
      case UInt8(ascii: "\\"): state = .escapedInDoubleQuotes
      default: keep(byte)
      }
    case .escapedInDoubleQuotes:
      state = .doubleQuotes
      if isLineEnd { return }
      if !"\"\\`$".utf8.contains(byte) { keep(UInt8(ascii: "\\")) }
      keep(byte)
    case .comment: state = isLineEnd ? .beforeName : isBackslash ? .escapedInComment : .comment
    case .escapedInComment: state = isLineEnd ? .beforeName : .comment
    }
  }

  private mutating func beginName(_ byte: UInt8) {
    if Self.isBlank(byte) { return }
    guard byte != UInt8(ascii: "#"), byte != UInt8(ascii: ";") else { return state = .comment }
    (name, value, kept, firstLine) = ([byte], [], 0, line)
    state = .name
  }

  private mutating func takeOfValue(_ byte: UInt8) {
    switch byte {
    case UInt8(ascii: "\n"):
      assign()
      state = .beforeName
    case UInt8(ascii: "\\"): state = .escapedInValue
    case UInt8(ascii: "'") where state == .beforeValue: state = .singleQuotes
    case UInt8(ascii: "\"") where state == .beforeValue: state = .doubleQuotes
    case _ where Self.isBlank(byte): if state == .value { value.append(byte) }
    default:
      state = .value
      keep(byte)
    }
  }

  private mutating func keep(_ byte: UInt8) {
    value.append(byte)
    kept = value.count
  }

  private mutating func assign() {
    while let last = name.last, Self.isBlank(last) { name.removeLast() }
    let key = String(decoding: name, as: UTF8.self)
    guard Self.isName(key), !Self.isReserved(key) else { return ignore() }
    variables[key] = String(decoding: value.prefix(kept), as: UTF8.self)
  }

  private mutating func ignore() { firstIgnoredLine = firstIgnoredLine ?? firstLine }

  private static func isBlank(_ byte: UInt8) -> Bool { " \t\r\n".utf8.contains(byte) }
}
