import CExec
import Glibc
import TimelinePluginKit

/// A command while it runs.
///
/// It stays in the host's process group: when the run is to stop, the host sends SIGTERM to all of it, and when the
/// grace is over the daemon kills all of it. So nothing the command starts outlives the run's end by force.
struct Command: ~Copyable {
  private var command: timelined_command
  private var output = Lines()
  private var diagnostics = Lines()

  /// The last line that it printed to standard output and to standard error; empty if none.
  var lastOutput: String { output.last }
  var lastDiagnostic: String { diagnostics.last }

  enum Ending {
    case exited(Int64)
    case signalled(Int32)
  }

  /// Starts `path`.
  init(path: String, settings: Settings, variables: [String: String]) throws {
    var command = timelined_command()
    let words = Words(settings.arguments)
    let environment = Words(variables.map { "\($0.key)=\($0.value)" }.sorted())
    let input = settings.standardInput.map { Array($0.utf8CString) }
    let code = withExtendedLifetime((words, environment)) {
      timelined_command_start(
        path, words.vector, environment.vector, settings.workingDirectory, input,
        UInt(max(0, (input?.count ?? 1) - 1)), &command)
    }
    guard code == 0 else { throw Self.failure(code, path, settings) }
    self.command = command
  }

  deinit {
    close(command.handle)
    close(command.output)
    close(command.diagnostics)
  }

  /// Waits until it has ended and passes on what it prints meanwhile.
  mutating func finish(_ context: RunContext) -> Ending {
    // The host's SIGTERM came before there was anybody to get it.
    if context.isCancelled { kill(command.process, SIGTERM) }
    var waitsFor = command
    while true {
      timelined_command_wait(&waitsFor)
      var (status, signal): (Int32, Int32) = (0, 0)
      let hasEnded = timelined_command_ended(&command, &status, &signal) == 1
      // What is in the pipes when it has ended is its last words; who holds them longer is not waited for.
      if !output.read(command.output, isLast: hasEnded, { context.log($0) }) {
        waitsFor.output = -1
      }
      if !diagnostics.read(
        command.diagnostics, isLast: hasEnded, { context.log($0, fields: ["stream": "stderr"]) })
      {
        waitsFor.diagnostics = -1
      }
      if hasEnded { return signal == 0 ? .exited(Int64(status)) : .signalled(signal) }
    }
  }

  private static func failure(_ code: Int32, _ path: String, _ settings: Settings) -> any Error {
    let reason = String(cString: strerror(code))
    switch code {
    case EAGAIN, ENOMEM, EMFILE, ENFILE:
      return RetryableFailure("\(path) was not started: \(reason); the machine or a limit is exhausted")
    case ENOENT where access(path, F_OK) == 0:
      return Failure(
        "\(path) was not started: \(reason); look at the working-directory \(settings.workingDirectory ?? "of the job") "
          + "and at the program after #! in its first line")
    case ENOENT:
      return Failure("\(path) was not started: \(reason); correct `command`, or install the program")
    case EACCES: return Failure("\(path) was not started: \(reason); make it executable for the job's user")
    case ENOEXEC: return Failure("\(path) was not started: \(reason); give it a #! line, or set shell = true")
    default: return Failure("\(path) was not started: \(reason); look at `command` and `working-directory`")
    }
  }
}

/// A NULL-terminated vector of C strings.
private final class Words {
  let vector: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>
  private let count: Int

  init(_ words: [String]) {
    count = words.count
    vector = .allocate(capacity: count + 1)
    for (index, word) in words.enumerated() { (vector + index).initialize(to: strdup(word)) }
    (vector + count).initialize(to: nil)
  }

  deinit {
    for index in 0..<count { free(vector[index]) }
    vector.deallocate()
  }
}
