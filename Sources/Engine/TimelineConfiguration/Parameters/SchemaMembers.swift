import TimelineJSON

/// The keywords of one schema object, converted to the types that they must have.
struct SchemaMembers {
  let members: JSONObject
  let path: String

  /// Checks that each keyword that depends on another keyword has that keyword. It would have no effect otherwise.
  init(members: JSONObject, path: String) throws(SchemaError) {
    self.members = members
    self.path = path
    for (keyword, other) in [
      ("then", "if"), ("else", "if"), ("minContains", "contains"), ("maxContains", "contains"),
    ]
    where members[keyword] != nil && members[other] == nil {
      throw SchemaError(path: path, reason: "`\(keyword)` asks nothing without `\(other)`")
    }
  }

  /// Returns the path of the value of a keyword.
  func path(_ key: String) -> String { path.isEmpty ? key : path + "." + key }

  func types() throws(SchemaError) -> [ParameterSchema.ValueType]? {
    let names: [JSONValue]
    switch members["type"] {
    case nil: return nil
    case .array(let values)?: names = values
    case let value?: names = [value]
    }
    var types: [ParameterSchema.ValueType] = []
    for name in names {
      guard case .string(let text) = name, let type = ParameterSchema.ValueType(rawValue: text) else {
        throw SchemaError(path: path("type"), reason: "\(name.tomlText) is not a type of JSON Schema")
      }
      types.append(type)
    }
    return types
  }

  func object(_ key: String) throws(SchemaError) -> JSONObject {
    guard let value = members[key] else { return JSONObject() }
    guard case .object(let members) = value else {
      throw SchemaError(path: path(key), reason: "there must be an object")
    }
    return members
  }

  func strings(_ key: String) throws(SchemaError) -> [String] {
    try members[key].map { value throws(SchemaError) in try Self.strings(value, at: path(key)) } ?? []
  }

  /// Returns the array of strings under `name` in the object under `key`.
  func strings(_ name: String, of key: String) throws(SchemaError) -> [String] {
    guard let value = try object(key)[name] else { return [] }
    return try Self.strings(value, at: path(key) + "." + name)
  }

  private static func strings(_ value: JSONValue, at path: String) throws(SchemaError) -> [String] {
    guard case .array(let values) = value else {
      throw SchemaError(path: path, reason: "there must be an array of strings")
    }
    var strings: [String] = []
    for value in values {
      guard case .string(let text) = value else {
        throw SchemaError(path: path, reason: "\(value.tomlText) is not a string")
      }
      strings.append(text)
    }
    return strings
  }

  func string(_ key: String) throws(SchemaError) -> String? {
    guard let value = members[key] else { return nil }
    guard case .string(let text) = value else {
      throw SchemaError(path: path(key), reason: "there must be a string")
    }
    return text
  }

  func flag(_ key: String) throws(SchemaError) -> Bool {
    guard let value = members[key] else { return false }
    guard case .boolean(let flag) = value else {
      throw SchemaError(path: path(key), reason: "there must be true or false")
    }
    return flag
  }

  func pattern() throws(SchemaError) -> SchemaPattern? {
    guard let text = try string("pattern") else { return nil }
    return try pattern(text, at: path("pattern"))
  }

  func pattern(_ text: String, at path: String) throws(SchemaError) -> SchemaPattern {
    do throws(SchemaPatternError) {
      return try SchemaPattern(text)
    } catch {
      throw SchemaError(path: path, reason: "\(JSONText.quoted(text)) cannot be used: \(error.reason)")
    }
  }

  /// Returns the values of `enum`, or only the value of `const` if there is one.
  func choices() throws(SchemaError) -> [JSONValue]? {
    let constant = members["const"]
    guard let value = members["enum"] else { return constant.map { [$0] } }
    guard case .array(let values) = value else {
      throw SchemaError(path: path("enum"), reason: "there must be an array")
    }
    guard let constant else { return values }
    return values.contains { $0.isSame(as: constant) } ? [constant] : []
  }

  func numbers() throws(SchemaError) -> ParameterSchema.Bounds {
    var bounds = ParameterSchema.Bounds(minimum: try number("minimum"), maximum: try number("maximum"))
    if let minimum = try number("exclusiveMinimum"), minimum >= bounds.minimum ?? minimum {
      (bounds.minimum, bounds.isMinimumExclusive) = (minimum, true)
    }
    if let maximum = try number("exclusiveMaximum"), maximum <= bounds.maximum ?? maximum {
      (bounds.maximum, bounds.isMaximumExclusive) = (maximum, true)
    }
    return bounds
  }

  func divisor() throws(SchemaError) -> JSONNumber? {
    guard let divisor = try number("multipleOf") else { return nil }
    guard divisor > JSONNumber.zero else {
      throw SchemaError(path: path("multipleOf"), reason: "there must be a number above 0")
    }
    return divisor
  }

  private func number(_ key: String) throws(SchemaError) -> JSONNumber? {
    guard let value = members[key] else { return nil }
    guard let number = value.asNumber else {
      throw SchemaError(path: path(key), reason: "there must be a number")
    }
    return number
  }

  func counts(_ lower: String, _ upper: String) throws(SchemaError) -> ParameterSchema.Bounds {
    ParameterSchema.Bounds(minimum: try count(lower), maximum: try count(upper))
  }

  private func count(_ key: String) throws(SchemaError) -> JSONNumber? {
    guard let count = try number(key) else { return nil }
    guard count >= JSONNumber.zero, count.isWhole else {
      throw SchemaError(path: path(key), reason: "there must be a whole number from 0 up")
    }
    return count
  }
}
