package import TimelineJSON

/// JSON Schema (draft 7) of configuration files, for editors.
///
/// Checks less than ``Configuration``: a text that matches the schema may still be refused.
package enum ConfigurationSchema {
  /// Returns the schema. Parameters of jobs with one of `plugins` have this plugin's schema.
  package static func value(plugins: [(name: String, schema: JSONValue)] = []) -> JSONValue {
    guard !plugins.isEmpty else { return base }
    let rules = plugins.enumerated().map { index, plugin in
      let place = "#/definitions/job/allOf/\(index)/then/properties/with"
      return object([
        "if": object([
          "properties": object(["plugin": object(["const": .string(plugin.name)])]),
          "required": .array([.string("plugin")]),
        ]),
        "then": object(["properties": object(["with": plugin.schema.movingRoot(to: place)])]),
      ])
    }
    return base.setting(["definitions", "job", "allOf"], to: .array(rules))
  }

  /// The schema with any table allowed as `with`.
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
  /// Returns the schema with its references adapted to a move of its root to `place` in another schema.
  fileprivate func movingRoot(to place: String) -> JSONValue {
    switch self {
    case .array(let elements): return .array(elements.map { $0.movingRoot(to: place) })
    case .object(let members):
      return .object(
        JSONObject(
          members.map { member in
            if member.key == "$ref", case .string(let target) = member.value, target.hasPrefix("#") {
              return (key: member.key, value: .string(place + target.dropFirst()))
            }
            return (key: member.key, value: member.value.movingRoot(to: place))
          }))
    default: return self
    }
  }

  /// Returns the value with one member set to `value`; `path` is the member's path of keys.
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
