import CCommand
import Glibc
import TimelinePluginKit

/// A command while it runs.
///
/// It stays in the host's process group unless it leaves that: when the run is to stop, the host sends SIGTERM to the group
/// and to all that has left it, and when the grace is over the daemon kills all of it. So nothing the command starts outlives
/// the run's end by force.
package struct Command: ~Copyable {
  private var command: timelined_command
  private var output: Lines
  private var diagnostics = Lines()
  /// The path of its program.
  let path: String
  /// Its program, as the job names it.
  let name: String

  /// The last line that it printed to standard output and to standard error; empty if none.
  package var lastOutput: String { output.last }
  var lastDiagnostic: String { diagnostics.last }

  /// The way in which a command ended.
  package enum Ending {
    /// It exited with this status.
    case exited(Int64)
    /// This signal ended it.
    case signalled(Int32)
    /// Its status cannot be known, with the errno value of the reason.
    case lost(Int32)
  }

  /// Takes over a command that has been started.
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

  /// Takes out the standard input of a command that takes lines, and hands on whole lines of up to `lengthMax` bytes.
  package mutating func input(linesOfAtMost lengthMax: Int) -> CommandInput {
    defer { command.input = -1 }
    output = Lines(lengthMax: lengthMax)
    return CommandInput(owning: command.input)
  }

  /// Waits until it has ended, and logs what it prints to standard error meanwhile.
  ///
  /// - Parameters:
  ///   - input: Its standard input, if it takes lines.
  ///   - take: Takes each line of its standard output; false has the command killed, and no further line is taken.
  package mutating func finish(
    _ context: RunContext, input: CommandInput? = nil, take: (String) -> Bool
  ) -> Ending {
    // The host's SIGTERM may have come before the command was there to get it.
    if context.isCancelled { kill(command.process, SIGTERM) }
    var isRefused = false
    // `nil` once it has ended: its number may then be that of another process.
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
      // What is in the pipes when it has ended is its last output; other processes that hold them are not waited for.
      read(result, isLast: hasEnded, context, take)
      guard hasEnded else { continue }
      if context.isCancelled { followOthers(context, take) }
      output.flush(take)
      diagnostics.flush { context.log($0, fields: ["stream": "stderr"]) }
      if result.lost != 0 { return .lost(result.lost) }
      return result.signal == 0 ? .exited(Int64(result.status)) : .signalled(result.signal)
    }
  }

  /// Reads on for a moment: those that were asked to stop with it may say what they put in order, and a pipe without a reader
  /// would end them in the midst of that.
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
