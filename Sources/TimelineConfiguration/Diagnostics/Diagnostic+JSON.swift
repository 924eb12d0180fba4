extension Diagnostic {
  /// The diagnostic as one JSON object on one line, without the newline.
  ///
  /// Always `severity`, `file` and `message`; where a line is meant `line`, `column`, `length` and `source`; where
  /// there is something to say `label`, `help` (strings) and `notes` (objects of `file`, `line`, `column`, `message`).
  package var json: String {
    var members = [("severity", JSONText.quoted(severity.rawValue))]
    members += Self.members(of: place)
    members.append(("message", JSONText.quoted(message)))
    if place.line > 0 { members.append(("source", JSONText.quoted(place.lineText))) }
    if let label { members.append(("label", JSONText.quoted(label))) }
    if !help.isEmpty { members.append(("help", JSONText.array(help.map(JSONText.quoted)))) }
    if !notes.isEmpty {
      let notes = notes.map { note in
        JSONText.object(Self.members(of: note.place) + [("message", JSONText.quoted(note.message))])
      }
      members.append(("notes", JSONText.array(notes)))
    }
    return JSONText.object(members)
  }

  private static func members(of place: SourcePlace) -> [(String, String)] {
    let file = [("file", JSONText.quoted(place.path))]
    guard place.line > 0 else { return file }
    return file + [
      ("line", String(place.line)), ("column", String(place.column)), ("length", String(place.length)),
    ]
  }
}

/// Writes JSON text (RFC 8259) without white space.
enum JSONText {
  /// The string in quotes; control characters escaped, everything else as UTF-8.
  static func quoted(_ text: String) -> String {
    let isPlain = text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x22 && $0 != 0x5C && $0 != 0x7F }
    if isPlain { return "\"" + text + "\"" }
    var quoted = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": quoted += "\\\""
      case "\\": quoted += "\\\\"
      case "\n": quoted += "\\n"
      case "\r": quoted += "\\r"
      case "\t": quoted += "\\t"
      case _ where scalar.value < 0x20 || scalar.value == 0x7F:
        let digits = String(scalar.value, radix: 16)
        quoted += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: quoted.unicodeScalars.append(scalar)
      }
    }
    return quoted + "\""
  }

  /// The values, which are JSON already, in brackets.
  static func array(_ values: [String]) -> String { "[" + values.joined(separator: ",") + "]" }

  /// The members in their order, the values being JSON already, in braces.
  static func object(_ members: [(String, String)]) -> String {
    "{" + members.map { "\(quoted($0)):\($1)" }.joined(separator: ",") + "}"
  }
}
