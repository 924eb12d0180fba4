/// Random numbers that are the same in every run and on every machine, so that a failure can be repeated from its seed.
///
/// SplitMix64 (Steele, Lea and Flood, "Fast Splittable Pseudorandom Number Generators", 2014).
package struct SeededGenerator: RandomNumberGenerator, Sendable {
  /// Seed of the generator, for the message of a failed test.
  package let seed: UInt64
  private var state: UInt64

  /// Makes the generator whose whole sequence follows from `seed`.
  package init(seed: UInt64) {
    self.seed = seed
    state = seed
  }

  /// The next of the sequence.
  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
