import PluginJSON
import PluginSupport
import TimelinePluginKit

/// The lines of JSON that a program reads.
enum RunLine {
  /// The line that tells the program of its run: `{"run": {...}}`. Keys may be added to it and never change their meaning.
  static func run(_ context: RunContext, parameters: String) -> String {
    let members: [(String, String)] = [
      ("job", JSONText.quoted(context.job)),
      ("runKey", JSONText.quoted(context.runKey)),
      ("traceparent", JSONText.quoted(TraceContext.text(of: context))),
      ("nominal", moment(context.nominal)),
      ("actual", moment(context.actual)),
      ("deadline", context.deadline.map(moment) ?? "null"),
      ("attempt", String(context.attempt)),
      ("entryCount", String(context.entryCount)),
      ("mode", JSONText.quoted(context.isLowFrequency ? "low-frequency" : "normal")),
      ("cadence", JSONText.quoted("\(context.cadence)")),
      ("rehearsal", context.isRehearsal ? "true" : "false"),
      ("previous", context.previous.map(previous) ?? "null"),
      ("cursor", cursor(context.cursor)),
      ("upstream", context.upstream?.json() ?? "null"),
      ("fencingToken", context.fencingToken.map { String($0) } ?? "null"),
      ("parameters", parameters),
    ]
    return JSONText.object([("run", JSONText.object(members))])
  }

  /// The line that asks the program to stop.
  static let cancel = #"{"cancel":{}}"#

  private static func moment(_ nanoseconds: Int64) -> String {
    JSONText.quoted(Moment.text(nanosecondsSinceEpoch: nanoseconds))
  }

  private static func previous(_ run: RunContext.PreviousRun) -> String {
    let status: ProgramAnswer.Status =
      switch run.status {
      case .succeeded: .ok
      case .failed: .failed
      case .failedForNow: .retry
      case .cancelled: .cancelled
      }
    return JSONText.object([
      ("status", JSONText.quoted(status.rawValue)), ("text", run.text.map(JSONText.quoted) ?? "null"),
    ])
  }

  /// The cursor, which is JSON; one that another plugin has left may not be, and is told as a text.
  private static func cursor(_ bytes: [UInt8]) -> String {
    guard !bytes.isEmpty else { return "null" }
    let text = String(decoding: bytes, as: UTF8.self)
    return (try? JSONValue(parsing: text))?.description ?? JSONText.quoted(text)
  }
}
