package import TimelineCore

/// Intervals of wall time in which a daemon decided entries as they fell due.
///
/// A clock that is set back shows some of this time again. Entries in this time have been decided and do not come again.
/// Entries between the spans, which the clock had only jumped over, come at their time.
package struct AttendedTime: Sendable, Hashable {
  /// Maximum number of former spans. Clock steps and restarts are expected to be fewer until the clock has passed all the time
  /// that it has shown.
  package static let spansMax = 32

  /// Spans before the present span, ascending, with time between them.
  package private(set) var former: [ClosedRange<WallInstant>]
  /// Start of the present span. Entries that fell due earlier count as missed: before the start, or in the time that a clock step
  /// jumped over.
  package private(set) var since: WallInstant

  /// Makes the time of a daemon that began at `since`, after daemons that attended `former`.
  package init(former: [ClosedRange<WallInstant>] = [], since: WallInstant) {
    self.former = []
    self.since = since
    for span in former { insert(span) }
  }

  /// Ends the present span at its last instant `last`, and begins another span at `now`.
  package mutating func step(from last: WallInstant, to now: WallInstant) {
    if since <= last { insert(since...last) }
    since = now
  }

  /// Records that an entry at `nominal`, outside the present span, was decided in the present span.
  mutating func include(_ nominal: WallInstant) { insert(nominal...nominal) }

  /// Returns the last instant before `instant` that earlier daemons attended; `nil` for none.
  package func last(before instant: WallInstant) -> WallInstant? {
    former.last { $0.lowerBound < instant }.map { min($0.upperBound, instant - .nanoseconds(1)) }
  }

  /// Returns all spans, up to `last`.
  package func spans(through last: WallInstant) -> [ClosedRange<WallInstant>] {
    guard since <= last else { return former }
    var all = self
    all.insert(since...last)
    return all.former
  }

  /// Returns the parts of the spans that are later than `now` and not later than `end`.
  func spans(after now: WallInstant, through end: WallInstant, last: WallInstant) -> [ClosedRange<
    WallInstant
  >] {
    spans(through: last).compactMap { span in
      let (first, last) = (max(span.lowerBound, now + .nanoseconds(1)), min(span.upperBound, end))
      return first <= last ? first...last : nil
    }
  }

  private mutating func insert(_ span: ClosedRange<WallInstant>) {
    former = former.merging(span)
    while former.count > Self.spansMax {
      // Entries in the shortest gap count as decided, which costs least.
      let gaps = (1..<former.count).map { former[$0].lowerBound - former[$0 - 1].upperBound }
      let index = gaps.indices.min { (gaps[$0], $0) < (gaps[$1], $1) } ?? 0
      former.replaceSubrange(
        index...index + 1, with: [former[index].lowerBound...former[index + 1].upperBound])
    }
  }
}

extension [ClosedRange<WallInstant>] {
  /// Returns the spans, ascending, with one more span. It is merged with all spans that it touches.
  package func merging(_ span: ClosedRange<WallInstant>) -> Self {
    var (first, last) = (span.lowerBound, span.upperBound)
    var apart: Self = []
    for other in self {
      if other.upperBound < first - .nanoseconds(1) || last + .nanoseconds(1) < other.lowerBound {
        apart.append(other)
      } else {
        (first, last) = (Swift.min(first, other.lowerBound), Swift.max(last, other.upperBound))
      }
    }
    let index = apart.firstIndex { $0.lowerBound > last } ?? apart.endIndex
    apart.insert(first...last, at: index)
    return apart
  }
}
