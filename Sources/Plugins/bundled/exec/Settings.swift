import CommandSupport
import TimelinePluginKit

/// A job's settings of `exec`, checked once.
struct Settings: Sendable {
  /// The commands, which are run one after the other.
  let commands: [CommandLine]
  /// The command that decides whether the commands are run; `nil` if they always are.
  let condition: CommandLine?
  /// The working directory and the variables of all commands.
  let surroundings: CommandSettings
  let standardInput: String?
  let successStatuses: [Int64]
  /// The exit statuses that are worth a retry; `nil` for all failures except ``permanentStatuses``.
  let retryStatuses: [Int64]?
  let permanentStatuses: [Int64]
  let runsInRehearsal: Bool

  /// The two forms of a command in the schema: an array with a program and its arguments, and a text for a shell.
  private static let array =
    #"{"type": "array", "items": {"type": "string"}, "minItems": 1, "x-timelined-command": true}"#
  private static let text = #"{"type": "string", "minLength": 1}"#

  static let schema = """
    {
      "type": "object",
      "description": "Runs a command. Its exit status decides, and what it prints goes to the log line by line. What it leaves running in the background is ended with it unless the job has leftovers = \\"keep\\". What that prints then has no reader any more, and mostly ends it: have it write to a file, or to /dev/null.",
      "additionalProperties": false,
      "$defs": {
        "no-text": {"type": ["array", "boolean", "number", "object"], "properties": {"command": {"type": ["array", "boolean", "number", "object"]}}},
        "no-array": {"type": ["string", "boolean", "number", "object"], "properties": {"command": {"type": ["string", "boolean", "number", "object"]}}}
      },
      "allOf": [
        {
          "description": "A job has either command or commands.",
          "oneOf": [{"required": ["command"]}, {"required": ["commands"]}]
        },
        {
          "description": "All commands and the condition are arrays such as [\\"/usr/bin/id\\", \\"-u\\"], or with shell = true all are texts for a shell.",
          "anyOf": [
            {"properties": {
              "command": {"$ref": "#/$defs/no-text"}, "condition": {"$ref": "#/$defs/no-text"},
              "commands": {"items": {"$ref": "#/$defs/no-text"}}, "shell": {"enum": [false]}
            }},
            {"required": ["shell"], "properties": {
              "command": {"$ref": "#/$defs/no-array"}, "condition": {"$ref": "#/$defs/no-array"},
              "commands": {"items": {"$ref": "#/$defs/no-array"}}, "shell": {"enum": [true]}
            }}
          ]
        },
        {
          "description": "The status 0 is a success unless success-statuses says otherwise, and cannot be in retry-statuses or permanent-statuses as well.",
          "anyOf": [
            {"required": ["success-statuses"]},
            {"properties": {
              "retry-statuses": {"items": {"minimum": 1}}, "permanent-statuses": {"items": {"minimum": 1}}
            }}
          ]
        }
      ],
      "properties": {
        "command": {
          "description": "The program and its arguments, each of them one text; or one text for /bin/sh when shell is true. A program without a slash is looked for in PATH.",
          "oneOf": [\(array), \(text)]
        },
        "commands": {
          "description": "Commands that run one after the other, in place of command. The first that fails ends the run, unless it is { command = ..., may-fail = true }.",
          "type": "array", "minItems": 1, "maxItems": 64,
          "items": {"oneOf": [
            \(array),
            \(text),
            {
              "type": "object", "required": ["command"], "additionalProperties": false,
              "properties": {
                "command": {"oneOf": [\(array), \(text)]},
                "may-fail": {"type": "boolean", "default": false, "description": "Whether the run goes on after a failure."}
              }
            }
          ]}
        },
        "condition": {
          "description": "A command that runs before the others. When its exit status is not 0, nothing else runs, and the run succeeds.",
          "oneOf": [\(array), \(text)]
        },
        "shell": {
          "type": "boolean", "default": false,
          "description": "Whether command, commands and condition are texts that /bin/sh interprets."
        },
        \(CommandSettings.schema),
        "stdin": {
          "type": "string",
          "description": "What each command reads on standard input. Default: nothing."
        },
        "success-statuses": {
          "type": "array", "items": {"type": "integer", "minimum": 0, "maximum": 255}, "default": [0],
          "description": "Exit statuses that are a success."
        },
        "permanent-statuses": {
          "type": "array", "items": {"type": "integer", "minimum": 0, "maximum": 255}, "default": [],
          "description": "Exit statuses of failures that another try would not fix. A job with a retry policy tries again after any other failure of the command, a death by a signal included; a command that cannot be started is tried again only where that may pass, as a missing working directory or a shortage of memory."
        },
        "retry-statuses": {
          "type": "array", "items": {"type": "integer", "minimum": 0, "maximum": 255},
          "description": "The only exit statuses of failures that are worth another try, such as [75] for EX_TEMPFAIL of sysexits. Default: all but permanent-statuses."
        },
        "rehearse": {
          "type": "boolean", "default": false,
          "description": "Whether the command is really run in a rehearsal. Otherwise a rehearsal only says what it would run, and succeeds."
        }
      }
    }
    """

  init(_ parameters: Parameters) throws {
    let isShell = try parameters.boolean("/shell", default: false)
    commands = try CommandLine.all(parameters, isShell: isShell)
    condition =
      parameters.kind("/condition") == .absent
      ? nil : try CommandLine(parameters, "/condition", isShell: isShell)
    surroundings = try CommandSettings(parameters)
    standardInput = try parameters.optionalText("/stdin")
    successStatuses = try Self.statuses(parameters, "/success-statuses") ?? [0]
    retryStatuses = try Self.statuses(parameters, "/retry-statuses")
    permanentStatuses = try Self.statuses(parameters, "/permanent-statuses") ?? []
    runsInRehearsal = try parameters.boolean("/rehearse", default: false)
    try check()
  }

  private func check() throws {
    let lists = [
      ("/success-statuses", successStatuses), ("/retry-statuses", retryStatuses ?? []),
      ("/permanent-statuses", permanentStatuses),
    ]
    for (index, (name, statuses)) in lists.enumerated() {
      for (other, others) in lists[(index + 1)...] {
        guard let both = statuses.first(where: others.contains) else { continue }
        throw Failure("the status \(both) is in \(name) and in \(other): take it out of one")
      }
    }
  }

  private static func statuses(_ parameters: Parameters, _ pointer: String) throws -> [Int64]? {
    switch parameters.kind(pointer) {
    case .absent: nil
    case .array:
      try (0..<parameters.count(pointer)).map { index in
        let status = try parameters.integer("\(pointer)/\(index)")
        guard (0...255).contains(status) else {
          throw Failure("the parameter \(pointer)/\(index) is \(status): exit statuses are 0 to 255")
        }
        return status
      }
    case let kind: throw Failure("the parameter \(pointer) must be an array of exit statuses, and is \(kind)")
    }
  }

  /// Returns whether the status is a success, a failure, or a failure that is worth a retry.
  func judge(_ status: Int64) -> Verdict {
    if successStatuses.contains(status) { return .success }
    return retryStatuses?.contains(status) ?? !permanentStatuses.contains(status) ? .retry : .failure
  }

  enum Verdict {
    case success, failure, retry
  }
}
