import TimelinePluginKit

/// An incident of the other job as text, such as "failed 3 times since 2027-01-15 02:30 UTC".
struct IncidentWords {
  let text: String

  /// Reads the daemon's facts about the incident. `nil` for a reaction to one entry, and for an incident that one failure or
  /// one missed entry has just opened.
  init?(_ upstream: Parameters) throws {
    guard let phase = try upstream.optionalText("/incident/phase") else { return nil }
    let count = try upstream.integer("/incident/failures", default: 1)
    let since = try upstream.text("/incident/since", default: "")
    let words = Words(kind: try upstream.text("/incident/kind", default: "failure"))
    let number = "\(count) \(count == 1 ? words.one : words.several)"
    switch phase {
    case "opened" where count == 1:
      guard let opened = words.openedByOne else { return nil }
      text = opened
    case "opened": text = "\(words.opened(count)) since \(Self.minute(since))"
    case "recovered": text = "recovered after \(number)"
    default: text = "still \(words.lasting), \(number) since \(Self.minute(since))"
    }
  }

  /// Texts for the failures of one kind.
  private struct Words {
    let one: String
    let several: String
    let lasting: String
    /// Text for an incident of one failure; `nil` if the outcome is used as the text.
    var openedByOne: String?
    let opened: (Int64) -> String

    init(kind: String) {
      switch kind {
      case "missed":
        (one, several, lasting) = ("missed entry", "missed entries", "missing entries")
        opened = { "missed \($0) entries" }
      case "late":
        (one, several, lasting) = ("late entry", "late entries", "late")
        openedByOne = "late, has not begun"
        opened = { "late \($0) times" }
      default:
        (one, several, lasting) = ("failure", "failures", "failing")
        opened = { "failed \($0) times" }
      }
    }
  }

  /// Returns an instant such as 2027-01-15T02:30:12Z with a resolution of one minute, in the usual spelling.
  private static func minute(_ instant: String) -> String {
    let parts = instant.split(separator: "T", maxSplits: 1)
    return parts.count == 2 ? "\(parts[0]) \(parts[1].prefix(5)) UTC" : instant
  }
}
