import TimelineJSON

/// Values of a TOML file under the rules of JSON Schema.
extension TOMLValue {
  /// Whether the value has the type. Dates and times are strings.
  ///
  /// Stricter than JSON Schema: a float without a fraction is no integer, because the plugin receives a float, which
  /// a plugin that reads an integer would reject.
  func fits(_ type: ParameterSchema.ValueType) -> Bool {
    switch (content, type) {
    case (.string, .string), (.localDate, .string), (.localTime, .string), (.localDateTime, .string),
      (.offsetDateTime, .string), (.integer, .integer), (.integer, .number), (.float, .number),
      (.boolean, .boolean), (.array, .array), (.table, .object):
      true
    default: false
    }
  }

  /// Whether the value equals the JSON value. Numbers are compared by value, regardless of their notation.
  func equals(_ value: JSONValue) -> Bool { json.isSame(as: value) }

  /// Cost of one comparison, in steps: one for each value within this value, and one for every eight bytes of a text.
  var size: Int {
    switch content {
    case .string(let text): 1 + text.utf8.count / 8
    case .array(let values): values.reduce(1) { $0 + $1.size }
    case .table(let entries): entries.reduce(1) { $0 + $1.value.size + 4 }
    default: 1
    }
  }

  /// The JSON value for the plugin. Whole numbers become integers, so that equal numbers are the same value.
  var json: JSONValue {
    switch content {
    case .string(let text): .string(text)
    case .integer(let number): .integer(number)
    case .float(let number): Int64(exactly: number).map { .integer($0) } ?? .number(number)
    case .boolean(let value): .boolean(value)
    case .array(let values): .array(values.map(\.json))
    case .table(let entries):
      .object(JSONObject(entries.map { (key: $0.key, value: $0.value.json) }))
    case .localDate, .localTime, .localDateTime, .offsetDateTime: .string(dateText ?? "")
    }
  }

  /// The value in the syntax of TOML, if it is short; for messages.
  var shortText: String {
    switch content {
    case .string(let text): JSONText.quoted(text)
    case .integer(let number): String(number)
    case .float(let number): number.description
    case .boolean(let value): value ? "true" : "false"
    case .array: "this array"
    case .table: "this table"
    case .localDate, .localTime, .localDateTime, .offsetDateTime: dateText ?? kind
    }
  }

  /// Returns the edit that turns the value into one of the types, as help; empty if no edit is obvious.
  func help(toBecome types: [ParameterSchema.ValueType]) -> [String] {
    switch content {
    case .string(let text) where types.contains(.array):
      return ["write it in brackets: [\(JSONText.quoted(text))]"]
    case .string(let text) where types.contains(.integer) && Int64(text) != nil,
      .string(let text) where types.contains(.number) && Double(text)?.isFinite == true,
      .string(let text) where types.contains(.boolean) && ["true", "false"].contains(text):
      return ["write it without quotes: \(text)"]
    case .float(let number) where types.contains(.integer) && Int64(exactly: number) != nil:
      return ["write it without a fraction: \(Int64(number))"]
    case .integer(let number) where types.contains(.string): return ["write it in quotes: \"\(number)\""]
    case .float(let number) where types.contains(.string): return ["write it in quotes: \"\(number)\""]
    default: return []
    }
  }
}

extension ParameterSchema {
  /// The expected value in messages: `an array of strings`, `a string or an integer`.
  var expectation: String {
    if let choices, !choices.isEmpty { return choices.prefix(12).map(\.tomlText).joined(separator: " or ") }
    guard let types, !types.isEmpty else {
      let forms = any + one
      return forms.isEmpty ? "a value" : forms.map(\.expectation).joined(separator: " or ")
    }
    return types.map { type in
      switch type {
      case .null: return "nothing"
      case .boolean: return "true or false"
      case .integer: return "a whole number"
      case .number: return "a number"
      case .string: return "a string"
      case .object: return "a table"
      case .array:
        guard case .schema(let items) = items, let names = items.types, names.count == 1 else {
          return "an array"
        }
        return "an array of \(Self.plural(of: names[0]))"
      }
    }.joined(separator: " or ")
  }

  private static func plural(of type: ValueType) -> String {
    switch type {
    case .null: "nothing"
    case .boolean: "booleans"
    case .integer: "whole numbers"
    case .number: "numbers"
    case .string: "strings"
    case .array: "arrays"
    case .object: "tables"
    }
  }
}
