import CommandSupport
import TimelinePluginKit

extension CommandLine {
  /// The largest number of commands of a run. More commands belong into a script.
  private static let countMax = 64

  /// Reads the commands of a job: `command`, or each of `commands`.
  static func all(_ parameters: Parameters, isShell: Bool) throws -> [CommandLine] {
    switch (parameters.kind("/command"), parameters.kind("/commands")) {
    case (_, .absent): return [try CommandLine(parameters, "/command", isShell: isShell)]
    case (.absent, .array):
      let count = parameters.count("/commands")
      guard (1...countMax).contains(count) else {
        throw Failure("the parameter /commands has \(count) commands: give 1 to \(countMax)")
      }
      return try (0..<count).map { index in
        let pointer = "/commands/\(index)"
        guard parameters.kind(pointer) == .object else {
          return try CommandLine(parameters, pointer, isShell: isShell)
        }
        var line = try CommandLine(parameters, "\(pointer)/command", isShell: isShell)
        line.mayFail = try parameters.boolean("\(pointer)/may-fail", default: false)
        return line
      }
    case (.absent, let kind): throw Failure("the parameter /commands must be an array, and is \(kind)")
    default: throw Failure("the parameters have both /command and /commands: take one out")
    }
  }

  /// Reads the command at `pointer`: one text for a shell if `isShell`, otherwise an array of texts.
  init(_ parameters: Parameters, _ pointer: String, isShell: Bool) throws {
    switch (isShell, parameters.kind(pointer)) {
    case (true, .text):
      let text = try parameters.text(pointer)
      try self.init(["/bin/sh", "-c", text], text: text, of: pointer)
    case (true, let kind):
      throw Failure(
        "the parameter \(pointer) must be one text when /shell is true, and is \(kind): join its words")
    case (false, .text):
      throw Failure(
        "the parameter \(pointer) is one text: write an array such as [\"/usr/bin/id\", \"-u\"], or set shell = true"
      )
    case (false, _): try self.init(parameters.texts(pointer), of: pointer)
    }
  }
}
