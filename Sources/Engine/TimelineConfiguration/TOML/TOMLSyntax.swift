/// Explains why a file is not TOML or exceeds a limit, in the terms of this project.
///
/// toml++ stops at the first error and names the violated rule of its grammar. The intended meaning is derived from
/// the line itself.
struct TOMLSyntax {
  let source: SourceText

  /// Returns the single diagnostic for a file without a tree.
  func diagnostic(for failure: TOMLDocument.Failure) -> Diagnostic {
    let place = source.place(failure.position)
    switch failure.kind {
    case .syntax: return syntax(failure)
    case .tooManyBytes:
      return Diagnostic(
        place: place, message: "the file has more than \(ConfigurationLimits.fileByteCountMax) bytes",
        help: ["part it into several files of `jobs.d`"])
    case .tooManyNodes:
      return Diagnostic(
        place: place, message: "the file has more than \(ConfigurationLimits.nodeCountMax) values",
        help: ["part it into several files of `jobs.d`"])
    case .stringTooLong:
      return Diagnostic(
        place: place, message: "the string has more than \(ConfigurationLimits.stringByteCountMax) bytes",
        help: ["put the text into a file of its own and give the plugin its path"])
    case .tooDeep:
      return Diagnostic(
        place: place,
        message: "tables and arrays lie more than \(ConfigurationLimits.depthMax) deep in one another",
        help: ["no key of a configuration lies that deep; look for a bracket too many"])
    case .outOfMemory:
      return Diagnostic(place: place, message: "there is not enough memory to read the file")
    }
  }

  private func syntax(_ failure: TOMLDocument.Failure) -> Diagnostic {
    let (rule, reason) = Self.parts(of: failure.message)
    let position = failure.position
    if reason.hasPrefix("cannot redefine") || reason.hasPrefix("cannot insert") {
      return redefinition(reason, rule: rule, at: position)
    }
    if reason == "encountered end-of-file" {
      return Diagnostic(
        place: source.place(position), message: "the file ends inside \(Self.article(rule))",
        label: Self.closing(of: rule).map { "expected \($0)" })
    }
    switch rule {
    case "value", "boolean", "floating-point", "decimal integer", "binary integer", "octal integer",
      "hexadecimal integer":
      return wrongValue(reason, at: position)
    case "date", "time", "date-time", "date-time offset": return wrongDate(reason, at: position)
    case "string", "literal string", "unicode scalar sequence": return wrongString(reason, at: position)
    default: return wrongStructure(reason, rule: rule, at: position)
    }
  }

  /// Splits `Error while parsing RULE: REASON` into its two parts.
  private static func parts(of message: String) -> (rule: String, reason: String) {
    let opening = "Error while parsing "
    guard message.hasPrefix(opening), let colon = message.firstIndex(of: ":") else { return ("", message) }
    let rule = message[message.index(message.startIndex, offsetBy: opening.count)..<colon]
    return (String(rule), String(message[colon...].drop { $0 == ":" || $0 == " " }))
  }

  private static func article(_ rule: String) -> String {
    switch rule {
    case "key-value pair": "a key and its value"
    case "", "root table": "a table"
    case "array", "inline table": "an \(rule)"
    default: "a \(rule)"
    }
  }

  private static func closing(of rule: String) -> String? {
    switch rule {
    case "array": "`]`"
    case "inline table": "`}`"
    case "table header": "`]`"
    case "string": "the closing quotes"
    case "literal string": "the closing quotes"
    case "key-value pair": "a value"
    default: nil
    }
  }
}

extension TOMLSyntax {
  private func wrongValue(_ reason: String, at position: TextPosition) -> Diagnostic {
    let word = word(around: position, until: ",]}#")
    let place = source.place(word.begin, word.end)
    if reason.hasPrefix("exceeded maximum nested value depth") {
      return diagnostic(for: TOMLDocument.Failure(kind: .tooDeep, position: position))
    }
    if reason == "leading zeroes are prohibited" {
      return Diagnostic(
        place: place, message: "`\(word.text)` begins with a zero", label: "expected a number without it")
    }
    if reason.hasSuffix("is not representable in 64 bits") {
      return Diagnostic(
        place: place, message: "`\(word.text)` is too large", label: "expected a number of 64 bits")
    }
    let help: [String]
    if let boolean = Spelling.nearest(to: word.text, among: ["true", "false"]) {
      help = ["did you mean `\(boolean)`?"]
    } else if let truth = ["yes": "true", "on": "true", "no": "false", "off": "false"][word.text.lowercased()]
    {
      help = ["did you mean `\(truth)`?"]
    } else {
      help = ["a string stands in quotes: \"\(word.text)\""]
    }
    return Diagnostic(
      place: place, message: "`\(word.text)` is not a value",
      label: "expected a string, a number, true, false, a date-time, [ or {", help: help)
  }

  private func wrongDate(_ reason: String, at position: TextPosition) -> Diagnostic {
    let word = word(around: position, until: ",]}#")
    var help = ["a date-time looks like 2026-01-31T08:00:00Z or 2026-01-31T08:00:00+01:00"]
    if reason.hasPrefix("expected ':', saw"), word.text.count == 5 {
      help = ["did you mean `\(word.text):00`?"]
    }
    return Diagnostic(
      place: source.place(word.begin, word.end), message: "`\(word.text)` is not a date or time",
      label: reason.replacing("'\\n'", with: "the end of the line"), help: help)
  }

  private func wrongString(_ reason: String, at position: TextPosition) -> Diagnostic {
    let place = source.place(position)
    let line = source.line(position.line)
    if reason.contains("control characters"), position.column > line.unicodeScalars.count {
      return Diagnostic(
        place: place, message: "the string does not end on its line", label: "expected the closing quote",
        help: ["a string of several lines stands between three quotes: \"\"\""])
    }
    if reason.contains("control characters") {
      return Diagnostic(
        place: place, message: "the string holds a control character",
        help: ["write it as an escape such as `\\t` or `\\u001B` in double quotes"])
    }
    if reason.hasPrefix("unknown escape sequence") || reason.hasPrefix("expected hex digit")
      || reason.hasPrefix("escape sequence") || reason.hasPrefix("line-ending backslashes")
    {
      return Diagnostic(
        place: place, message: "the string holds a backslash that begins no escape",
        label: "expected one of \\\\ \\\" \\b \\t \\n \\f \\r \\u0000 \\U00000000",
        help: ["write the backslash twice, or put the string in single quotes, which know no escapes"])
    }
    return Diagnostic(place: place, message: "the string cannot be read: \(reason)")
  }

  /// Returns the probably intended header of a line without its closing bracket.
  private func closedHeader(of line: String) -> String {
    let text = line.prefix { !"#]})>".contains($0) }
    let bracket = text.hasPrefix("[[") ? "[[" : "["
    let name = text.trimmingPrefix(bracket).split(separator: " ").joined(separator: " ")
    let end = bracket == "[[" ? "]]" : "]"
    guard name.contains(" "), !name.contains("\""), !name.contains("'") else {
      return "write \(bracket)\(name)\(end)"
    }
    var parts = name.split(separator: ".").map { $0.split(separator: " ").joined(separator: "-") }
    let words = name.split(separator: " ")
    // A name follows the kind of its table.
    if parts.count == 1, ["job", "group", "holidays"].contains(words[0]) {
      parts = [String(words[0]), words.dropFirst().joined(separator: "-")]
    }
    return "a name has no spaces: \(bracket)\(parts.joined(separator: "."))\(end)"
  }

  private func wrongStructure(_ reason: String, rule: String, at position: TextPosition) -> Diagnostic {
    func made(_ message: String, _ label: String? = nil, _ help: String...) -> Diagnostic {
      Diagnostic(place: source.place(position), message: message, label: label, help: help)
    }
    let isAtEndOfLine = position.column > source.line(position.line).unicodeScalars.count
    switch (rule, reason) {
    case ("key-value pair", let reason) where reason.hasPrefix("expected '='"):
      return made(
        "there is no `=` after the key", "expected `=`",
        "a key and its value are written `key = value`; a key that is no plain word stands in quotes")
    case ("key-value pair", let reason) where reason.hasPrefix("expected value"):
      return made("there is no value after the `=`", "expected a value")
    case (_, let reason) where reason.hasPrefix("expected a comment or whitespace"):
      return made(
        "the line goes on after its end", "expected the end of the line or a comment",
        "each key and each [table] has a line of its own; a string with spaces stands in quotes")
    case ("table header", let reason) where reason.hasPrefix("expected ']'"):
      return made(
        "the table's header is not closed", "expected `]`",
        closedHeader(of: source.line(position.line)))
    case ("table header", let reason) where reason.hasPrefix("tables with blank"):
      return made("the table has no name", "expected a name such as job.backup")
    case ("array", let reason) where reason.hasPrefix("expected comma or closing"):
      return made(
        "the array is not closed, or a comma is missing", "expected `,` or `]`",
        "look at the end of the value before this place")
    case ("inline table", let reason) where reason.contains("dangling comma"):
      return made(
        "the last value of an inline table has a comma after it", "expected `}`, without a comma before it")
    case ("inline table", _) where isAtEndOfLine:
      return made(
        "the inline table does not end on its line", "expected `}`",
        "write it on one line, or as a table with a header of its own")
    case ("inline table", let reason) where reason.hasPrefix("expected comma"):
      return made("the inline table is not closed, or a comma is missing", "expected `,` or `}`")
    case ("root table", _):
      return made("this begins neither a key nor a table", "expected a key, a [table] or a comment")
    case ("key", _):
      return made(
        "the key is not a word", "expected letters, digits, `-` or `_`, or a key in quotes")
    default: return made("this is not TOML: \(reason)")
    }
  }
}

extension TOMLSyntax {
  /// A word of a line, with its position.
  private struct Word {
    var text: String
    var begin: TextPosition
    var end: TextPosition
  }

  /// Returns the word around `position`, from the character that begins a value to a character of `ends`, without
  /// surrounding spaces.
  private func word(around position: TextPosition, until ends: String) -> Word {
    let scalars = Array(source.line(position.line).unicodeScalars)
    let ends = Set(ends.unicodeScalars)
    let marks = Set("=,[{ \t".unicodeScalars)
    var begin = min(position.column - 1, scalars.count)
    while begin > 0, !marks.contains(scalars[begin - 1]) { begin -= 1 }
    var end = max(begin, min(position.column - 1, scalars.count))
    while end < scalars.count, !ends.contains(scalars[end]) { end += 1 }
    while end > begin, scalars[end - 1] == " " || scalars[end - 1] == "\t" { end -= 1 }
    var text = String.UnicodeScalarView()
    text.append(contentsOf: scalars[begin..<end])
    return Word(
      text: String(text), begin: TextPosition(line: position.line, column: begin + 1),
      end: TextPosition(line: position.line, column: end + 1))
  }
}
