import CExec
import Glibc
import TimelinePluginKit

/// One command of a job in C's form, made once: a run uses it as it is.
final class Step {
  /// The program, as it is written.
  let name: String
  /// The program and its arguments in one line, for people.
  let text: String
  /// Whether the program has to be looked for in PATH: its name has no slash.
  let isSought: Bool
  /// Whether the run goes on after it has failed.
  let mayFail: Bool
  fileprivate let arguments: Words

  init(_ line: CommandLine) {
    name = line.arguments[0]
    text = line.text
    isSought = !name.utf8.contains(UInt8(ascii: "/"))
    mayFail = line.mayFail
    arguments = Words(line.arguments)
  }
}

/// A job's commands and their common parts, in C's form.
final class Program {
  /// The commands, which run one after the other.
  let steps: [Step]
  /// The command that decides whether they run; `nil` for always.
  let condition: Step?
  /// The directory in which a command starts; `nil` for the plugin host's.
  let workingDirectory: String?
  /// The environment from the job and the plugin host.
  let environment: CommandEnvironment
  private let directory: Words
  private let input: [CChar]?

  init(_ settings: Settings, hostEnvironment: [String: String]) {
    workingDirectory = settings.workingDirectory
    environment = CommandEnvironment(host: hostEnvironment, job: settings.environment)
    steps = settings.commands.map(Step.init)
    condition = settings.condition.map(Step.init)
    directory = Words(settings.workingDirectory.map { [$0] } ?? [])
    input = settings.standardInput.map { Array($0.utf8CString) }
  }

  /// Starts a command, whose program is at `path`, with the run's variables.
  func start(_ step: Step, at path: String, _ context: RunContext) throws -> Command {
    var (started, isOfDirectory) = (timelined_command(), CInt(0))
    let code = environment.with(context) { environment in
      path.withCString { name in
        step.arguments.vector.withUnsafeBufferPointer { arguments in
          withInput { input, length in
            var program = timelined_program(
              arguments: arguments.baseAddress, directory: directory.vector[0], input: input,
              input_length: length)
            return timelined_command_start(name, &program, environment, &started, &isOfDirectory)
          }
        }
      }
    }
    guard code == 0 else { throw failure(code, ofDirectory: isOfDirectory == 1, starting: path) }
    return Command(started)
  }

  /// Returns the error of a start of `path` that failed with the errno value `code`.
  func failure(_ code: Int32, ofDirectory isOfDirectory: Bool = false, starting path: String) -> any Error {
    StartFailure(path: path, directory: workingDirectory, isOfDirectory: isOfDirectory, code: code).error
  }

  private func withInput(_ body: (UnsafePointer<CChar>?, UInt) -> Int32) -> Int32 {
    guard let input else { return body(nil, 0) }
    return input.withUnsafeBufferPointer { body($0.baseAddress, UInt($0.count - 1)) }
  }
}
