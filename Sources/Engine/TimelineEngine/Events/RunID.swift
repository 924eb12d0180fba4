/// The number of a run, unique for the life of an engine, ascending from 1.
package struct RunID: Sendable, Hashable, Comparable, CustomStringConvertible {
  package var number: UInt64

  package init(number: UInt64) {
    self.number = number
  }

  /// The number in decimal.
  package var description: String { String(number) }

  /// Orders runs by their creation.
  package static func < (left: RunID, right: RunID) -> Bool { left.number < right.number }
}
