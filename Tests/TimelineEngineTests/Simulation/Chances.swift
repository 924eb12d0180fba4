import TimelineTestSupport

extension SeededGenerator {
  /// Whether an event with a probability of `percent` happens.
  mutating func happens(percent: Int) -> Bool { Int.random(in: 0..<100, using: &self) < percent }

  mutating func seconds(_ range: ClosedRange<Int64>) -> Int64 { Int64.random(in: range, using: &self) }
}
