import CExec
import Glibc
import TimelinePluginKit

/// The common parts of a job's commands, in C's form and made once: a run uses them as they are.
final class Program {
  /// The directory in which a command starts; `nil` for the plugin host's.
  let workingDirectory: String?
  /// Whether the program has to be looked for in PATH: its name has no slash.
  let isSought: Bool
  /// The environment from the job and the plugin host.
  let environment: CommandEnvironment
  private let arguments: Words
  private let directory: Words
  private let input: [CChar]?
  /// The same for all jobs of a process, whose signals are what they are before it loads a plugin; to ask is a call of the
  /// kernel for each of 64.
  private static let changedSignals = timelined_changed_signals()

  init(_ settings: Settings, hostEnvironment: [String: String]) {
    workingDirectory = settings.workingDirectory
    environment = CommandEnvironment(host: hostEnvironment, job: settings.environment)
    isSought = !settings.arguments[0].utf8.contains(UInt8(ascii: "/"))
    arguments = Words(settings.arguments)
    directory = Words(settings.workingDirectory.map { [$0] } ?? [])
    input = settings.standardInput.map { Array($0.utf8CString) }
  }

  /// Starts `path` with the run's variables and calls `body` with the command. It may begin later: what it begins with is there until
  /// `body` returns, which is to await its end.
  func start<Result>(_ path: String, _ context: RunContext, _ body: (inout Command) throws -> Result) throws
    -> Result
  {
    try environment.with(context) { environment in
      try path.withCString { name in
        try arguments.vector.withUnsafeBufferPointer { arguments in
          var started = timelined_command()
          let code = withInput { input, length in
            var program = timelined_program(
              arguments: arguments.baseAddress, directory: directory.vector[0], input: input,
              input_length: length, changed: Self.changedSignals)
            return timelined_command_start(name, &program, environment, &started)
          }
          guard code == 0 else { throw failure(TIMELINED_STEP_START, code, starting: path) }
          var command = Command(started)
          return try body(&command)
        }
      }
    }
  }

  /// The failure of `path` at that step of its start, of which errno has the number `code`.
  func failure(_ step: Int32, _ code: Int32, starting path: String) -> any Error {
    StartFailure(path: path, directory: workingDirectory, step: step, code: code).error
  }

  private func withInput(_ body: (UnsafePointer<CChar>?, UInt) -> Int32) -> Int32 {
    guard let input else { return body(nil, 0) }
    return input.withUnsafeBufferPointer { body($0.baseAddress, UInt($0.count - 1)) }
  }
}
