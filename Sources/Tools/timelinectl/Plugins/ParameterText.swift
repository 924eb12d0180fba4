import TimelineJSON

/// The constraints of one parameter from its schema, in words: `integer 0 to 3600, default 0`.
struct ParameterText {
  private let schema: JSONValue

  init(_ schema: JSONValue) {
    self.schema = schema
  }

  /// Type, choices, range, length and default; empty if the schema has none of them.
  func text(isRequired: Bool) -> String {
    let need = isRequired ? "required" : schema.value(at: "/default").map { "default \($0)" }
    return [kind, range, lengths, need].compactMap { $0 }.joined(separator: ", ")
  }

  private var kind: String? {
    if let choices = array("/enum") { return "one of " + choices.map(\.description).joined(separator: " ") }
    if let constant = schema.value(at: "/const") { return constant.description }
    switch schema.value(at: "/type") {
    case .string("array"): return items.map { "array of \($0)" } ?? "array"
    case .string(let type): return Self.word(type)
    case .array(let types): return Self.alternatives(types.map { Self.word(Self.string($0) ?? "") })
    default: break
    }
    let forms = array("/oneOf") ?? array("/anyOf") ?? []
    return Self.alternatives(forms.compactMap { ParameterText($0).kind })
  }

  /// The type of an array's elements, with their range.
  private var items: String? {
    guard let items = schema.value(at: "/items").map(ParameterText.init), let kind = items.kind else {
      return nil
    }
    return [kind, items.range].compactMap { $0 }.joined(separator: " ")
  }

  private var range: String? {
    let low = number("/minimum") ?? number("/exclusiveMinimum").map { "above \($0)" }
    let high = number("/maximum") ?? number("/exclusiveMaximum").map { "below \($0)" }
    return Self.range(low, high)
  }

  private var lengths: String? {
    let units = [
      ("/minLength", "/maxLength", "characters"), ("/minItems", "/maxItems", "elements"),
      ("/minProperties", "/maxProperties", "members"),
    ]
    let parts = units.compactMap { low, high, unit -> String? in
      let (low, high) = (number(low), number(high))
      if low == "1", high == nil { return "not empty" }
      return Self.range(low, high).map { "\($0) \(unit)" }
    }
    return parts.isEmpty ? nil : parts.joined(separator: ", ")
  }

  private static func range(_ low: String?, _ high: String?) -> String? {
    switch (low, high) {
    case (let low?, let high?): "\(low) to \(high)"
    case (let low?, nil): low.hasPrefix("above") ? low : "at least \(low)"
    case (nil, let high?): high.hasPrefix("below") ? high : "at most \(high)"
    case (nil, nil): nil
    }
  }

  private static func alternatives(_ words: [String]) -> String? {
    words.isEmpty ? nil : words.joined(separator: " or ")
  }

  /// The word for a type of JSON Schema in the project's pages: `text` for `string`.
  private static func word(_ type: String) -> String { type == "string" ? "text" : type }

  private static func string(_ value: JSONValue) -> String? {
    if case .string(let text) = value { text } else { nil }
  }

  private func array(_ pointer: String) -> [JSONValue]? {
    if case .array(let values)? = schema.value(at: pointer) { values } else { nil }
  }

  private func number(_ pointer: String) -> String? {
    switch schema.value(at: pointer) {
    case .integer(let number): String(number)
    case .number(let number): String(number)
    default: nil
    }
  }
}
