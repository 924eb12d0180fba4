/// Reasons to refuse bytes as a zone.
public enum ZoneError: Error, Sendable, Hashable {
  /// The name is empty, too long, or could lead out of the directory of zones.
  case invalidName(String)
  /// The bytes do not begin as a compiled zone does.
  case notCompiledZone(name: String)
  /// The bytes contradict RFC 8536 at `offset`.
  case malformed(name: String, offset: Int, reason: String)
  /// A part of the file is larger than this reader accepts.
  case tooLarge(name: String, part: String, count: Int, limit: Int)
  /// The file counts leap seconds, which instants do not count.
  case countsLeapSeconds(name: String)
  /// The rule at the end of the file is invalid at byte `offset` of the rule.
  case malformedRule(name: String, rule: String, offset: Int, reason: String)
}

extension ZoneError: CustomStringConvertible {
  /// The error, its zone and its remedy, in one sentence without a full stop.
  public var description: String {
    switch self {
    case .invalidName(let name):
      "\(name.debugDescription) is not the name of a time zone; write one such as \"Europe/Berlin\""
    case .notCompiledZone(let name):
      "the file of time zone \(name) is not a compiled zone (TZif); install the package tzdata again"
    case .malformed(let name, let offset, let reason):
      "the file of time zone \(name) is damaged: at byte \(offset) \(reason); install the package tzdata again"
    case .tooLarge(let name, let part, let count, let limit):
      "the file of time zone \(name) has \(count) \(part), and at most \(limit) are read; compile it without \"-b fat\""
    case .countsLeapSeconds(let name):
      "the file of time zone \(name) counts leap seconds, which POSIX time does not; use the zone outside \"right/\""
    case .malformedRule(let name, let rule, let offset, let reason):
      "the file of time zone \(name) ends with the rule \(rule.debugDescription), in which at column \(offset + 1) \(reason); install the package tzdata again"
    }
  }
}
