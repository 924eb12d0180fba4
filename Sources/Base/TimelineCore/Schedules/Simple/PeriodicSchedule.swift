/// Entries at a start and at every interval after it; TimelineView's `PeriodicTimelineSchedule`.
///
/// The n-th entry is `start + n * interval` in integers, so that the phase is exact for ever. There are no entries before
/// the start and beyond ``WallInstant/max``.
public struct PeriodicSchedule: Sendable, Hashable {
  /// The first entry.
  public let start: WallInstant
  /// The time between two entries, at least 1 ns.
  public let interval: ElapsedTime

  /// Makes the schedule of `start`, `start + interval`, and so on; refuses an interval that is not positive.
  public init(from start: WallInstant, by interval: ElapsedTime) throws(ScheduleError) {
    guard interval > .zero else { throw .intervalNotPositive(interval) }
    self.start = start
    self.interval = interval
  }

  /// Nanoseconds from the start to `instant`, which must not be earlier; the whole range fits.
  @inlinable
  func offset(of instant: WallInstant) -> UInt64 {
    UInt64(bitPattern: instant.nanosecondsSinceEpoch &- start.nanosecondsSinceEpoch)
  }

  /// The instant a step later, or `nil` beyond ``WallInstant/max``.
  @inlinable
  static func instant(_ instant: WallInstant, plus step: Int64) -> WallInstant? {
    let (sum, overflow) = instant.nanosecondsSinceEpoch.addingReportingOverflow(step)
    return overflow ? nil : WallInstant(nanosecondsSinceEpoch: sum)
  }

  /// The interval as a divisor.
  @inlinable
  var stride: UInt64 { UInt64(bitPattern: interval.nanoseconds) }
}

extension PeriodicSchedule: Schedule {
  /// The last entry not later than `start`, then every later entry. `mode` has no effect.
  public func entries(from start: WallInstant, mode: ScheduleMode) -> ScheduleEntries {
    ScheduleEntries(from: latest(atOrBefore: start) ?? self.start, of: .periodic(self))
  }

  /// The first entry strictly later than `instant`, or `nil` when it would lie beyond ``WallInstant/max``.
  @inlinable
  public func next(after instant: WallInstant) -> WallInstant? {
    guard instant >= start else { return start }
    let past = offset(of: instant) % stride
    // Usually `instant` is itself an entry. With this predictable branch the result does not depend on the division, as it
    // would if the remainder were subtracted from the interval.
    if _fastPath(past == 0) { return Self.instant(instant, plus: interval.nanoseconds) }
    return Self.instant(instant, plus: interval.nanoseconds &- Int64(bitPattern: past))
  }

  /// The last entry that is not later than `instant`, or `nil` before the start.
  @inlinable
  public func latest(atOrBefore instant: WallInstant) -> WallInstant? {
    guard instant >= start else { return nil }
    let past = Int64(bitPattern: offset(of: instant) % stride)
    return WallInstant(nanosecondsSinceEpoch: instant.nanosecondsSinceEpoch &- past)
  }

  /// Returns the number of entries in (`start`, `end`], by two divisions; clamped to `Int.max`.
  public func count(after start: WallInstant, through end: WallInstant) -> Int {
    guard end >= self.start, end > start else { return 0 }
    let last = offset(of: end) / stride
    guard start >= self.start else { return Int(clamping: UInt128(last) + 1) }
    return Int(clamping: last - offset(of: start) / stride)
  }
}

extension PeriodicSchedule: RuleKind {
  static var name: ScheduleRule.KindName { .periodic }
  var period: ElapsedTime? { interval }
  var hasMoreThanOneEntryPerSecond: Bool { interval < .seconds(1) }
  var grids: [EntryGrid] {
    [EntryGrid(phase: start.nanosecondsSinceEpoch, period: interval.nanoseconds)]
  }

  var isOnWholeSeconds: Bool {
    let second = ElapsedTime.seconds(1).nanoseconds
    return start.nanosecondsSinceEpoch % second == 0 && interval.nanoseconds % second == 0
  }

  var portable: PortableSchedule? {
    let (seconds, rest) = interval.nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
    return rest == 0 ? .period(seconds: seconds) : nil
  }

  func explanation(
    after start: WallInstant, through end: WallInstant, on clocks: Zone
  ) -> ScheduleExplanation {
    let changes = moves(in: clocks, after: start, through: end)
    return ScheduleExplanation(
      words: description, canonicalForm: nil,
      daylightSaving: changes.isEmpty
        ? nil : "an interval of elapsed time; clock changes move its local times", changes: changes)
  }
}

extension PeriodicSchedule: CustomStringConvertible {
  /// Readable form of the rule, such as `every 30s from 2026-01-01T00:00:00Z`.
  public var description: String { "every \(interval) from \(start)" }
}
