/// An error or a warning about a file: the fault, its place, the expectation and the remedies.
///
/// ``text(color:)`` prints it for people, ``json`` for programs.
package struct Diagnostic: Sendable, Equatable {
  /// Severity of a diagnostic: whether the configuration is refused because of it.
  package enum Severity: String, Sendable, Hashable {
    /// The configuration is refused.
    case error
    /// The configuration is accepted.
    case warning
  }

  package var severity: Severity
  /// Place of the caret.
  package var place: SourcePlace
  /// One sentence, without a full stop.
  package var message: String
  /// Text beside the caret: `expected ...` or a remark.
  package var label: String?
  /// Remedies, one sentence each. The nearest valid spelling comes first.
  package var help: [String]
  package var notes: [Note]

  /// Another place that is related to a diagnostic, for example the first of two jobs with the same name.
  package struct Note: Sendable, Equatable {
    /// Relation of the place to the diagnostic.
    package var message: String
    package var place: SourcePlace

    package init(message: String, place: SourcePlace) {
      self.message = message
      self.place = place
    }
  }

  package init(
    severity: Severity = .error, place: SourcePlace, message: String, label: String? = nil,
    help: [String] = [], notes: [Note] = []
  ) {
    self.severity = severity
    self.place = place
    self.message = message
    self.label = label
    self.help = help
    self.notes = notes
  }
}

/// A range within one line of a file, with the line's text, so that the range can be shown without the file.
package struct SourcePlace: Sendable, Hashable {
  /// From ``ConfigurationSource/path``.
  package var path: String
  /// The line, from 1; 0 if the place is the file as a whole.
  package var line: Int
  /// The column, from 1, in Unicode scalars, as in editors. A tab is one column.
  package var column: Int
  /// The number of marked scalars of the line, at least 1.
  package var length: Int
  /// The line without its end. A very long line is cut to a part that begins at ``lineTextOffset``.
  package var lineText: String
  /// The number of scalars of the line before ``lineText``.
  package var lineTextOffset: Int
  /// Whether some users may not read the file.
  package var isPrivate = false

  package init(path: String, line: Int, column: Int, length: Int, lineText: String, lineTextOffset: Int = 0) {
    self.path = path
    self.line = line
    self.column = column
    self.length = length
    self.lineText = lineText
    self.lineTextOffset = lineTextOffset
  }

  /// The file as a whole.
  package init(wholeOf path: String) {
    self.init(path: path, line: 0, column: 0, length: 1, lineText: "")
  }

  /// `path:line:column`, or only the path if the place is the file as a whole.
  package var description: String { line == 0 ? path : "\(path):\(line):\(column)" }
}
