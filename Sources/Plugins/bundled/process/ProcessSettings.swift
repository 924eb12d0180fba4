import CommandSupport
import TimelinePluginKit

/// A job's settings of `process`, checked once.
struct ProcessSettings: Sendable {
  /// The program that is started for each run, and its arguments.
  let command: CommandLine
  /// The working directory and the variables of the program.
  let surroundings: CommandSettings
  /// The parameters for the program itself, as JSON text.
  let parameters: String
  let runsInRehearsal: Bool

  static let schema = """
    {
      "type": "object",
      "description": "Starts a program for each run, which reads one line of JSON on standard input and answers with lines of JSON on standard output. What it prints to standard error goes to the log. share/doc/timelined/plugins.md describes the lines.",
      "required": ["command"],
      "additionalProperties": false,
      "properties": {
        "command": {
          "type": "array", "items": {"type": "string"}, "minItems": 1, "x-timelined-command": true,
          "description": "The program and its arguments, each of them one text. A program without a slash is looked for in PATH."
        },
        "parameters": {
          "type": "object", "default": {},
          "description": "What the program is told as its own parameters."
        },
        \(CommandSettings.schema),
        "rehearse": {
          "type": "boolean", "default": false,
          "description": "Whether the program is really run in a rehearsal. Otherwise a rehearsal only says what it would run, and succeeds."
        }
      }
    }
    """

  init(_ parameters: Parameters) throws {
    command = try CommandLine(parameters.texts("/command"), of: "/command")
    surroundings = try CommandSettings(parameters)
    switch parameters.kind("/parameters") {
    case .absent: self.parameters = "{}"
    case .object: self.parameters = parameters.json("/parameters") ?? "{}"
    case let kind: throw Failure("the parameter /parameters must be an object, and is \(kind)")
    }
    runsInRehearsal = try parameters.boolean("/rehearse", default: false)
  }
}
