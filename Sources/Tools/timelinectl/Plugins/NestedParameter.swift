import TimelineJSON

/// A parameter of a plugin's schema: at the top level, or inside of another parameter.
struct NestedParameter {
  /// The path of the parameter, such as `mail.to`, `commands[].may-fail`, or `headers.NAME` for a key of any name.
  let name: String
  let schema: JSONValue
  let isRequired: Bool
  /// 0 at the top level.
  let depth: Int

  /// The maximum depth of shown parameters, because a schema may refer to itself.
  private static let depthMax = 4
  /// The maximum number of shown parameters, as many as two screens.
  private static let countMax = 200

  /// The parameters of a schema in order of their names, each followed by the parameters inside of it.
  static func all(in schema: JSONValue) -> [NestedParameter] {
    var seen: Set<String> = []
    return Array(inside(schema, "", depth: 0).filter { seen.insert($0.name).inserted }.prefix(countMax))
  }

  private static func inside(_ schema: JSONValue, _ path: String, depth: Int) -> [NestedParameter] {
    guard depth < depthMax else { return [] }
    var found: [NestedParameter] = []
    if case .object(let properties)? = schema.value(at: "/properties") {
      var required: [JSONValue] = []
      if case .array(let names)? = schema.value(at: "/required") { required = names }
      for (key, value) in properties.map({ ($0.key, $0.value) }) {
        let name = path.isEmpty ? key : "\(path).\(key)"
        found.append(
          NestedParameter(
            name: name, schema: value, isRequired: required.contains(.string(key)), depth: depth))
        found += inside(value, name, depth: depth + 1)
      }
    }
    guard depth > 0 else { return found }
    if case .object? = schema.value(at: "/additionalProperties"),
      let value = schema.value(at: "/additionalProperties")
    {
      found.append(NestedParameter(name: "\(path).NAME", schema: value, isRequired: false, depth: depth))
    }
    if let items = schema.value(at: "/items") { found += inside(items, "\(path)[]", depth: depth) }
    for form in ["/oneOf", "/anyOf"] {
      if case .array(let forms)? = schema.value(at: form) {
        found += forms.flatMap { inside($0, path, depth: depth) }
      }
    }
    return found
  }
}
