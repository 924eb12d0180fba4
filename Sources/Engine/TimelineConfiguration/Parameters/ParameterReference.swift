import TimelineJSON

/// A parameter that names an external object: a program, or a credential of the job.
enum ParameterReference {
  case given(TOMLValue, takesArray: Bool = true)
  /// The default of a key that is absent from the table at the place.
  case omitted(JSONValue, of: SourcePlace)

  /// The texts of the value; empty for a value that is neither a text nor an array.
  var words: [String] {
    switch value {
    case .string(let text): [text]
    case .array(let values): values.map { if case .string(let text) = $0 { text } else { "" } }
    default: []
    }
  }

  var value: JSONValue {
    switch self {
    case .given(let value, _): value.json
    case .omitted(let value, _): value
    }
  }

  /// The places of the words; for a default, one place for all words.
  var places: [SourcePlace] {
    switch self {
    case .given(let value, _):
      if case .array(let elements) = value.content, !elements.isEmpty {
        elements.map(\.place)
      } else {
        [value.place]
      }
    case .omitted(_, let place): [place]
    }
  }

  /// Whether the schema allows an array in place of a text.
  var takesArray: Bool {
    if case .given(_, let takesArray) = self { takesArray } else { false }
  }

  /// Whether one of the diagnostics is about the value itself.
  func isNamed(by diagnostics: [Diagnostic]) -> Bool {
    guard case .given(let value, _) = self else { return false }
    return diagnostics.contains { $0.place == value.place }
  }
}
