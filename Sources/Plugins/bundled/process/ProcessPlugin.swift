import CommandSupport
import TimelinePluginKit

/// Starts a program for each run and exchanges lines of JSON with it. The program's last line decides on the result.
///
/// Each run has a process of its own: the program keeps no memory between runs, and a crash affects one run. A stop and the
/// cleanup after a run are the same as for a command of `exec`. A start takes some milliseconds, with Python some tens of
/// milliseconds.
final class ProcessPlugin: TimelinePlugin {
  static let name = "process"
  static let version = "1.0"
  static let summary = "runs a program that speaks JSON lines"
  static let instancesMax = 256
  static let parametersSchema: String? = ProcessSettings.schema

  private let settings: ProcessSettings
  private let program: Program
  private let step: Step

  init(_ opening: Opening) throws {
    settings = try ProcessSettings(opening.parameters)
    program = Program(settings.surroundings, input: .lines)
    step = Step(settings.command)
  }

  func run(_ context: RunContext) throws -> String? {
    try context.checkCancellation()
    if context.isRehearsal && !settings.runsInRehearsal { return context.skip([step]) }
    var command = try program.start(step, context)
    // The splitter's limit is one character longer than the limit of a line, so that the first piece of a longer line
    // exceeds the limit.
    let input = command.input(linesOfAtMost: ProgramAnswer.lineMax + Self.characterMax)
    defer { input.close() }
    input.send(RunLine.run(context, parameters: settings.parameters))
    context.whenCancelled { input.send(RunLine.cancel) }
    var answer = ProgramAnswer()
    var refusal: (any Error)?
    let ending = command.finish(context, input: input) { line in
      do {
        try answer.take(line, context)
        // A program that continues to read then reads the end of its input.
        if answer.status != nil { input.close() }
        return true
      } catch {
        refusal = explain(error, line)
        return false
      }
    }
    if let refusal { throw refusal }
    return try result(answer, ending, command, context)
  }

  /// Number of bytes of the longest character. A line is split only between two characters.
  private static let characterMax = 4

  private var programName: String { settings.command.arguments[0] }

  private func explain(_ error: any Error, _ line: String) -> any Error {
    guard let fault = error as? ProgramAnswer.Fault else { return error }
    return Failure(
      "\(programName) was stopped: it printed a line that is not part of the protocol: \(fault.text); "
        + "print one JSON object a line to standard output, and anything else to standard error; "
        + "the line: \(Command.quote(line))")
  }

  private func result(
    _ answer: ProgramAnswer, _ ending: Command.Ending, _ command: borrowing Command, _ context: RunContext
  ) throws -> String? {
    guard case .exited(0) = ending else {
      // The program has reported why it failed, so its exit status adds no information.
      if case .exited = ending, let status = answer.status, status != .ok {
        throw failure(status, answer)
      }
      throw command.failure(ending, context) { _ in true }
    }
    switch answer.status {
    case .ok: return answer.result
    case .some(let status): throw failure(status, answer)
    case nil:
      if context.isCancelled { throw CancellationError() }
      throw Failure(
        "\(programName) ended without a status: its last line must be {\"status\": \"ok\"}, or \"failed\", \"retry\" or \"cancelled\""
      )
    }
  }

  private func failure(_ status: ProgramAnswer.Status, _ answer: ProgramAnswer) -> any Error {
    let text =
      answer.error
      ?? "\(programName) said \"\(status.rawValue)\" and not why: print {\"error\": \"...\"} before the status"
    return switch status {
    case .ok, .failed: Failure(text)
    case .retry: RetryableFailure(text)
    case .cancelled: CancellationError()
    }
  }
}

/// The entry function that the plugin host looks up in the library.
@c(timelined_plugin_entry_process)
public func entry(_ host: UnsafeRawPointer?) -> UnsafeRawPointer? {
  export(ProcessPlugin.self, to: host)
}
