import CommandSupport
import TimelinePluginKit

/// Starts a program for each run and speaks with it in lines of JSON; its last line decides.
///
/// One process for each run: what the program keeps in memory is gone with it, a stop and the cleaning up after a run treat it as a
/// command of `exec`, and a crash concerns one run. A start costs some milliseconds, in Python some tens.
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
    // More than a line may have, by the longest character: a piece of a line that is too long is then too long as well.
    let input = command.input(linesOfAtMost: ProgramAnswer.lineMax + Self.characterMax)
    defer { input.close() }
    input.send(RunLine.run(context, parameters: settings.parameters))
    context.whenCancelled { input.send(RunLine.cancel) }
    var answer = ProgramAnswer()
    var refusal: (any Error)?
    let ending = command.finish(context, input: input) { line in
      do {
        try answer.take(line, context)
        // A program that goes on to read finds the end.
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

  /// Bytes of the longest character: a piece of a line is cut between two characters.
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
      // It has said why it failed, and the status in which it ended says nothing else.
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
