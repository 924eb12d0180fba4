import TimelinePluginKit

final class Greeter: TimelinePlugin {
  static let name = "greeter"
  static let version = "1.0"
  static let summary = "greets whom the job names"
  static let parametersSchema: String? = """
    {"type": "object", "required": ["whom"], "additionalProperties": false,
     "properties": {"whom": {"type": "string", "minLength": 1}}}
    """

  let whom: String

  init(_ opening: Opening) throws {
    whom = try opening.parameters.text("/whom")
  }

  func run(_ context: RunContext) throws -> String? {
    context.log("greeting", fields: ["whom": whom])
    return "hello, \(whom)"
  }
}

/// The entry function that the plugin host looks up in the library.
@c(timelined_plugin_entry)
public func entry(_ host: UnsafeRawPointer?) -> UnsafeRawPointer? {
  export(Greeter.self, to: host)
}
