/// Entries at the start of every civil minute of a zone; TimelineView's `EveryMinuteTimelineSchedule`.
///
/// It is arithmetic on the zone's offset. If offsets are whole minutes, as in every zone since 1972, the civil minutes are
/// those of UTC and the zone is not needed. Before that the phase is computed from the current offset, and a change of
/// phase makes one minute shorter or longer. The rule names no time of the day: it follows real time and has no policy for
/// daylight saving, so that a day of 23 hours has 1,380 entries.
public struct EveryMinuteSchedule: Sendable, Hashable {
  /// The zone of the minutes.
  public let zone: Zone

  /// Makes the schedule of every civil minute of `zone`.
  public init(zone: Zone) {
    self.zone = zone
  }

  @usableFromInline
  static let minute: Int64 = 60_000_000_000

  /// Whether civil minutes are those of UTC from `instant` on.
  func isRegular(since instant: WallInstant) -> Bool {
    instant.nanosecondsSinceEpoch >= zone.storage.wholeMinutesSince
  }
}

extension EveryMinuteSchedule: Schedule {
  /// The current minute at `start`, then every later minute. `mode` has no effect.
  public func entries(from start: WallInstant, mode: ScheduleMode) -> ScheduleEntries {
    ScheduleEntries(from: latest(atOrBefore: start) ?? next(after: start), of: .everyMinute(self))
  }

  /// The first start of a minute strictly later than `instant`, or `nil` beyond ``WallInstant/max``.
  @inlinable
  public func next(after instant: WallInstant) -> WallInstant? {
    let nanoseconds = instant.nanosecondsSinceEpoch
    guard nanoseconds >= zone.storage.wholeMinutesSince else { return nextByOffset(after: nanoseconds) }
    let remainder = nanoseconds % Self.minute
    let past = remainder < 0 ? remainder + Self.minute : remainder
    let (sum, overflow) = nanoseconds.addingReportingOverflow(Self.minute - past)
    return overflow ? nil : WallInstant(nanosecondsSinceEpoch: sum)
  }

  /// The start of the current minute at `instant`, or `nil` if it would lie before ``WallInstant/min``.
  public func latest(atOrBefore instant: WallInstant) -> WallInstant? {
    var upper = instant.nanosecondsSinceEpoch
    var index = zone.storage.index(at: upper)
    while true {
      let start = zone.storage.starts[index]
      let (entry, overflow) = upper.subtractingReportingOverflow(minutePast(upper, at: index))
      if !overflow, entry >= start { return WallInstant(nanosecondsSinceEpoch: entry) }
      guard index > 0 else { return nil }
      upper = start - 1
      index -= 1
    }
  }

  /// Returns the number of minutes that start in (`start`, `end`], in one step for each stretch of equal offset in
  /// between.
  public func count(after start: WallInstant, through end: WallInstant) -> Int {
    guard end > start else { return 0 }
    var total = 0
    var lower = start.nanosecondsSinceEpoch
    var index = zone.storage.index(at: lower)
    while lower < end.nanosecondsSinceEpoch {
      let upper = Swift.min(end.nanosecondsSinceEpoch, zone.storage.end(of: index))
      total += Int(minuteNumber(upper, at: index) - minuteNumber(lower, at: index))
      lower = upper
      index += 1
    }
    return total
  }
}

extension EveryMinuteSchedule {
  /// The nanoseconds since the start of the civil minute by the offset of stretch `index`, 0 to a minute.
  private func minutePast(_ nanoseconds: Int64, at index: Int) -> Int64 {
    let remainder = nanoseconds % Self.minute + phase(at: index)
    return remainder < 0 ? remainder + Self.minute : remainder % Self.minute
  }

  /// The number of the civil minute by the offset of stretch `index`.
  private func minuteNumber(_ nanoseconds: Int64, at index: Int) -> Int64 {
    let (quotient, remainder) = nanoseconds.quotientAndRemainder(dividingBy: Self.minute)
    return quotient + (remainder + phase(at: index)).flooredQuotient(by: Self.minute)
  }

  /// Returns the time by which civil minutes of stretch `index` are ahead of UTC's, from 0 to a minute.
  private func phase(at index: Int) -> Int64 {
    let seconds = Int64(zone.storage.offsets[index]) % 60
    return (seconds < 0 ? seconds + 60 : seconds) * 1_000_000_000
  }

  /// The first start of a minute after `nanoseconds`, stretch by stretch.
  @usableFromInline
  func nextByOffset(after nanoseconds: Int64) -> WallInstant? {
    guard nanoseconds < .max else { return nil }
    var lower = nanoseconds + 1
    var index = zone.storage.index(at: lower)
    while true {
      let past = minutePast(lower, at: index)
      let (entry, overflow) = lower.addingReportingOverflow(past == 0 ? 0 : Self.minute - past)
      if !overflow, entry <= zone.storage.end(of: index) { return WallInstant(nanosecondsSinceEpoch: entry) }
      index += 1
      guard index < zone.storage.starts.count else { return nil }
      lower = zone.storage.starts[index]
    }
  }
}

extension EveryMinuteSchedule: RuleKind {
  static var name: ScheduleRule.KindName { .everyMinute }
  var grids: [EntryGrid] { [.everyMinute()] }
  var period: ElapsedTime? { .minutes(1) }
  var portable: PortableSchedule? { .cron("* * * * *", zone: zone.name) }

  func explanation(
    after start: WallInstant, through end: WallInstant, on clocks: Zone
  ) -> ScheduleExplanation {
    ScheduleExplanation(
      words: "every minute, in \(zone.name)", canonicalForm: nil,
      daylightSaving: "an interval; clock changes do not affect it", changes: [])
  }
}

extension EveryMinuteSchedule: CustomStringConvertible {
  /// Readable form of the rule, such as `every minute in Europe/Berlin`.
  public var description: String { "every minute in \(zone.name)" }
}
