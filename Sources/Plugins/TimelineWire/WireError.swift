/// Reasons why bytes are not a valid message, or why a value cannot become a message.
package enum WireError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The other side uses another version of the wire.
  case version(found: UInt8)
  /// The message is of a kind that this side does not support.
  case kind(UInt8)
  /// The message ended before its fields did.
  case truncated
  /// Bytes follow the last field of the message.
  case trailing(bytes: Int)
  /// A field has an invalid value.
  case malformed(field: String)
  /// A field, or the whole message, is longer than its limit.
  case tooLong(field: String, length: Int, max: Int)
  /// A field has more elements than its limit.
  case tooMany(field: String, count: Int, max: Int)

  /// The error, its reason and the remedy.
  package var description: String {
    switch self {
    case .version(let found):
      "the other side speaks version \(found) of the wire between daemon and host, this one speaks "
        + "\(WireVersion.current): timelined and timeline-host come from different releases, restart timelined"
    case .kind(let kind):
      "a message of unknown kind \(kind) came over the wire: the other side is not this release, restart timelined"
    case .truncated: "a message ended before its fields did: the other side is broken, its process must end"
    case .trailing(let bytes):
      "a message went on for \(bytes) bytes after its end: the other side is broken, its process must end"
    case .malformed(let field):
      "the field \"\(field)\" of a message is malformed: the other side is broken, its process must end"
    case .tooLong(let field, let length, let max):
      "\(field) has \(length) bytes and at most \(max) are allowed: make it shorter"
    case .tooMany(let field, let count, let max):
      "there are \(count) \(field) and at most \(max) are allowed: take some out"
    }
  }
}

/// The version of the wire, the first byte of each message.
package enum WireVersion {
  /// The version that this code uses. After a package upgrade a new host may meet a daemon of the old version, so each side
  /// checks the version first.
  package static let current: UInt8 = 14
}
