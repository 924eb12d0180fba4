import PluginSupport
import TimelinePluginKit

/// Writes a line to the log.
final class Log: TimelinePlugin {
  static let name = "log"
  static let version = "1.0"
  static let summary = "writes a line to the log"
  static let instancesMax = 256
  static let parametersSchema: String? = """
    {
      "type": "object",
      "description": "Writes a line to the log and succeeds, in a rehearsal too. A run that reacts to another job's entry adds the fields upstream_job, upstream_entry, upstream_outcome and upstream_reason.",
      "required": ["message"],
      "additionalProperties": false,
      "properties": {
        "message": {
          "type": "string", "minLength": 1, "maxLength": 4096, "pattern": "^\(Template.pattern())$",
          "x-timelined-hint": "\(Template.hint)",
          "description": "The line. {job} {run-key} {nominal} {actual} {attempt} {entry-count} {mode} {cadence} {rehearsal} {fencing-token} {previous} stand for what the run is told, and {upstream} {upstream-job} {upstream-entry} {upstream-outcome} {upstream-reason} {upstream-output} {upstream-failures} {upstream-since} for the other job's entry that it reacts to; {{ stands for a brace."
        },
        "level": {
          "enum": ["debug", "info", "notice", "warning", "error"], "default": "info",
          "description": "How much it matters."
        }
      }
    }
    """

  private let message: Template
  private let level: LogLevel

  init(_ opening: Opening) throws {
    message = try Template(opening.parameters.text("/message"), in: "/message")
    let name = try opening.parameters.text("/level", default: "info")
    guard let level = LogLevel.allCases.first(where: { String(describing: $0) == name }) else {
      let names = LogLevel.allCases.map { String(describing: $0) }.joined(separator: ", ")
      throw Failure("the parameter /level is \"\(name)\": it must be one of \(names)")
    }
    self.level = level
  }

  func run(_ context: RunContext) throws -> String? {
    let text = message.filled(for: context)
    if context.upstream == nil {
      context.log(text, level: level)
    } else {
      context.log(
        text, level: level,
        fields: [
          "upstream_job": Upstream.text("job", in: context),
          "upstream_entry": Upstream.text("entry", in: context),
          "upstream_outcome": Upstream.text("outcome", in: context),
          "upstream_reason": Upstream.text("reason", in: context),
        ])
    }
    return text
  }
}

/// The entry function that the plugin host looks up in the library.
@c(timelined_plugin_entry_log)
public func entry(_ host: UnsafeRawPointer?) -> UnsafeRawPointer? {
  export(Log.self, to: host)
}
