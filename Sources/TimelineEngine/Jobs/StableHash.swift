/// A hash that is the same in every process and on every machine, so that decisions by it can be rehearsed: FNV-1a, 64 bits,
/// and a final mix.
package struct StableHash: Sendable {
  private var state: UInt64 = 0xCBF2_9CE4_8422_2325

  package init() {}

  /// Mixes in the bytes of `text`.
  package mutating func combine(_ text: String) {
    for byte in text.utf8 { state = (state ^ UInt64(byte)) &* 0x100_0000_01B3 }
    combine(UInt64(text.utf8.count))
  }

  /// Mixes in a number.
  package mutating func combine(_ number: UInt64) {
    for shift in stride(from: UInt64(0), to: 64, by: 8) {
      state = (state ^ (number >> shift & 0xFF)) &* 0x100_0000_01B3
    }
  }

  /// The hash of all input. Every bit depends on all input (the finish of SplitMix64).
  package var value: UInt64 {
    var mixed = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
