import CCommand
import Glibc
import TimelinePluginKit

/// A running command.
///
/// The command stays in the host's process group unless it leaves the group. To stop the run, the host sends SIGTERM to the
/// group and to all descendants outside of it. After the grace the daemon kills all of them. So no process of the command
/// outlasts a run that is stopped by force.
package struct Command: ~Copyable {
  private var command: timelined_command
  private var output: Lines
  private var diagnostics = Lines()
  let path: String
  /// The program's name in the spelling of the job.
  let name: String

  /// The last line on standard output that is not empty; empty if there is none.
  package var lastOutput: String { output.last }
  var lastDiagnostic: String { diagnostics.last }

  /// The way in which a command ended.
  package enum Ending {
    case exited(Int64)
    case signalled(Int32)
    /// The command's status could not be read, because of an error with this errno value.
    case lost(Int32)
  }

  /// Wraps a command that has been started.
  init(_ command: timelined_command, path: String, name: String) {
    self.command = command
    self.path = path
    self.name = name
    output = Lines()
  }

  deinit {
    var command = command
    timelined_command_close(&command)
  }

  /// Returns the standard input of a command that reads lines. From now on, lines of the command's output may have up to
  /// `lengthMax` bytes.
  package mutating func input(linesOfAtMost lengthMax: Int) -> CommandInput {
    defer { command.input = -1 }
    output = Lines(lengthMax: lengthMax)
    return CommandInput(owning: command.input)
  }

  /// Waits until the command has ended, and logs its standard error meanwhile.
  ///
  /// - Parameters:
  ///   - input: The command's standard input, if it reads lines.
  ///   - take: Called with each line of the command's standard output. If it returns false, the command is killed, and no
  ///     further line is passed.
  package mutating func finish(
    _ context: RunContext, input: CommandInput? = nil, take: (String) -> Bool
  ) -> Ending {
    // The host's SIGTERM may have been sent before the command was started.
    if context.isCancelled { kill(command.process, SIGTERM) }
    var isRefused = false
    // `nil` after the end of the command, because its number may then belong to another process.
    var running: pid_t? = command.process
    let take = { (line: String) in
      guard !isRefused, !take(line) else { return }
      isRefused = true
      if let running { kill(running, SIGKILL) }
    }
    while true {
      let result = timelined_command_wait(&command, input?.waiting ?? -1)
      if result.can_write == 1 { input?.flush() }
      let hasEnded = result.has_ended == 1
      if hasEnded { running = nil }
      // When the command has ended, its last output is in the pipes. There is no wait for other processes that have the
      // pipes open.
      read(result, isLast: hasEnded, context, take)
      guard hasEnded else { continue }
      if context.isCancelled { followOthers(context, take) }
      output.flush(take)
      diagnostics.flush { context.log($0, fields: ["stream": "stderr"]) }
      if result.lost != 0 { return .lost(result.lost) }
      return result.signal == 0 ? .exited(Int64(result.status)) : .signalled(result.signal)
    }
  }

  /// Continues to read for a moment, because other processes that got the request to stop may log their cleanup. Without a
  /// reader of their pipe, SIGPIPE would end them during the cleanup.
  private mutating func followOthers(_ context: RunContext, _ take: (String) -> Void) {
    while true {
      let result = timelined_command_follow(&command)
      read(result, isLast: false, context, take)
      if result.has_ended == 1 { return }
    }
  }

  private mutating func read(
    _ result: timelined_poll_result, isLast: Bool, _ context: RunContext, _ take: (String) -> Void
  ) {
    if result.has_output == 1 { output.read(command.output, isLast: isLast, take) }
    if result.has_diagnostics == 1 {
      diagnostics.read(command.diagnostics, isLast: isLast) {
        context.log($0, fields: ["stream": "stderr"])
      }
    }
  }
}
