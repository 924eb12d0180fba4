package import TimelineCore
import TimelineRehearsal

/// The stretch of time that the view shows, in cells of equal length.
///
/// The window begins at a multiple of a cell's length, so that a moving picture does not flicker.
package struct TimeWindow: Sendable, Equatable {
  /// Lengths that keys choose from.
  package static let lengths: [ElapsedTime] =
    [.minutes(1), .minutes(5), .minutes(10), .minutes(30)]
    + [1, 3, 6, 12].map { .hours($0) } + [1, 2, 7, 14, 30, 90, 365].map { .days($0) }
  /// Position of now in the window, in percent of its width: more room for the future.
  private static let nowPercent: Int64 = 40

  /// Index of the length in ``lengths``.
  private var step: Int
  /// Instant at ``nowPercent`` of the width.
  private(set) var focus: WallInstant
  /// Width in cells.
  private(set) var cells: Int
  /// Whether the window moves with the clock.
  package private(set) var isFollowing = true

  /// Makes a window of about `length` around `now`.
  package init(length: ElapsedTime, now: WallInstant, cells: Int) {
    step = Self.lengths.firstIndex { $0 >= length } ?? Self.lengths.count - 1
    focus = now
    self.cells = max(1, cells)
  }

  /// Rounded up to whole cells.
  package var length: ElapsedTime { cell * Int64(cells) }

  package var from: WallInstant {
    let cell = cell.nanoseconds
    let lead = length.nanoseconds / 100 * Self.nowPercent
    let begin = focus.nanosecondsSinceEpoch.subtractingSaturating(lead)
    return WallInstant(
      nanosecondsSinceEpoch: begin.flooredQuotient(by: cell).multipliedSaturating(by: cell))
  }

  package var until: WallInstant { from + length }

  /// The scale of the drawing: eight pixels a cell, because block characters have eighths.
  var scale: DrawingScale {
    DrawingScale(from: from, until: max(until, from + .nanoseconds(1)), columns: cells * 8)
  }

  /// The length of a cell.
  private var cell: ElapsedTime {
    ElapsedTime(
      nanoseconds: max(1, (Self.lengths[step].nanoseconds + Int64(cells) - 1) / Int64(cells)))
  }

  /// Sets the number of cells.
  package mutating func resize(cells: Int) { self.cells = max(1, cells) }

  /// Moves with the clock.
  package mutating func follow(_ now: WallInstant) {
    if isFollowing { focus = now }
  }

  /// Returns to the clock, and moves with it again.
  package mutating func returnTo(_ now: WallInstant) {
    isFollowing = true
    focus = now
  }

  /// Shows less time, in more detail.
  package mutating func zoomIn() { step = max(0, step - 1) }

  /// Shows more time.
  package mutating func zoomOut() { step = min(Self.lengths.count - 1, step + 1) }

  /// Moves by half the window's length. The window no longer follows the clock.
  package mutating func scroll(forward: Bool) {
    isFollowing = false
    let half = ElapsedTime(nanoseconds: length.nanoseconds / 2)
    focus = forward ? focus + half : focus - half
  }

  /// Whether `instant` is visible.
  func contains(_ instant: WallInstant) -> Bool { from <= instant && instant < until }

  /// Moves until `instant` is visible; does nothing if it already is.
  package mutating func show(_ instant: WallInstant) {
    if !contains(instant) { center(on: instant) }
  }

  /// Moves `instant` to the place of now. The window no longer follows the clock.
  package mutating func center(on instant: WallInstant) {
    isFollowing = false
    focus = instant
  }
}
