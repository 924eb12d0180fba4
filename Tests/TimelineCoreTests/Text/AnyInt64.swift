import TimelineTestSupport

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
