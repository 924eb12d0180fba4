/// Messages for operators about output that was not kept.
enum DroppedOutput {
  /// Returns the amount and the limit: `19.4 MB of output dropped (limit: 2000 lines at once)`.
  static func text(bytes: Int64, limit: String) -> String {
    "\(amount(of: bytes)) of output dropped (limit: \(limit))"
  }

  /// Returns the field with the exact number.
  static func field(bytes: Int64) -> PluginLine.Field {
    PluginLine.Field(key: "dropped_bytes", value: String(bytes))
  }

  private static let units = [
    ("TB", Int64(1_000_000_000_000)), ("GB", 1_000_000_000), ("MB", 1_000_000), ("kB", 1_000),
  ]

  private static func amount(of bytes: Int64) -> String {
    guard let (unit, size) = units.first(where: { bytes >= $0.1 }) else {
      return "\(bytes) \(bytes == 1 ? "byte" : "bytes")"
    }
    return "\(bytes / size).\(bytes % size * 10 / size) \(unit)"
  }
}
