import TimelineTestSupport

/// Makes a file that may be wrong of one that is right.
enum Mutation {
  /// Pieces that a parser of TOML has to distinguish.
  private static let pieces: [[UInt8]] =
    [
      "\"\"\"", "'''", "\"", "'", "[[", "]]", "[", "]", "{", "}", "=", ".", ",", "\\", "\n", "\r", "#", "é",
      "日本", "\u{A0}", "\u{2028}", "\u{FEFF}", "\u{85}", "\u{1F600}", "\u{7F}", "1e5", "0x", "2026-01-01",
      "T10:00:00Z",
      "25:00:00", " 08:00:00", "2024-02-29", "2023-02-29", "T23:59:60", "+23:59", "-24:00", ".123456789",
      "inf", "nan",
      "true", "\\u00e9", "\\UFFFFFFFF", "\\n", "\\\"", "_", "+", "-", "-0", "0", "1.0", "-1.5", "a.b", "\t",
      "\0", "job",
      "schedule", "[job.a]", "99999999999999999999",
    ].map { Array($0.utf8) } + [[0xFF], [0xC3], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80]]

  static func mutate(_ bytes: [UInt8], with random: inout SeededGenerator) -> [UInt8] {
    var bytes = bytes
    for _ in 0..<Int.random(in: 1...5, using: &random) {
      let index = Int.random(in: 0...bytes.count, using: &random)
      switch Int.random(in: 0..<5, using: &random) {
      case 0: bytes.insert(contentsOf: pieces.randomElement(using: &random) ?? [], at: index)
      case 1 where index < bytes.count: bytes[index] = UInt8.random(in: 0...255, using: &random)
      case 2: bytes.removeSubrange(index..<min(bytes.count, index + Int.random(in: 0...9, using: &random)))
      case 3:
        let copy = Array(bytes[index..<min(bytes.count, index + 40)])
        bytes.insert(contentsOf: copy, at: Int.random(in: 0...bytes.count, using: &random))
      default: if Bool.random(using: &random) { bytes.removeSubrange(index...) }
      }
    }
    return bytes
  }
}
