import CommandSupport
import TimelinePluginKit

/// Runs a command; its exit status decides.
final class Exec: TimelinePlugin {
  static let name = "exec"
  static let version = "1.0"
  static let summary = "runs a command"
  static let instancesMax = 256
  static let parametersSchema: String? = Settings.schema

  private let settings: Settings
  private let program: Program

  init(_ opening: Opening) throws {
    settings = try Settings(opening.parameters)
    program = Program(settings.command, input: .text(settings.standardInput))
  }

  func run(_ context: RunContext) throws -> String? {
    try context.checkCancellation()
    if context.isRehearsal && !settings.runsInRehearsal {
      let text =
        "rehearsal: \(settings.command.arguments.joined(separator: " ")) was not run; set rehearse = true to run it"
      context.log(text, level: .notice)
      return text
    }
    var command = try program.start(context)
    let ending = command.finish(context) { line in
      context.log(line)
      return true
    }
    guard case .exited(let status) = ending, settings.judge(status) == .success else {
      throw command.failure(ending, context) { settings.judge($0) == .retry }
    }
    return command.lastOutput.isEmpty ? nil : command.lastOutput
  }
}

/// The entry function that the plugin host looks up in the library.
@c(timelined_plugin_entry_exec)
public func entry(_ host: UnsafeRawPointer?) -> UnsafeRawPointer? {
  export(Exec.self, to: host)
}
