internal import TimelineCore
internal import TimelineSystem

/// A clock or a zone that this machine does not provide.
public struct MachineError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The error and its remedy: `subject: what happened: what to do`.
  public let description: String
  /// Whether the requested thing does not exist, for example a zone whose name is well formed but not in the zone database.
  public let isMissing: Bool

  init(_ error: SystemError) {
    description = error.description
    isMissing = error.isMissing
  }

  init(missing description: String) {
    self.description = description
    isMissing = true
  }

  init(_ error: ZoneError) {
    description = error.description
    isMissing = false
  }
}
