import TimelinePluginKit

/// An incident of the other job in words, such as "failed 3 times since 2027-01-15 02:30 UTC".
struct IncidentWords {
  /// The words.
  let text: String

  /// Reads what the daemon says of the incident; `nil` for a reaction to one entry, and for an incident of one that has just opened.
  init?(_ upstream: Parameters) throws {
    guard let phase = try upstream.optionalText("/incident/phase") else { return nil }
    let count = try upstream.integer("/incident/failures", default: 1)
    let since = try upstream.text("/incident/since", default: "")
    let isMissed = try upstream.text("/incident/kind", default: "failure") == "missed"
    let (one, several) = isMissed ? ("missed entry", "missed entries") : ("failure", "failures")
    let number = "\(count) \(count == 1 ? one : several)"
    switch phase {
    case "opened" where count == 1: return nil
    case "opened":
      text = (isMissed ? "missed \(count) entries" : "failed \(count) times") + " since \(Self.minute(since))"
    case "recovered": text = "recovered after \(number)"
    default:
      text = "still \(isMissed ? "missing entries" : "failing"), \(number) since \(Self.minute(since))"
    }
  }

  /// Returns an instant such as 2027-01-15T02:30:12Z to the minute, as people write it.
  private static func minute(_ instant: String) -> String {
    let parts = instant.split(separator: "T", maxSplits: 1)
    return parts.count == 2 ? "\(parts[0]) \(parts[1].prefix(5)) UTC" : instant
  }
}
