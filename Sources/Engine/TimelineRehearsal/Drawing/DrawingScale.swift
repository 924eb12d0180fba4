package import TimelineCore

/// The horizontal scale of a drawing: a window of time on columns, each one pixel wide at the drawing's natural size.
///
/// Positions are tenths of a pixel, in whole numbers: the same rows result in the same drawing on every machine.
package struct DrawingScale: Sendable, Equatable {
  package let from: WallInstant
  /// End of the window (exclusive).
  package let until: WallInstant
  package let columns: Int

  /// Makes a scale of a window that is not empty.
  package init(from: WallInstant, until: WallInstant, columns: Int) {
    precondition(from < until && columns > 0, "a drawing shows some time on some columns")
    (self.from, self.until, self.columns) = (from, until, columns)
  }

  /// Width of the drawing, in tenths of a pixel.
  package var width: Int { columns * 10 }

  /// Position of `instant`, in tenths of a pixel; an instant outside the window is at its edge.
  package func x(_ instant: WallInstant) -> Int { position(instant, of: width) }

  /// Returns the index of the column that contains `instant`; for an instant outside the window the first or last column.
  package func column(_ instant: WallInstant) -> Int { min(position(instant, of: columns), columns - 1) }

  /// Begin of a column; the end of the window for the index after the last column.
  package func start(ofColumn column: Int) -> WallInstant {
    let offset = length * Int128(column) / Int128(columns)
    return WallInstant(nanosecondsSinceEpoch: Int64(clamping: Int128(from.nanosecondsSinceEpoch) + offset))
  }

  /// Length of the window in nanoseconds, which can exceed the range of ``ElapsedTime``.
  var length: Int128 { Int128(until.nanosecondsSinceEpoch) - Int128(from.nanosecondsSinceEpoch) }

  /// Width of a length of time in pixels, rounded down.
  func pixels(_ nanoseconds: Int64) -> Int {
    Int(clamping: Int128(nanoseconds) * Int128(columns) / length)
  }

  private func position(_ instant: WallInstant, of parts: Int) -> Int {
    let offset = Int128(instant.nanosecondsSinceEpoch) - Int128(from.nanosecondsSinceEpoch)
    return Int(max(0, min(length, offset)) * Int128(parts) / length)
  }
}

/// A stretch of a drawing, in tenths of a pixel.
package struct DrawingSpan: Sendable, Hashable {
  package var start: Int
  package var end: Int

  package var width: Int { end - start }

  package init(_ start: Int, _ end: Int) {
    (self.start, self.end) = (start, end)
  }
}
