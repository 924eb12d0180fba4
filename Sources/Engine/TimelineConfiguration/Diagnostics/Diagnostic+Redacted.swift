// Diagnostics for readers who may not read the files, for example readers of a log or clients that get a reply.
extension Diagnostic {
  /// The diagnostic without the contents of private files. A diagnostic at a place in a private file keeps only its
  /// severity and the place, because its texts may quote the line.
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
  /// The place without the text of its line.
  fileprivate var redacted: SourcePlace {
    var place = SourcePlace(path: path, line: line, column: column, length: 1, lineText: "")
    place.isPrivate = true
    return place
  }
}
