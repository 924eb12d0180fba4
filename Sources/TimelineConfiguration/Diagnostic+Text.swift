extension Diagnostic {
  /// The diagnostic for people, several lines that each end with a newline.
  package func text(colour: Bool = false) -> String { "" }
  /// The diagnostic as one JSON object on one line, without the newline.
  package var json: String { "" }
}
