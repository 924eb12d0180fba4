/// The command column of a line, split as by Debian's cron (do_command.c).
struct CrontabCommand: Equatable {
  var text: String
  /// Standard input of the command; `nil` for none.
  var input: String?

  init(text: String, input: String?) {
    (self.text, self.input) = (text, input)
  }

  /// Splits the column at the first `%` without a backslash.
  ///
  /// Before this `%`, `\%` is `%` and `\\` is `\`. After it, `\%` is `%`, every other `%` ends a line, and the last
  /// line gets a line end.
  init(column: String) {
    var command: [UInt8] = []
    var rest = Array(column.utf8)[...]
    var isEscaped = false
    var input: ArraySlice<UInt8>?
    while let byte = rest.popFirst() {
      if isEscaped {
        isEscaped = false
        if byte == UInt8(ascii: "%") || byte == UInt8(ascii: "\\") { command.removeLast() }
      } else if byte == UInt8(ascii: "%") {
        input = rest
        break
      } else {
        isEscaped = byte == UInt8(ascii: "\\")
      }
      command.append(byte)
    }
    text = String(decoding: command, as: UTF8.self)
    self.input = input.flatMap { $0.isEmpty ? nil : Self.input($0) }
  }

  private static func input(_ bytes: ArraySlice<UInt8>) -> String {
    var result: [UInt8] = []
    var isEscaped = false
    for byte in bytes {
      if isEscaped {
        isEscaped = false
        if byte != UInt8(ascii: "%") { result.append(UInt8(ascii: "\\")) }
        result.append(byte)
      } else if byte == UInt8(ascii: "\\") {
        isEscaped = true
      } else {
        result.append(byte == UInt8(ascii: "%") ? UInt8(ascii: "\n") : byte)
      }
    }
    if isEscaped { result.append(UInt8(ascii: "\\")) }
    if result.last != UInt8(ascii: "\n") { result.append(UInt8(ascii: "\n")) }
    return String(decoding: result, as: UTF8.self)
  }
}
