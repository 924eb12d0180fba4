/// What a plugin asks of its parameters: the part of JSON Schema (draft 2020-12) that tables in a file need.
///
/// Read are `type` (a name or an array of names), `properties`, `required`, `additionalProperties`, `items`, `enum`,
/// `const`, `minimum`, `maximum`, `exclusiveMinimum`, `exclusiveMaximum`, `minLength`, `maxLength`, `minItems`,
/// `maxItems`, `allOf`, `anyOf`, `oneOf`, `description`, and `true` and `false` as schemas. Every other keyword
/// asks nothing, as the standard has it; `pattern`, `format`, `not` and `$ref` are among them.
struct ParameterSchema: Sendable {
  var types: [ValueType]?
  var properties: [String: ParameterSchema] = [:]
  var required: [String] = []
  var additional = Subschema.anything
  var items = Subschema.anything
  var choices: [JSONValue]?
  var numbers = Bounds()
  var lengths = Bounds()
  var itemCounts = Bounds()
  var all: [ParameterSchema] = []
  var any: [ParameterSchema] = []
  var one: [ParameterSchema] = []
  var summary: String?
  /// The schema `false`, which no value fits.
  var isNever = false

  /// The names of JSON Schema's types.
  enum ValueType: String, Sendable, CaseIterable {
    case null, boolean, integer, number, string, array, object
  }

  /// The schema of values that have no name of their own.
  indirect enum Subschema: Sendable {
    case anything
    case schema(ParameterSchema)
  }

  /// From where to where a number lies.
  struct Bounds: Sendable {
    var minimum: Double?
    var maximum: Double?
    var isMinimumExclusive = false
    var isMaximumExclusive = false

    func contains(_ value: Double) -> Bool {
      if let minimum, isMinimumExclusive ? value <= minimum : value < minimum { return false }
      if let maximum, isMaximumExclusive ? value >= maximum : value > maximum { return false }
      return true
    }

    /// Whether it is the lower bound that a value outside breaks.
    func isAbove(_ value: Double) -> Bool { minimum.map { value <= $0 } ?? false }

    /// Such as `at least 1 and at most 5`.
    var text: String {
      let lower = minimum.map { (isMinimumExclusive ? "more than " : "at least ") + Self.text($0) }
      let upper = maximum.map { (isMaximumExclusive ? "less than " : "at most ") + Self.text($0) }
      return [lower, upper].compactMap(\.self).joined(separator: " and ")
    }

    private static func text(_ number: Double) -> String {
      Int64(exactly: number).map(String.init) ?? number.description
    }
  }
}

/// Why a schema cannot be used, and where in it.
struct SchemaError: Error {
  /// The way from the root, such as `properties.command.type`; empty for the root.
  var path: String
  /// What is wrong there, as a clause.
  var reason: String

  var description: String { path.isEmpty ? reason : "at `\(path)` \(reason)" }
}

extension ParameterSchema {
  /// Reads a schema's text.
  init(text: String) throws(SchemaError) {
    guard text.utf8.count <= Limits.schemaByteCountMax else {
      throw SchemaError(path: "", reason: "it has more than \(Limits.schemaByteCountMax) bytes")
    }
    guard !JSONValue.isDeeper(text, than: Limits.schemaDepthMax) else {
      throw SchemaError(path: "", reason: "it nests more than \(Limits.schemaDepthMax) deep")
    }
    guard let value = JSONValue.decode(text) else { throw SchemaError(path: "", reason: "it is not JSON") }
    try self.init(value, path: "")
  }

  private init(_ value: JSONValue, path: String) throws(SchemaError) {
    if case .boolean(let isAnything) = value {
      isNever = !isAnything
      return
    }
    guard case .object(let members) = value else {
      throw SchemaError(path: path, reason: "there must be an object, true or false")
    }
    let reader = SchemaMembers(members: members, path: path)
    types = try reader.types()
    for (name, value) in try reader.object("properties") {
      properties[name] = try ParameterSchema(value, path: reader.path("properties") + "." + name)
    }
    required = try reader.strings("required")
    additional = try Self.subschema(reader, "additionalProperties")
    items = try Self.subschema(reader, "items")
    choices = try reader.choices()
    numbers = try reader.numbers()
    lengths = Bounds(minimum: try reader.count("minLength"), maximum: try reader.count("maxLength"))
    itemCounts = Bounds(minimum: try reader.count("minItems"), maximum: try reader.count("maxItems"))
    all = try Self.list(reader, "allOf")
    any = try Self.list(reader, "anyOf")
    one = try Self.list(reader, "oneOf")
    if case .string(let text)? = members["description"] { summary = text }
  }

  private static func subschema(_ reader: SchemaMembers, _ key: String) throws(SchemaError) -> Subschema {
    guard let value = reader.members[key] else { return .anything }
    return .schema(try ParameterSchema(value, path: reader.path(key)))
  }

  private static func list(_ reader: SchemaMembers, _ key: String) throws(SchemaError) -> [ParameterSchema] {
    guard let value = reader.members[key] else { return [] }
    guard case .array(let values) = value, !values.isEmpty else {
      throw SchemaError(path: reader.path(key), reason: "there must be an array of schemas")
    }
    var schemas: [ParameterSchema] = []
    for (index, value) in values.enumerated() {
      schemas.append(try ParameterSchema(value, path: "\(reader.path(key))[\(index)]"))
    }
    return schemas
  }
}
