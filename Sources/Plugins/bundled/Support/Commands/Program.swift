import CCommand
import Glibc
import TimelinePluginKit

/// The common parts of a job's commands as C strings. They are made once, and no run changes them.
package final class Program {
  /// The working directory of the commands; `nil` for the plugin host's.
  private let workingDirectory: String?
  private let environment: CommandEnvironment
  private let directory: Words
  private let input: [CChar]?
  private let takesLines: Bool

  /// Kinds of standard input of a command.
  package enum Input {
    /// A text, which is available from the start; `nil` for an empty input.
    case text(String?)
    /// Lines that are written while the command runs.
    case lines
  }

  /// Makes the common parts of the commands that have these settings.
  package init(_ settings: CommandSettings, input: Input) {
    workingDirectory = settings.workingDirectory
    environment = CommandEnvironment(host: HostEnvironment.variables, job: settings.environment)
    directory = Words(settings.workingDirectory.map { [$0] } ?? [])
    switch input {
    case .text(let text): (self.input, takesLines) = (text.map { Array($0.utf8CString) }, false)
    case .lines: (self.input, takesLines) = (nil, true)
    }
  }

  /// Starts a command with the run's variables.
  package func start(_ step: Step, _ context: RunContext) throws -> Command {
    let path = step.isSought ? try find(step.name, in: environment.searchPath) : step.name
    var (started, isOfDirectory) = (timelined_command(), CInt(0))
    let code = environment.with(context) { environment in
      path.withCString { name in
        step.arguments.vector.withUnsafeBufferPointer { arguments in
          withInput { input, length in
            var program = timelined_program(
              arguments: arguments.baseAddress, directory: directory.vector[0], input: input,
              input_length: length, takes_input: takesLines ? 1 : 0)
            return timelined_command_start(name, &program, environment, &started, &isOfDirectory)
          }
        }
      }
    }
    guard code == 0 else { throw failure(code, ofDirectory: isOfDirectory == 1, starting: path) }
    return Command(started, path: path, name: step.name)
  }

  /// Returns the error for a failure with the errno value `code` to start `path`.
  private func failure(_ code: Int32, ofDirectory isOfDirectory: Bool = false, starting path: String)
    -> any Error
  {
    StartFailure(path: path, directory: workingDirectory, isOfDirectory: isOfDirectory, code: code).error
  }

  private func withInput(_ body: (UnsafePointer<CChar>?, UInt) -> Int32) -> Int32 {
    guard let input else { return body(nil, 0) }
    return input.withUnsafeBufferPointer { body($0.baseAddress, UInt($0.count - 1)) }
  }

  /// Returns the path of a program without a slash in its name: the first executable file with that name in the search
  /// path.
  private func find(_ program: String, in searchPath: String) throws -> String {
    var refused: String?
    for directory in searchPath.split(separator: ":") {
      let path = "\(directory)/\(program)"
      guard ProgramFile(path)?.isRegular == true else { continue }
      if access(path, X_OK) == 0 { return path }
      refused = refused ?? path
    }
    if let refused { throw failure(EACCES, starting: refused) }
    if let words = StartFailure.wordsInOne(program) { throw Failure("\(program) was not started: \(words)") }
    throw Failure(
      "\(program) was not found in PATH, which is \"\(searchPath)\": install it, or give its absolute path in `command`"
    )
  }
}
