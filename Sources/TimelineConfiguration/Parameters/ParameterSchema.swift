import TimelineJSON

/// Constraints on parameters: the part of JSON Schema (draft 2020-12) that can be held against tables in a file.
///
/// Every keyword is honored, is an annotation, or makes the schema an error; none is passed over. ``SchemaKeyword`` lists them, and
/// `timelined_plugin.h` tells plugin authors.
struct ParameterSchema: Sendable {
  var types: [ValueType]?
  var choices: [JSONValue]?
  var summary: String?
  /// The schema `false`, which no value fits.
  var isNever = false
  /// Whether the value is a program with its arguments, or the program alone, of which `check` asks whether it is there.
  var isCommand = false
  /// Whether the value is the name of a credential. `check` reports one that the job does not have.
  var isCredential = false
  /// The value where the file has none; kept of commands alone.
  var defaultCommand: JSONValue?

  var numbers = Bounds()
  var divisor: JSONNumber?
  var lengths = Bounds()
  var pattern: SchemaPattern?
  /// Description of a text that matches, in place of the pattern.
  var hint: String?
  /// Expectation of a text that does not match: the hint of the author, else the pattern.
  var expectedText: String? { hint ?? pattern.map { "a text that matches \($0.text)" } }

  var properties: [String: ParameterSchema] = [:]
  /// The properties that are commands and have a default.
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

  /// A schema within a schema, or none.
  indirect enum Subschema: Sendable {
    case anything
    case schema(ParameterSchema)

    /// The schema, if there is one.
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

    /// Whether it is the lower bound that a value breaks.
    func isBelow(_ value: JSONNumber) -> Bool {
      minimum.map { isMinimumExclusive ? value <= $0 : value < $0 } ?? false
    }

    /// Text for people, for example `at least 1 and at most 5`.
    var text: String {
      let lower = minimum.map { (isMinimumExclusive ? "more than " : "at least ") + $0.description }
      let upper = maximum.map { (isMaximumExclusive ? "less than " : "at most ") + $0.description }
      return [lower, upper].compactMap(\.self).joined(separator: " and ")
    }
  }
}

/// The reason why a schema cannot be used, and where in it.
struct SchemaError: Error {
  /// The way from the root, such as `properties.command.type`; empty for the root.
  var path: String
  /// The error at that place, as a clause.
  var reason: String

  var description: String { path.isEmpty ? reason : "at `\(path)` \(reason)" }
}
