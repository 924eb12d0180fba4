import TimelineJSON

/// A value of the parameters that names a thing outside of them: a program, or a credential of the job.
enum ParameterReference {
  case given(TOMLValue)
  /// The default of a key that the table at the place lacks.
  case omitted(JSONValue, of: SourcePlace)

  /// The texts of the value; empty if it is neither a text nor an array.
  var words: [String] {
    switch value {
    case .string(let text): [text]
    case .array(let values): values.map { if case .string(let text) = $0 { text } else { "" } }
    default: []
    }
  }

  /// The value.
  var value: JSONValue {
    switch self {
    case .given(let value): value.json
    case .omitted(let value, _): value
    }
  }

  /// The place of the name: the place of the first element if the value is an array.
  var place: SourcePlace {
    switch self {
    case .given(let value):
      if case .array(let elements) = value.content, let first = elements.first {
        first.place
      } else {
        value.place
      }
    case .omitted(_, let place): place
    }
  }
}
