import TimelineCore
import TimelineJSON

/// Reads the text of a schema. Refuses keywords that would have no effect.
struct SchemaReader {
  private let root: JSONValue
  /// References that are being resolved, to detect a circular reference.
  private var references: [String] = []
  /// Schemas read so far. A schema is counted again at each reference, so the count may exceed the number in the
  /// text.
  private var count = 0
  /// Steps of all regular expressions read so far.
  private var patternSize = 0

  /// Returns the schema that the whole text defines.
  static func schema(of text: String) throws(SchemaError) -> ParameterSchema {
    guard text.utf8.count <= ConfigurationLimits.schemaByteCountMax else {
      throw SchemaError(path: "", reason: "it has more than \(ConfigurationLimits.schemaByteCountMax) bytes")
    }
    guard !JSONValue.isDeeper(text, than: ConfigurationLimits.schemaDepthMax) else {
      throw SchemaError(path: "", reason: "it nests more than \(ConfigurationLimits.schemaDepthMax) deep")
    }
    guard let value = try? JSONValue(parsing: text) else {
      throw SchemaError(path: "", reason: "it is not JSON")
    }
    return try schema(of: value)
  }

  /// Returns the schema that the whole value defines.
  static func schema(of value: JSONValue) throws(SchemaError) -> ParameterSchema {
    var reader = SchemaReader(root: value)
    return try reader.read(value, path: "")
  }

  private init(root: JSONValue) { self.root = root }

  private mutating func read(_ value: JSONValue, path: String) throws(SchemaError) -> ParameterSchema {
    count += 1
    guard count <= ConfigurationLimits.schemaCountMax else {
      throw SchemaError(
        path: path, reason: "there are more than \(ConfigurationLimits.schemaCountMax) schemas in one another"
      )
    }
    var schema = ParameterSchema()
    if case .boolean(let isAnything) = value {
      schema.isNever = !isAnything
      return schema
    }
    guard case .object(let members) = value else {
      throw SchemaError(path: path, reason: "there must be an object, true or false")
    }
    for keyword in members.map(\.key) {
      if let objection = SchemaKeyword.objection(to: keyword) {
        throw SchemaError(path: path, reason: objection)
      }
    }
    let reader = try SchemaMembers(members: members, path: path)
    try readDialect(reader)
    if case .string(let text)? = members["description"] { schema.summary = text }
    schema.types = try reader.types()
    schema.choices = try reader.choices()
    schema.isCommand = try reader.flag("x-timelined-command")
    schema.isCredential = try reader.flag("x-timelined-credential")
    if schema.isCommand { schema.defaultCommand = members["default"] }
    schema.numbers = try reader.numbers()
    schema.divisor = try reader.divisor()
    schema.lengths = try reader.counts("minLength", "maxLength")
    schema.pattern = try reader.pattern()
    if let pattern = schema.pattern { try count(pattern, path: path) }
    schema.hint = try reader.string("x-timelined-hint")
    if schema.hint != nil, schema.pattern == nil {
      throw SchemaError(path: path, reason: "`x-timelined-hint` asks nothing without `pattern`")
    }
    try readObject(reader, into: &schema)
    try readArray(reader, into: &schema)
    try readForms(reader, into: &schema)
    return schema
  }

  private mutating func count(_ pattern: SchemaPattern, path: String) throws(SchemaError) {
    patternSize += pattern.size
    guard patternSize <= ConfigurationLimits.schemaPatternSizeMax else {
      throw SchemaError(
        path: path,
        reason:
          "the regular expressions are too large: together they have more than \(ConfigurationLimits.schemaPatternSizeMax) steps"
      )
    }
  }

  private func readDialect(_ reader: SchemaMembers) throws(SchemaError) {
    guard let value = reader.members["$schema"] else { return }
    guard case .string(let text) = value, [text, text + "#"].contains(SchemaKeyword.dialect + "#") else {
      throw SchemaError(
        path: reader.path("$schema"),
        reason: "there must be \"\(SchemaKeyword.dialect)\", the only dialect that is read")
    }
  }

  private mutating func readObject(_ reader: SchemaMembers, into schema: inout ParameterSchema)
    throws(SchemaError)
  {
    schema.properties = try schemas(reader, "properties")
    schema.defaultCommands = schema.properties.sorted(on: \.key).compactMap { key, property in
      property.defaultCommand.map { (key, $0) }
    }
    for (text, property) in try schemas(reader, "patternProperties").sorted(on: \.key) {
      let pattern = try reader.pattern(text, at: reader.path("patternProperties"))
      try count(pattern, path: reader.path("patternProperties"))
      schema.patternProperties.append((pattern, property))
    }
    schema.additional = try subschema(reader, "additionalProperties")
    schema.names = try subschema(reader, "propertyNames")
    schema.required = try reader.strings("required")
    schema.propertyCounts = try reader.counts("minProperties", "maxProperties")
    for name in try reader.object("dependentRequired").map(\.key) {
      schema.dependentRequired[name] = try reader.strings(name, of: "dependentRequired")
    }
    schema.dependentSchemas = try schemas(reader, "dependentSchemas")
    // Definitions that only `$ref` uses are read as well, to find mistakes in them.
    _ = try schemas(reader, "$defs")
  }

  private mutating func readArray(_ reader: SchemaMembers, into schema: inout ParameterSchema)
    throws(SchemaError)
  {
    schema.prefixItems = try list(reader, "prefixItems")
    schema.items = try subschema(reader, "items")
    schema.itemCounts = try reader.counts("minItems", "maxItems")
    schema.hasUniqueItems = try reader.flag("uniqueItems")
    schema.contained = try subschema(reader, "contains")
    schema.containedCounts = try reader.counts("minContains", "maxContains")
    if schema.containedCounts.minimum == nil { schema.containedCounts.minimum = JSONNumber.one }
  }

  private mutating func readForms(_ reader: SchemaMembers, into schema: inout ParameterSchema)
    throws(SchemaError)
  {
    schema.all = try list(reader, "allOf")
    if let target = try reader.string("$ref") { schema.all.append(try referenced(target, reader)) }
    schema.any = try list(reader, "anyOf")
    schema.one = try list(reader, "oneOf")
    schema.forbidden = try subschema(reader, "not")
    schema.condition = try subschema(reader, "if")
    schema.consequence = try subschema(reader, "then")
    schema.alternative = try subschema(reader, "else")
  }

  /// Returns the schema at the path `target` from the root, the value of a `$ref`.
  private mutating func referenced(_ target: String, _ reader: SchemaMembers) throws(SchemaError)
    -> ParameterSchema
  {
    let path = reader.path("$ref")
    guard target == "#" || target.hasPrefix("#/") else {
      throw SchemaError(
        path: path, reason: "\"\(target)\" does not begin with #/, and other texts are not read")
    }
    guard !references.contains(target), target != "#" else {
      throw SchemaError(path: path, reason: "\"\(target)\" leads back to itself, which is not supported")
    }
    guard let value = root.value(at: String(target.dropFirst())) else {
      throw SchemaError(path: path, reason: "\"\(target)\" leads nowhere in the schema")
    }
    references.append(target)
    defer { references.removeLast() }
    return try read(value, path: path)
  }

  private mutating func schemas(_ reader: SchemaMembers, _ key: String) throws(SchemaError) -> [String:
    ParameterSchema]
  {
    var schemas: [String: ParameterSchema] = [:]
    for member in try reader.object(key) {
      schemas[member.key] = try read(member.value, path: reader.path(key) + "." + member.key)
    }
    return schemas
  }

  private mutating func subschema(_ reader: SchemaMembers, _ key: String) throws(SchemaError)
    -> ParameterSchema.Subschema
  {
    guard let value = reader.members[key] else { return .anything }
    return .schema(try read(value, path: reader.path(key)))
  }

  private mutating func list(_ reader: SchemaMembers, _ key: String) throws(SchemaError) -> [ParameterSchema]
  {
    guard let value = reader.members[key] else { return [] }
    guard case .array(let values) = value, !values.isEmpty else {
      throw SchemaError(path: reader.path(key), reason: "there must be an array of schemas")
    }
    var schemas: [ParameterSchema] = []
    for (index, value) in values.enumerated() {
      schemas.append(try read(value, path: "\(reader.path(key))[\(index)]"))
    }
    return schemas
  }
}
