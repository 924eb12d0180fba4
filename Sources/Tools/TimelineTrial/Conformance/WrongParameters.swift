internal import TimelineJSON

/// Parameters that a schema rejects, generated from the types in the schema.
enum WrongParameters {
  /// Each sample needs a process.
  private static let samplesMax = 8

  /// Values of each type of JSON Schema. The first value with a type that the schema does not allow is the wrong
  /// value.
  private static let values: [(types: Set<String>, value: JSONValue)] = [
    (["integer", "number"], .integer(7)), (["string"], .string("wrong")), (["boolean"], .boolean(true)),
    (["array"], .array([])), (["object"], .object(JSONObject())),
  ]

  /// Returns objects that the schema rejects: an object without the required keys, and copies of `parameters` with
  /// one value of a wrong type each.
  static func samples(schema: String, parameters: String) -> [String] {
    guard let schema = try? JSONValue(parsing: schema) else { return [] }
    var required: [String] = []
    if case .array(let names)? = schema.value(at: "/required") {
      for case .string(let name) in names { required.append(name) }
    }
    var samples = required.isEmpty ? [] : ["{}"]
    guard case .object(let properties)? = schema.value(at: "/properties") else { return samples }
    for property in properties where required.isEmpty || required.contains(property.key) {
      guard let wrong = wrongValue(for: property.value) else { continue }
      samples.append(JSONValue.object(replacing(property.key, with: wrong, in: parameters)).description)
    }
    return Array(samples.prefix(samplesMax))
  }

  /// Returns a value with a type that the property does not allow; `nil` if the property has no explicit type.
  private static func wrongValue(for property: JSONValue) -> JSONValue? {
    var types: Set<String> = []
    switch property.value(at: "/type") {
    case .string(let type): types = [type]
    case .array(let names): for case .string(let name) in names { types.insert(name) }
    default: return nil
    }
    return values.first { $0.types.isDisjoint(with: types) }?.value
  }

  private static func replacing(_ key: String, with value: JSONValue, in parameters: String) -> JSONObject {
    var members: [(key: String, value: JSONValue)] = []
    if case .object(let object)? = try? JSONValue(parsing: parameters) {
      members = object.map { ($0.key, $0.value) }
    }
    return JSONObject(members + [(key, value)])
  }
}
