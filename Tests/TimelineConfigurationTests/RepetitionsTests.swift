import Testing
import TimelineTestSupport

@testable import TimelineConfiguration

/// What is packed comes out as it went in, whatever it was.
@Suite struct RepetitionsTests {
  @Test(
    arguments: [
      [], [0], Array("abc".utf8), Array("aaaaaaaaaaaaaaaaaaaa".utf8), Array("abcdabcdabcdabcdx".utf8),
      Array(repeating: 0xFF, count: 100_000),
    ] as [[UInt8]])
  func `bytes come back`(bytes: [UInt8]) {
    #expect(Repetitions.unpack(Repetitions.pack(bytes), count: bytes.count) == bytes)
  }

  @Test(arguments: [1, 2, 3, 4, 5, 6] as [UInt64])
  func `random bytes of few and of many kinds come back`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<100 {
      let kinds = UInt8.random(in: 0...(Bool.random(using: &random) ? 3 : 255), using: &random)
      let bytes = (0..<Int.random(in: 0...2_000, using: &random)).map { _ in
        UInt8.random(in: 0...kinds, using: &random)
      }
      #expect(Repetitions.unpack(Repetitions.pack(bytes), count: bytes.count) == bytes, "seed \(seed)")
    }
  }

  @Test func `a long file of jobs is kept in a third of its bytes and reads as before`() {
    let text = (0..<2_000).map {
      "[job.j\($0)]\nplugin = \"exec\"\nschedule = { cron = \"\($0 % 60) \($0 % 24) * * *\" }\nwith = { command = [\"/usr/bin/true\", \"\($0)\"] }\n"
    }.joined()
    let plain = ConfigurationSource(path: "a.toml", bytes: Array(text.utf8))
    var packed = plain
    packed.pack()
    #expect(packed != plain)
    #expect(packed.bytes == plain.bytes)
    #expect(Repetitions.pack(plain.bytes).count < plain.bytes.count / 3)
  }
}
