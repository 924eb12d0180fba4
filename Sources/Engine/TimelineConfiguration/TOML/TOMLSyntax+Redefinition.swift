// Names that are defined twice.
extension TOMLSyntax {
  /// Returns the error about a name that is defined twice. A note shows the first definition, if a search of the
  /// lines finds it.
  func redefinition(_ reason: String, rule: String, at position: TextPosition) -> Diagnostic {
    let name = reason.split(separator: "'", omittingEmptySubsequences: false).dropFirst().first.map(
      String.init)
    guard let name else {
      return Diagnostic(
        place: source.place(position), message: "the key is given as a table and as something else")
    }
    if reason.hasPrefix("cannot insert") {
      let header = firstLine(of: name, isHeader: rule == "table header", before: position.line + 1)
      return Diagnostic(
        place: header ?? source.place(position),
        message: "`\(name)` would add to a table that its braces have closed",
        help: ["put the keys between the braces, or give both tables headers"])
    }
    let isHeader = rule == "table header"
    let begin = isHeader ? position : beginning(of: name, before: position)
    let first = firstLine(of: name, isHeader: isHeader, before: position.line)
    let length = name.unicodeScalars.count
    let end = TextPosition(line: begin.line, column: begin.column + length + (isHeader ? 2 : 0))
    return Diagnostic(
      place: source.place(begin, end),
      message: isHeader ? "the table `\(name)` is given twice" : "the key `\(name)` is given twice",
      label: "expected another name",
      help: isHeader
        ? ["put the keys of both under one header, or rename one"] : ["leave one of the two out"],
      notes: first.map { [Diagnostic.Note(message: "the first is here", place: $0)] } ?? [])
  }

  /// Returns the position of the key `name` on the line of its value.
  private func beginning(of name: String, before position: TextPosition) -> TextPosition {
    let line = source.line(position.line).unicodeScalars.prefix(position.column - 1)
    guard let range = String(line).range(ofLast: name) else { return position }
    return TextPosition(line: position.line, column: range + 1)
  }

  /// Returns the nearest earlier line that begins with the key, searched up to the table's header. With `isHeader`,
  /// returns the earlier header instead.
  private func firstLine(of name: String, isHeader: Bool, before line: Int) -> SourcePlace? {
    var number = line - 1
    while number > 0 {
      let text = source.line(number)
      let trimmed = text.drop { $0 == " " || $0 == "\t" }
      let column = text.unicodeScalars.count - trimmed.unicodeScalars.count + 1
      let begin = TextPosition(line: number, column: column)
      let length = name.unicodeScalars.count
      if isHeader, trimmed.hasPrefix("[\(name)]") || trimmed.hasPrefix("[[\(name)]]") {
        return source.place(begin, TextPosition(line: number, column: column + length + 2))
      }
      if !isHeader, trimmed.hasPrefix(name),
        [" ", "\t", "=", "."].contains(trimmed.dropFirst(name.count).first ?? "x")
      {
        return source.place(begin, TextPosition(line: number, column: column + length))
      }
      if !isHeader, trimmed.hasPrefix("[") { return nil }
      number -= 1
    }
    return nil
  }
}

extension String {
  /// Returns the number of scalars before the last occurrence of `part`; `nil` if `part` does not occur.
  fileprivate func range(ofLast part: String) -> Int? {
    let (whole, part) = (Array(unicodeScalars), Array(part.unicodeScalars))
    guard whole.count >= part.count else { return nil }
    return (0...(whole.count - part.count)).last { whole[$0...].starts(with: part) }
  }
}
