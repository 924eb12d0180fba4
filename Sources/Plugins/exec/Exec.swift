import CExec
import Glibc
import PluginSupport
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
    program = Program(settings, hostEnvironment: Self.environment())
  }

  func run(_ context: RunContext) throws -> String? {
    try context.checkCancellation()
    if context.isRehearsal && !settings.runsInRehearsal {
      let commands = program.steps.map(\.text).joined(separator: "; ")
      let text = "rehearsal: \(commands) was not run; set rehearse = true to run it"
      context.log(text, level: .notice)
      return text
    }
    if let condition = program.condition, let reason = try reasonNotToRun(condition, context) {
      return reason
    }
    var result: String?
    for step in program.steps {
      try context.checkCancellation()
      result = try run(step, context)
    }
    return result
  }

  private func run(_ step: Step, _ context: RunContext) throws -> String? {
    do {
      let path = try path(of: step)
      var command = try program.start(step, at: path, context)
      let ending = command.finish(context)
      return try judge(ending, command, of: step, at: path, context)
    } catch  where step.mayFail && !(error is CancellationError) {
      context.log("\(error); the run goes on, because this command may fail", level: .notice)
      return nil
    }
  }

  /// Runs the condition. Returns the reason why the commands are not run, or `nil` when they are.
  private func reasonNotToRun(_ condition: Step, _ context: RunContext) throws -> String? {
    let path = try path(of: condition)
    var command = try program.start(condition, at: path, context)
    let ending = command.finish(context)
    if context.isCancelled { throw CancellationError() }
    switch ending {
    case .exited(0): return nil
    case .exited(let status):
      return "nothing was run: the condition `\(Self.quote(condition.text))` exited with status \(status)"
    case .signalled, .lost: return try judge(ending, command, of: condition, at: path, context)
    }
  }

  private func path(of step: Step) throws -> String {
    step.isSought ? try find(step.name, in: program.environment.searchPath) : step.name
  }

  private func judge(
    _ ending: Command.Ending, _ command: borrowing Command, of step: Step, at path: String,
    _ context: RunContext
  ) throws -> String? {
    let name = step.name
    if case .exited(let status) = ending, settings.judge(status) == .success {
      return command.lastOutput.isEmpty ? nil : command.lastOutput
    }
    let line = command.lastDiagnostic.isEmpty ? command.lastOutput : command.lastDiagnostic
    let lastLine =
      line.isEmpty ? "it printed nothing" : "last line of output: \"\(Self.quote(line))\""
    let more = line.isEmpty ? "" : "; `timelinectl logs \(context.job)` has its last lines"
    switch ending {
    case .lost(ECHILD):
      throw Failure(
        "\(name): its exit status cannot be known: \(reason(ECHILD)): something else in its plugin host ignores or reaps ended "
          + "children (SIGCHLD); \(lastLine)\(more)")
    case .lost(let code):
      throw Failure(
        "\(name) was killed: its end could not be awaited: \(reason(code)): the machine or a limit is exhausted; "
          + "\(lastLine)\(more)")
    case .exited(let status):
      if context.isCancelled { throw CancellationError() }
      let hint = StartFailure.hint(status: status, of: path).map { ": \($0)" } ?? ""
      let sentence = "\(name) exited with status \(status)\(hint); \(lastLine)\(more)"
      if settings.judge(status) == .retry { throw RetryableFailure(sentence) }
      throw Failure(sentence)
    case .signalled(let signal):
      if context.isCancelled { throw CancellationError() }
      let sentence =
        "\(name) was killed by signal \(signal) (\(String(cString: strsignal(signal)))); \(lastLine); "
        + SignalRemedy.text(signal, memoryLimit: memoryLimit)
      // The same again would use up as much.
      if signal == SIGXCPU { throw Failure(sentence) }
      throw RetryableFailure(sentence)
    }
  }

  /// Characters of a line of output that are quoted in a reason: what fits in a few lines of a terminal.
  private static let quoteMax = 500

  /// The line, or its beginning and its end.
  private static func quote(_ line: String) -> String {
    guard line.count > quoteMax else { return line }
    return "\(line.prefix(quoteMax / 2)) ... \(line.suffix(quoteMax / 2))"
  }

  /// The bytes of memory that the job may have; `nil` for no limit.
  private var memoryLimit: UInt? {
    let bytes = timelined_memory_limit()
    return bytes == 0 ? nil : bytes
  }

  /// The path of a program without a slash: the first file of that name in PATH that can be executed.
  private func find(_ program: String, in searchPath: String) throws -> String {
    var refused: String?
    for directory in searchPath.split(separator: ":") {
      let path = "\(directory)/\(program)"
      guard ProgramFile(path)?.isRegular == true else { continue }
      if access(path, X_OK) == 0 { return path }
      refused = refused ?? path
    }
    if let refused { throw self.program.failure(EACCES, starting: refused) }
    if let words = StartFailure.wordsInOne(program) { throw Failure("\(program) was not started: \(words)") }
    throw Failure(
      "\(program) was not found in PATH, which is \"\(searchPath)\": install it, or give its absolute path in `command`"
    )
  }

  private static func environment() -> [String: String] {
    var result: [String: String] = [:]
    var entry = environ
    while let text = entry.pointee {
      let pair = String(cString: text).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      if pair.count == 2 { result[String(pair[0])] = String(pair[1]) }
      entry += 1
    }
    // The daemon's word to the host's own Swift runtime, and no business of the command's.
    result["SWIFT_BACKTRACE"] = nil
    return result
  }
}

/// The entry function that the plugin host looks up in the library.
@c(timelined_plugin_entry_exec)
public func entry(_ host: UnsafeRawPointer?) -> UnsafeRawPointer? {
  export(Exec.self, to: host)
}
