/// The latest lines of output that could not be passed on at once, in their order.
///
/// The last lines of a program mostly hold the reason why it failed. So a flood loses its middle: a line that no longer fits here is
/// dropped from the beginning, and counted.
package struct HeldOutput<Line> {
  /// Lines that are held: one or two screens.
  package static var linesMax: Int { 100 }
  /// Their bytes in all: a hundred lines of usual length and some long ones, little beside the memory of a host.
  package static var bytesMax: Int { 65_536 }

  private var lines: [(line: Line, length: Int)] = []
  /// The place of the oldest line; those before it are gone.
  private var first = 0
  private var bytes = 0

  /// Makes an empty tail.
  package init() {}

  /// Whether nothing is held.
  package var isEmpty: Bool { first == lines.count }

  /// The length of the oldest line; `nil` when nothing is held.
  package var firstLength: Int? { isEmpty ? nil : lines[first].length }

  /// Holds a line of `length` bytes; returns how many bytes of older ones were dropped for it.
  package mutating func append(_ line: Line, length: Int) -> Int {
    lines.append((line, length))
    bytes += length
    var dropped = 0
    while lines.count - first > Self.linesMax || bytes > Self.bytesMax && lines.count - first > 1 {
      dropped += removeFirst()?.length ?? 0
    }
    return dropped
  }

  /// Takes out the oldest line; `nil` when nothing is held.
  package mutating func popFirst() -> Line? { removeFirst()?.line }

  private mutating func removeFirst() -> (line: Line, length: Int)? {
    guard !isEmpty else { return nil }
    let removed = lines[first]
    bytes -= removed.length
    first += 1
    // Moved rarely, so that each line is moved once.
    if first == lines.count || first >= 2 * Self.linesMax {
      lines.removeSubrange(..<first)
      first = 0
    }
    return removed
  }
}

extension HeldOutput: Sendable where Line: Sendable {}
