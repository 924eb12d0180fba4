/// Entries at the requested rate, each after the end of the previous run; TimelineView's `AnimationTimelineSchedule`.
///
/// It has no phase of its own: any instant can be an entry, and the next entry is an interval later. The engine runs it
/// closed-loop: a run starts after the previous run has finished, and never sooner than the interval after the previous start.
public struct AnimationSchedule: Sendable, Hashable {
  /// The default interval: 1/120 s, rounded down to whole nanoseconds.
  public static let defaultInterval = ElapsedTime(nanoseconds: 8_333_333)

  /// The shortest time between two entries: the requested one, or ``defaultInterval``.
  public let interval: ElapsedTime
  /// Whether there are no entries at all.
  public let isPaused: Bool
  private let hasMinimum: Bool

  /// The requested shortest time between two entries, or `nil` if there was none.
  public var minimumInterval: ElapsedTime? { hasMinimum ? interval : nil }

  /// Makes a schedule that is paused or not; refuses a minimum interval that is not positive.
  public init(minimumInterval: ElapsedTime? = nil, isPaused: Bool = false) throws(ScheduleError) {
    if let minimumInterval, minimumInterval <= .zero { throw .intervalNotPositive(minimumInterval) }
    self.hasMinimum = minimumInterval != nil
    self.isPaused = isPaused
    self.interval = minimumInterval ?? Self.defaultInterval
  }
}

extension AnimationSchedule: Schedule {
  /// `start` and every interval after it; nothing when paused or in low-frequency mode.
  public func entries(from start: WallInstant, mode: ScheduleMode) -> ScheduleEntries {
    ScheduleEntries(from: isPaused || mode == .lowFrequency ? nil : start, of: .animation(self))
  }

  /// `instant` plus an interval, or `nil` when paused or beyond ``WallInstant/max``.
  @inlinable
  public func next(after instant: WallInstant) -> WallInstant? {
    let (sum, overflow) = instant.nanosecondsSinceEpoch.addingReportingOverflow(interval.nanoseconds)
    return isPaused || overflow ? nil : WallInstant(nanosecondsSinceEpoch: sum)
  }

  /// `instant` itself, as any instant can be an entry, or `nil` when paused.
  @inlinable
  public func latest(atOrBefore instant: WallInstant) -> WallInstant? { isPaused ? nil : instant }

  /// Returns the number of entries in (`start`, `end`] of an animation that had an entry at `start`, clamped to
  /// `Int.max`.
  public func count(after start: WallInstant, through end: WallInstant) -> Int {
    guard end > start, !isPaused else { return 0 }
    let length = UInt64(bitPattern: end.nanosecondsSinceEpoch &- start.nanosecondsSinceEpoch)
    return Int(clamping: length / UInt64(bitPattern: interval.nanoseconds))
  }
}

extension AnimationSchedule: RuleKind {
  static var name: ScheduleRule.KindName { .animation }
  var hasMoreThanOneEntryPerSecond: Bool { !isPaused && interval < .seconds(1) }
  var isOnWholeSeconds: Bool { false }
  var grids: [EntryGrid] { [EntryGrid(phase: 0, period: interval.nanoseconds)] }
  var occasion: String? { isPaused ? "not while its schedule is paused" : nil }
}

extension AnimationSchedule: CustomStringConvertible {
  /// Readable form of the rule, such as `as fast as every 16ms` or `as fast as possible, paused`.
  public var description: String {
    let pace = minimumInterval.map { "as fast as every \($0)" } ?? "as fast as possible"
    return isPaused ? pace + ", paused" : pace
  }
}
