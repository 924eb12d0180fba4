import TimelineJSON

extension Diagnostic {
  /// The diagnostic as one JSON object on one line, without the newline.
  ///
  /// Always present: `severity`, `file` and `message`. If the place has a line: also `line`, `column`, `length` and
  /// `source`. If the diagnostic has them: `label`, `help` (strings) and `notes` (objects of `file`, `line`,
  /// `column`, `message`).
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
