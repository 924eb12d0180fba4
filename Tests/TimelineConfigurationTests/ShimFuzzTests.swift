import Testing
import TimelineConfiguration

/// Whatever bytes a file holds, it is read or refused, in words that can be printed; nothing traps.
@Suite struct ShimFuzzTests {
  /// Pieces that a parser of TOML has to tell apart.
  private static let pieces: [[UInt8]] =
    [
      "\"\"\"", "'''", "\"", "'", "[[", "]]", "[", "]", "{", "}", "=", ".", ",", "\\", "\n", "\r", "#", "é",
      "日本",
      "\u{A0}", "\u{2028}", "\u{FEFF}", "\u{85}", "1e5", "0x", "2026-01-01", "T10:00:00Z", "25:00:00", "inf",
      "nan",
      "true", "\\u00e9", "\\UFFFFFFFF", "_", "+", "-", "a.b", "\t", "\0", "job", "schedule",
      "99999999999999999999",
    ].map { Array($0.utf8) } + [[0xFF], [0xC3], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80]]

  /// SplitMix64 (Steele, Lea, Flood): the same mutations on every machine.
  private struct Random: RandomNumberGenerator {
    var state: UInt64
    mutating func next() -> UInt64 {
      state &+= 0x9E37_79B9_7F4A_7C15
      var mixed = state
      mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
      mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
      return mixed ^ (mixed >> 31)
    }
  }

  private func mutate(_ bytes: [UInt8], with random: inout Random) -> [UInt8] {
    var bytes = bytes
    for _ in 0..<Int.random(in: 1...5, using: &random) {
      let index = Int.random(in: 0...bytes.count, using: &random)
      switch Int.random(in: 0..<5, using: &random) {
      case 0: bytes.insert(contentsOf: Self.pieces.randomElement(using: &random) ?? [], at: index)
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

  @Test(arguments: [1, 2, 3, 4] as [UInt64])
  func `a mutated file is read or refused and never traps`(seed: UInt64) throws {
    var random = Random(state: seed)
    let seeds = try (GoldenCase.all(in: "Right") + GoldenCase.all(in: "Wrong")).flatMap { try $0.sources() }
    var readCount = 0
    for _ in 0..<500 {
      let bytes = mutate(seeds.randomElement(using: &random)?.bytes ?? [], with: &random)
      switch Configuration.read([ConfigurationSource(path: "fuzz.toml", bytes: bytes)], in: .golden) {
      case .success(let configuration):
        readCount += 1
        #expect(configuration.warnings.allSatisfy { $0.severity == .warning })
      case .failure(let refusal):
        #expect(refusal.errorCount > 0, "seed \(seed): \(bytes)")
        let text = refusal.diagnostics.text()
        #expect(
          !text.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" && $0 != "\t" },
          "seed \(seed): \(bytes)")
        #expect(refusal.diagnostics.jsonLines.split(separator: "\n").count == refusal.diagnostics.count)
      }
    }
    // If nothing were read any more the mutations would have become too coarse to prove anything.
    #expect(readCount > 0, "seed \(seed)")
  }
}
