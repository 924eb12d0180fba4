/// An error or a warning about a file: what is wrong, where, what was expected and what to write instead.
///
/// ``text(color:)`` prints it for people, ``json`` for programs.
package struct Diagnostic: Sendable, Hashable {
  /// Severity of a diagnostic: whether the configuration is refused because of it.
  package enum Severity: String, Sendable, Hashable {
    /// The configuration is refused.
    case error
    /// The configuration is accepted.
    case warning
  }

  /// Whether the configuration is refused because of the diagnostic.
  package var severity: Severity
  /// The place at which the caret is shown.
  package var place: SourcePlace
  /// The error in one sentence, without a full stop.
  package var message: String
  /// The expectation: `expected ...` or a remark, which is printed beside the caret.
  package var label: String?
  /// Remedies, one sentence each. The nearest valid spelling comes first.
  package var help: [String]
  /// Other places that are related to the diagnostic.
  package var notes: [Note]

  /// Another place that is related to a diagnostic, for example the first of two jobs with the same name.
  package struct Note: Sendable, Hashable {
    /// The relation of the place to the diagnostic.
    package var message: String
    /// The place.
    package var place: SourcePlace

    /// Makes a note.
    package init(message: String, place: SourcePlace) {
      self.message = message
      self.place = place
    }
  }

  /// Makes a diagnostic.
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

/// A range within one line of a file. It includes the line's text, so that the range can be shown without the file.
package struct SourcePlace: Sendable, Hashable {
  /// The path of the file, from ``ConfigurationSource/path``.
  package var path: String
  /// The line, from 1; 0 if the place is the file as a whole.
  package var line: Int
  /// The column, from 1, in Unicode scalars, as in editors. A tab is one column.
  package var column: Int
  /// The number of marked scalars of the line, at least 1.
  package var length: Int
  /// The line without its end. If the line is very long, only a part of it, which begins at ``lineTextOffset``.
  package var lineText: String
  /// The number of scalars of the line before ``lineText``.
  package var lineTextOffset: Int
  /// Whether the file is private: some users may not read it.
  package var isPrivate = false

  /// Makes a place within a line.
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
