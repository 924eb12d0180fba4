import TimelineJSON

/// Checks of a plugin's schema by itself.
package enum PluginSchema {
  /// The reason why the schema with this text cannot be held against parameters, as a clause; `nil` when it can.
  package static func fault(in text: String) -> String? {
    fault { () throws(SchemaError) in try SchemaReader.schema(of: text) }
  }

  /// The same of the schema in a plugin's description of itself, which is what `timeline-host --describe` prints.
  package static func fault(inDescription json: String) -> String? {
    guard case .object(let members)? = try? JSONValue(parsing: json),
      let schema = members["parametersSchema"],
      schema != .null
    else { return nil }
    return fault { () throws(SchemaError) in try SchemaReader.schema(of: schema) }
  }

  private static func fault(_ read: () throws(SchemaError) -> ParameterSchema) -> String? {
    do throws(SchemaError) {
      _ = try read()
      return nil
    } catch {
      return error.description
    }
  }
}
