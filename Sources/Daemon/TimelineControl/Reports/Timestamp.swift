package import TimelineCore

/// A wall instant in the format of the control interface: RFC 3339 in UTC, exact to the nanosecond.
package struct Timestamp: Sendable, Hashable, Codable {
  package var instant: WallInstant

  package init(_ instant: WallInstant) {
    self.instant = instant
  }

  /// Reads a timestamp with any offset and up to nine fraction digits.
  package init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    do {
      instant = try WallInstant(rfc3339: text)
    } catch {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: "\(error)")
    }
  }

  /// Writes the timestamp in UTC.
  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(instant.description)
  }
}
