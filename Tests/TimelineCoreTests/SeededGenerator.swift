/// Random numbers that are the same in every run: SplitMix64.
struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) {
    state = seed
  }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}

extension SeededGenerator {
  /// An `Int64` of random magnitude, so that small and huge numbers and both ends come up.
  mutating func anyInt64() -> Int64 {
    switch Int.random(in: 0..<8, using: &self) {
    case 0: .min
    case 1: .max
    default: Int64(bitPattern: next()) >> Int64.random(in: 0...62, using: &self)
    }
  }
}
