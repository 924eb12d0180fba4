import CommandSupport
import TimelinePluginKit

/// Runs commands. The exit status decides on the result of the run.
final class Exec: TimelinePlugin {
  static let name = "exec"
  static let version = "1.0"
  static let summary = "runs a command"
  static let instancesMax = 256
  static let parametersSchema: String? = Settings.schema

  private let settings: Settings
  private let program: Program
  /// The commands, which are run one after the other.
  private let steps: [Step]
  /// The command that decides whether the commands are run; `nil` if they always are.
  private let condition: Step?

  init(_ opening: Opening) throws {
    settings = try Settings(opening.parameters)
    program = Program(settings.surroundings, input: .text(settings.standardInput))
    steps = settings.commands.map(Step.init)
    condition = settings.condition.map(Step.init)
  }

  func run(_ context: RunContext) throws -> String? {
    try context.checkCancellation()
    if context.isRehearsal && !settings.runsInRehearsal { return context.skip(steps) }
    if let condition, let reason = try reasonNotToRun(condition, context) { return reason }
    var result: String?
    for step in steps {
      try context.checkCancellation()
      result = try run(step, context)
    }
    return result
  }

  private func run(_ step: Step, _ context: RunContext) throws -> String? {
    do {
      var command = try program.start(step, context)
      let ending = finish(&command, context)
      guard case .exited(let status) = ending, settings.judge(status) == .success else {
        throw command.failure(ending, context) { settings.judge($0) == .retry }
      }
      return command.lastOutput.isEmpty ? nil : command.lastOutput
    } catch  where step.mayFail && !(error is CancellationError) {
      context.log("\(error); the run goes on, because this command may fail", level: .notice)
      return nil
    }
  }

  /// Runs the condition. Returns the reason why the commands are not run; `nil` if they are to be run.
  private func reasonNotToRun(_ condition: Step, _ context: RunContext) throws -> String? {
    var command = try program.start(condition, context)
    let ending = finish(&command, context)
    if context.isCancelled { throw CancellationError() }
    guard case .exited(let status) = ending else { throw command.failure(ending, context) { _ in true } }
    guard status != 0 else { return nil }
    return "nothing was run: the condition `\(Command.quote(condition.text))` exited with status \(status)"
  }

  private func finish(_ command: inout Command, _ context: RunContext) -> Command.Ending {
    command.finish(context) { line in
      context.log(line)
      return true
    }
  }
}

/// The entry function that the plugin host looks up in the library.
@c(timelined_plugin_entry_exec)
public func entry(_ host: UnsafeRawPointer?) -> UnsafeRawPointer? {
  export(Exec.self, to: host)
}
