import PluginJSON
import PluginSupport
import TimelinePluginKit

/// The lines of JSON that are sent to a program.
enum RunLine {
  /// Returns the line with the facts of the run: `{"run": {...}}`. Keys may be added later; existing keys never change
  /// their meaning.
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
      ("movedFrom", "[" + context.movedFrom.map(moment).joined(separator: ",") + "]"),
      ("parameters", parameters),
    ]
    return JSONText.object([("run", JSONText.object(members))])
  }

  /// The line that requests the program to stop.
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

  /// Returns the cursor as JSON. A cursor that another plugin has stored may not be JSON, and is passed as a text.
  private static func cursor(_ bytes: [UInt8]) -> String {
    guard !bytes.isEmpty else { return "null" }
    let text = String(decoding: bytes, as: UTF8.self)
    return (try? JSONValue(parsing: text))?.description ?? JSONText.quoted(text)
  }
}
