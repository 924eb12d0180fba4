// Diagnostics for readers who may not read the files that they are about, as those of a log or of a reply to any client.
extension Diagnostic {
  /// The diagnostic without the contents of private files. Of one in a private file only the place is left: each of its sentences may quote
  /// the line.
  package var redacted: Diagnostic {
    guard !place.isPrivate else {
      return Diagnostic(
        severity: severity, place: place.redacted,
        message:
          "the fault is not shown, because not everybody may read \(place.path): run `timelinectl check` as a user who may"
      )
    }
    var shown = self
    for index in notes.indices where notes[index].place.isPrivate {
      shown.notes[index].place = notes[index].place.redacted
    }
    return shown
  }
}

extension SourcePlace {
  /// The same place without the text of its line.
  fileprivate var redacted: SourcePlace {
    var place = SourcePlace(path: path, line: line, column: column, length: 1, lineText: "")
    place.isPrivate = true
    return place
  }
}
