package import TimelineJSON

/// JSON Schema (draft 7) of configuration files, for editors.
///
/// It says less than ``Configuration`` examines: a text that fits may still be refused.
package enum ConfigurationSchema {
  /// Returns the schema in which the parameters of jobs with one of `plugins` have the schema of that plugin.
  package static func value(plugins: [(name: String, schema: JSONValue)] = []) -> JSONValue {
    guard !plugins.isEmpty else { return base }
    let rules = plugins.map { plugin in
      object([
        "if": object([
          "properties": object(["plugin": object(["const": .string(plugin.name)])]),
          "required": .array([.string("plugin")]),
        ]),
        "then": object(["properties": object(["with": plugin.schema])]),
      ])
    }
    return base.setting(["definitions", "job", "allOf"], to: .array(rules))
  }

  /// The schema in which `with` is any table.
  private static let base: JSONValue = {
    let text = String(decoding: PackageResources.timelined_schema_json, as: UTF8.self)
    do {
      return try JSONValue(parsing: text)
    } catch {
      preconditionFailure("timelined.schema.json, which is compiled in: \(error)")
    }
  }()

  private static func object(_ members: [String: JSONValue]) -> JSONValue {
    .object(JSONObject(members.map { (key: $0.key, value: $0.value) }))
  }
}

extension JSONValue {
  /// Returns the value with a member of its objects, found by a path of keys, set.
  fileprivate func setting(_ path: ArraySlice<String>, to value: JSONValue) -> JSONValue {
    guard let key = path.first else { return value }
    var members: [(key: String, value: JSONValue)] = []
    var former = JSONValue.object(JSONObject())
    if case .object(let object) = self {
      members = object.map { (key: $0.key, value: $0.value) }
      former = object[key] ?? former
    }
    members.append((key: key, value: former.setting(path.dropFirst(), to: value)))
    return .object(JSONObject(members))
  }
}
