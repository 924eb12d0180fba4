import Foundation
import TimelineCore

@testable import TimelineSystem

/// A folder of a test's own, removed with everything in it when the test lets go of it.
final class TestFolder {
  let path: String

  init() throws {
    path = FileManager.default.temporaryDirectory.path + "/timeline-\(UUID().uuidString.prefix(8))"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  func file(_ name: String, _ text: String = "") throws -> String {
    let file = "\(path)/\(name)"
    try Data(text.utf8).write(to: URL(fileURLWithPath: file))
    return file
  }
}

/// How long a test waits for what must come before it gives up; far beyond what a loaded machine needs.
let patience = ElapsedTime.seconds(30)

/// Deterministic random numbers (SplitMix64), so that a failure can be repeated from its seed.
struct SeededGenerator: RandomNumberGenerator {
  var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var value = state
    value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
    return value ^ (value >> 31)
  }
}
