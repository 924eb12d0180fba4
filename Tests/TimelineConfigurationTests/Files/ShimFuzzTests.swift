import Testing
import TimelineConfiguration
import TimelineTestSupport

/// A file of any bytes is read or refused, in words that can be printed; nothing traps.
@Suite struct ShimFuzzTests {
  @Test(arguments: [1, 2, 3, 4] as [UInt64])
  func `a mutated file is read or refused and never traps`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let seeds = try (GoldenCase.all(in: "Right") + GoldenCase.all(in: "Wrong")).flatMap { try $0.sources() }
    var readCount = 0
    for _ in 0..<500 {
      let bytes = Mutation.mutate(seeds.randomElement(using: &random)?.bytes ?? [], with: &random)
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
