/// The keywords of one schema object, each read into what the keyword must be.
struct SchemaMembers {
  let members: [String: JSONValue]
  let path: String

  /// The way to the value of a keyword.
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

  func object(_ key: String) throws(SchemaError) -> [String: JSONValue] {
    guard let value = members[key] else { return [:] }
    guard case .object(let members) = value else {
      throw SchemaError(path: path(key), reason: "there must be an object")
    }
    return members
  }

  func strings(_ key: String) throws(SchemaError) -> [String] {
    guard let value = members[key] else { return [] }
    guard case .array(let values) = value else {
      throw SchemaError(path: path(key), reason: "there must be an array of strings")
    }
    var strings: [String] = []
    for value in values {
      guard case .string(let text) = value else {
        throw SchemaError(path: path(key), reason: "\(value.tomlText) is not a string")
      }
      strings.append(text)
    }
    return strings
  }

  /// `enum`, or `const` as the only choice.
  func choices() throws(SchemaError) -> [JSONValue]? {
    if let constant = members["const"] { return [constant] }
    guard let value = members["enum"] else { return nil }
    guard case .array(let values) = value else {
      throw SchemaError(path: path("enum"), reason: "there must be an array")
    }
    return values
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

  private func number(_ key: String) throws(SchemaError) -> Double? {
    guard let value = members[key] else { return nil }
    guard let number = value.asDouble else {
      throw SchemaError(path: path(key), reason: "there must be a number")
    }
    return number
  }

  func count(_ key: String) throws(SchemaError) -> Double? {
    guard let count = try number(key) else { return nil }
    guard count >= 0, count.rounded() == count else {
      throw SchemaError(path: path(key), reason: "there must be a whole number from 0 up")
    }
    return count
  }
}
