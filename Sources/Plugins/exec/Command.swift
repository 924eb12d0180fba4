import CExec
import Glibc
import TimelinePluginKit

/// A command while it runs.
///
/// It stays in the host's process group unless it leaves that: when the run is to stop, the host sends SIGTERM to the group
/// and to all that has left it, and when the grace is over the daemon kills all of it. So nothing the command starts outlives
/// the run's end by force.
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
    /// Its status cannot be known, with the errno value of the reason.
    case lost(Int32)
  }

  /// Takes over a command that has been started.
  init(_ command: timelined_command) { self.command = command }

  deinit {
    var command = command
    timelined_command_close(&command)
  }

  /// Waits until it has ended and passes on what it prints meanwhile.
  mutating func finish(_ context: RunContext) -> Ending {
    // The host's SIGTERM may have come before the command was there to get it.
    if context.isCancelled { kill(command.process, SIGTERM) }
    while true {
      let result = timelined_command_wait(&command)
      let hasEnded = result.has_ended == 1
      // What is in the pipes when it has ended is its last output; other processes that hold them are not waited for.
      read(result, isLast: hasEnded, context)
      guard hasEnded else { continue }
      if context.isCancelled { followOthers(context) }
      output.flush { context.log($0) }
      diagnostics.flush { context.log($0, fields: ["stream": "stderr"]) }
      if result.lost != 0 { return .lost(result.lost) }
      return result.signal == 0 ? .exited(Int64(result.status)) : .signalled(result.signal)
    }
  }

  /// Reads on for a moment: those that were asked to stop with it may say what they put in order, and a pipe without a reader
  /// would end them in the midst of that.
  private mutating func followOthers(_ context: RunContext) {
    while true {
      let result = timelined_command_follow(&command)
      read(result, isLast: false, context)
      if result.has_ended == 1 { return }
    }
  }

  private mutating func read(_ result: timelined_poll_result, isLast: Bool, _ context: RunContext) {
    if result.has_output == 1 { output.read(command.output, isLast: isLast) { context.log($0) } }
    if result.has_diagnostics == 1 {
      diagnostics.read(command.diagnostics, isLast: isLast) {
        context.log($0, fields: ["stream": "stderr"])
      }
    }
  }
}
