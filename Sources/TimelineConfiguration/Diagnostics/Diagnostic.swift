/// One thing to say about a file: what is wrong, where, what was expected and what to write instead.
///
/// ``text(color:)`` prints it for people, ``json`` for programs.
package struct Diagnostic: Sendable, Hashable {
  /// Whether the configuration is refused for it.
  package enum Severity: String, Sendable, Hashable {
    /// It is.
    case error
    /// It is not.
    case warning
  }

  /// Whether the configuration is refused for it.
  package var severity: Severity
  /// The place of the caret.
  package var place: SourcePlace
  /// The error, in one sentence without a full stop.
  package var message: String
  /// The expectation, printed beside the caret: `expected ...` or a remark.
  package var label: String?
  /// Remedies, one sentence each; the nearest valid spelling comes first.
  package var help: [String]
  /// Other places that have to do with it.
  package var notes: [Note]

  /// Another place that has to do with a diagnostic, such as the first of two jobs of one name.
  package struct Note: Sendable, Hashable {
    /// The meaning of that place.
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

/// A stretch of one line of a file, with the line's text so that it can be shown without the file.
package struct SourcePlace: Sendable, Hashable {
  /// The file, as ``ConfigurationSource/path`` has it.
  package var path: String
  /// The line, from 1; 0 when the file as a whole is meant.
  package var line: Int
  /// The column, from 1, in Unicode scalars: what editors count, with a tab as one.
  package var column: Int
  /// The number of scalars of the line that are marked, at least 1.
  package var length: Int
  /// The line without its end; of a very long one, nothing before ``lineTextOffset`` and not all after it.
  package var lineText: String
  /// The number of scalars of the line before ``lineText``.
  package var lineTextOffset: Int
  /// Whether some users may not read the file.
  package var isPrivate = false

  /// Makes a place in a line.
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

  /// `path:line:column`, or the path alone when the file as a whole is meant.
  package var description: String { line == 0 ? path : "\(path):\(line):\(column)" }
}
