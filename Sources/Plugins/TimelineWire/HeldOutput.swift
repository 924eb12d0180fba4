/// The latest lines of output that could not be passed on at once, in order.
///
/// The last lines of a program usually contain the reason of its failure. So the middle of a flood is dropped: when the
/// buffer is full, the oldest lines are dropped and counted.
package struct HeldOutput<Line> {
  /// Largest number of held lines: one or two screens.
  package static var linesMax: Int { 100 }
  /// Largest number of bytes of the held lines: enough for a hundred lines of usual length and some long ones, and little
  /// compared to the memory of a host.
  package static var bytesMax: Int { 65_536 }

  private var lines: [(line: Line, length: Int)] = []
  /// The index of the oldest line; the lines before it were removed.
  private var first = 0
  private var bytes = 0

  package init() {}

  package var isEmpty: Bool { first == lines.count }

  /// The length of the oldest line; `nil` when no line is held.
  package var firstLength: Int? { isEmpty ? nil : lines[first].length }

  /// Holds a line of `length` bytes. Returns the number of bytes of older lines that were dropped to make room.
  package mutating func append(_ line: Line, length: Int) -> Int {
    lines.append((line, length))
    bytes += length
    var dropped = 0
    while lines.count - first > Self.linesMax || bytes > Self.bytesMax && lines.count - first > 1 {
      dropped += removeFirst()?.length ?? 0
    }
    return dropped
  }

  /// Removes and returns the oldest line; `nil` when no line is held.
  package mutating func popFirst() -> Line? { removeFirst()?.line }

  private mutating func removeFirst() -> (line: Line, length: Int)? {
    guard !isEmpty else { return nil }
    let removed = lines[first]
    bytes -= removed.length
    first += 1
    // The array is compacted rarely, so that each line is moved at most once.
    if first == lines.count || first >= 2 * Self.linesMax {
      lines.removeSubrange(..<first)
      first = 0
    }
    return removed
  }
}

extension HeldOutput: Sendable where Line: Sendable {}
