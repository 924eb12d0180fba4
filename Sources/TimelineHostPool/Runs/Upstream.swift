import TimelineCore
import TimelineEngine
import TimelineWire

/// The end of another job's entry as a plugin is told of it: a JSON object.
enum Upstream {
  /// Bytes of the reason, each of which JSON may write as six: with them the whole still fits the wire.
  private static let reasonMax = 2_048

  /// The object as text; keys may be added to it and never change their meaning.
  static func json(_ record: EntryRecord) -> String {
    var members = [
      ("job", quoted(record.entry.job.text)),
      ("entry", quoted(record.entry.nominal.description)),
      ("outcome", quoted(record.outcome.rawValue)),
      ("reason", quoted(record.reason.cut(to: reasonMax))),
      ("cause", quoted(record.cause.rawValue)),
      ("attempts", String(record.attempts)),
      ("entryCount", String(record.entryCount)),
      ("endedAt", quoted(record.endedAt.description)),
    ]
    if let run = record.run { members.append(("run", String(run.number))) }
    if let startedAt = record.startedAt { members.append(("startedAt", quoted(startedAt.description))) }
    if record.entryCount > 1 { members.append(("firstEntry", quoted(record.firstNominal.description))) }
    return "{" + members.map { "\(quoted($0.0)):\($0.1)" }.joined(separator: ",") + "}"
  }

  /// JSON's spelling of a text (RFC 8259, section 7); U+0000, which no plugin can be handed, becomes U+FFFD.
  private static func quoted(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar.value {
      case 0: result += "\u{FFFD}"
      case 0x22: result += "\\\""
      case 0x5C: result += "\\\\"
      case 0x0A: result += "\\n"
      case 0x09: result += "\\t"
      case 0x0D: result += "\\r"
      case 1..<0x20:
        let digits = String(scalar.value, radix: 16)
        result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }
}
