// Diagnostics for readers who may not read the files, for example readers of a log or clients that get a reply.
extension Diagnostic {
  /// The diagnostic without the contents of private files. If its place is in a private file, only the place is left,
  /// because each of its texts may quote the line.
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
