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

  init(_ settings: Settings, hostEnvironment: [String: String]) {
    workingDirectory = settings.workingDirectory
    environment = CommandEnvironment(host: hostEnvironment, job: settings.environment)
    isSought = !settings.arguments[0].utf8.contains(UInt8(ascii: "/"))
    arguments = Words(settings.arguments)
    directory = Words(settings.workingDirectory.map { [$0] } ?? [])
    input = settings.standardInput.map { Array($0.utf8CString) }
  }

  /// Starts `path` with the run's variables.
  func start(_ path: String, _ context: RunContext) throws -> Command {
    var (started, isOfDirectory) = (timelined_command(), CInt(0))
    let code = environment.with(context) { environment in
      path.withCString { name in
        arguments.vector.withUnsafeBufferPointer { arguments in
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
