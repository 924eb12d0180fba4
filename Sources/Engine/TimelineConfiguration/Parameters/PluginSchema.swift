import TimelineJSON

/// Checks of a plugin's schema without parameters.
package enum PluginSchema {
  /// Returns the reason why the schema `text` cannot be used to check parameters, as a clause; `nil` if it can be
  /// used.
  package static func fault(in text: String) -> String? {
    fault { () throws(SchemaError) in try SchemaReader.schema(of: text) }
  }

  /// Returns the same for the schema in a plugin's description, the output of `timeline-host --describe`.
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
