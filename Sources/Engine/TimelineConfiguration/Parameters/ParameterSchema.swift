import TimelineJSON

/// Constraints on parameters: the part of JSON Schema (draft 2020-12) that applies to tables in a file.
///
/// Every keyword either is checked, is an annotation, or makes the schema an error. ``SchemaKeyword`` lists the
/// keywords, and `timelined_plugin.h` documents them for plugin authors.
struct ParameterSchema: Sendable {
  var types: [ValueType]?
  var choices: [JSONValue]?
  var summary: String?
  /// Whether this is the schema `false`, which rejects every value.
  var isNever = false
  /// Whether the value is a program, alone or with its arguments. `check` reports a missing program.
  var isCommand = false
  /// Whether the value is the name of a credential. `check` reports a credential that the job does not have.
  var isCredential = false
  /// The default of an absent key; stored for commands only.
  var defaultCommand: JSONValue?

  var numbers = Bounds()
  var divisor: JSONNumber?
  var lengths = Bounds()
  var pattern: SchemaPattern?
  /// Description of matching texts, shown in place of the pattern.
  var hint: String?
  /// Expectation for a text that does not match: the author's hint, or else the pattern.
  var expectedText: String? { hint ?? pattern.map { "a text that matches \($0.text)" } }

  var properties: [String: ParameterSchema] = [:]
  /// Properties that are commands with a default.
  var defaultCommands: [(key: String, command: JSONValue)] = []
  var patternProperties: [(pattern: SchemaPattern, schema: ParameterSchema)] = []
  var additional = Subschema.anything
  var names = Subschema.anything
  var required: [String] = []
  var propertyCounts = Bounds()
  var dependentRequired: [String: [String]] = [:]
  var dependentSchemas: [String: ParameterSchema] = [:]

  var prefixItems: [ParameterSchema] = []
  var items = Subschema.anything
  var itemCounts = Bounds()
  var hasUniqueItems = false
  var contained = Subschema.anything
  var containedCounts = Bounds()

  var all: [ParameterSchema] = []
  var any: [ParameterSchema] = []
  var one: [ParameterSchema] = []
  var forbidden = Subschema.anything
  var condition = Subschema.anything
  var consequence = Subschema.anything
  var alternative = Subschema.anything

  /// The names of JSON Schema's types.
  enum ValueType: String, Sendable, CaseIterable {
    case null, boolean, integer, number, string, array, object
  }

  /// A schema within a schema, which may be absent.
  indirect enum Subschema: Sendable {
    case anything
    case schema(ParameterSchema)

    /// `nil` if the schema is absent.
    var schema: ParameterSchema? {
      if case .schema(let schema) = self { schema } else { nil }
    }
  }

  /// The range of a number.
  struct Bounds: Sendable {
    var minimum: JSONNumber?
    var maximum: JSONNumber?
    var isMinimumExclusive = false
    var isMaximumExclusive = false

    func contains(_ value: JSONNumber) -> Bool {
      if isBelow(value) { return false }
      if let maximum, isMaximumExclusive ? value >= maximum : value > maximum { return false }
      return true
    }

    /// Whether `value` is below the lower bound.
    func isBelow(_ value: JSONNumber) -> Bool {
      minimum.map { isMinimumExclusive ? value <= $0 : value < $0 } ?? false
    }

    /// Range for messages, for example `at least 1 and at most 5`.
    var text: String {
      let lower = minimum.map { (isMinimumExclusive ? "more than " : "at least ") + $0.description }
      let upper = maximum.map { (isMaximumExclusive ? "less than " : "at most ") + $0.description }
      return [lower, upper].compactMap(\.self).joined(separator: " and ")
    }
  }
}

/// The reason why a schema cannot be used, and the place within the schema.
struct SchemaError: Error {
  /// The path from the root, such as `properties.command.type`; empty for the root.
  var path: String
  /// A clause.
  var reason: String

  var description: String { path.isEmpty ? reason : "at `\(path)` \(reason)" }
}
