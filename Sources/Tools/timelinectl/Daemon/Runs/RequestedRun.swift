import ArgumentParser
import TimelineControl
import TimelineCore
import TimelineSystem

/// A verb that requests a run and can wait for its end.
protocol RunVerb: DaemonVerb {
  var output: OutputOptions { get }
  var wait: Bool { get }
  var job: String { get }
}

extension RunVerb {
  /// Requests the run, and shows what became of it. Ends the program with status 1 unless the run is active or has succeeded.
  func request<Call: ControlCall>(_ request: Call) throws where Call.Reply == TriggerReply {
    guard wait else {
      let reply = try call(request)
      try show(reply)
      if let end = reply.end, end.outcome != Outcome.succeeded.rawValue { throw ExitCode(1) }
      return
    }
    // The note is printed after a delay, so that it does not appear for a run that starts at once.
    var waitingNote: String?
    let last = try callAndWait(
      wait: { stream in
        if let note = waitingNote {
          if try stream.wait(toWrite: false, atMost: RunText.noteDelay) { return }
          CurrentProcess.printError(note + "\n")
          waitingNote = nil
        }
        _ = try stream.wait(toWrite: false, atMost: nil)
      },
      { client in
        try client.stream(request) { reply in
          waitingNote = nil
          if output.json { return try Output.print(jsonLine(reply)) }
          guard let text = RunText.progress(reply, job: job) else { return }
          if reply.run == 0 { waitingNote = text } else { CurrentProcess.printError(text + "\n") }
        }
      })
    if !output.json { try show(last) }
    if last.end?.outcome != Outcome.succeeded.rawValue { throw ExitCode(1) }
  }

  private func show(_ reply: TriggerReply) throws {
    try Output.print(output.json ? jsonLine(reply) : RunText.text(of: reply, job: job) + "\n")
  }
}

/// Texts about a requested run.
enum RunText {
  /// Time that a run must wait before the note is printed.
  fileprivate static let noteDelay = ElapsedTime.milliseconds(100)

  fileprivate static func progress(_ reply: TriggerReply, job: String) -> String? {
    if reply.run == 0 && reply.end == nil { return "\(job): waits for its turn" }
    let share = reply.progressMillionths.map { "\($0 / 10_000) %" }
    let parts = [share, reply.progressText?.printable].compactMap { $0 }.filter { !$0.isEmpty }
    return parts.isEmpty ? nil : parts.joined(separator: "  ")
  }

  /// Text of a reply, without a line end.
  static func text(of reply: TriggerReply, job: String) -> String {
    let repeated = reply.of.map { ", rerun of the entry \($0.instant)" } ?? ""
    if let end = reply.end {
      let took = end.durationNanoseconds.map { " after \(Words.length($0))" } ?? ""
      let reason = end.reason.isEmpty ? "" : ": \(end.reason.printable)"
      return "\(job): \(end.outcome ?? "ended")\(took)\(repeated)\(reason)"
    }
    return (reply.run == 0 ? "\(job): waits for its turn" : "\(job): run \(reply.run) started") + repeated
  }
}
