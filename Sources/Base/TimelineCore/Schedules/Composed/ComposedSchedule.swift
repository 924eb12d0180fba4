/// The entries of one or more rules, restricted by windows and to the time from a start to an end.
///
/// An instant at which several rules have an entry is one entry. An entry must lie in one of the `only` windows, if there are
/// any, and in no `except` window. Windows apply to the zone's local time at the instant of the entry. An ``EntryMove`` can move
/// the entries that windows exclude to other days. Then an ``EntryPick`` can choose some entries of each period. Copies share
/// their storage.
public struct ComposedSchedule: Sendable {
  private(set) var storage: Storage

  /// Conditions that an entry must all satisfy.
  public struct Conditions: Sendable, Hashable {
    /// Windows; an entry must lie in at least one. Empty for no restriction.
    public var only: [CivilWindow] = []
    /// Windows that exclude the entries in them.
    public var except: [CivilWindow] = []
    /// The days to which entries move that windows exclude; `nil` for entries that do not move.
    public var move: EntryMove?
    /// The first instant at which there can be an entry.
    public var starts: WallInstant?
    /// The last instant at which there can be an entry.
    public var ends: WallInstant?
    /// The entries of each period that are left, of those in the windows or moved there; `nil` for all. What is not picked is no
    /// entry.
    public var pick: EntryPick?
    /// The maximum number of entries, counted from ``starts``, without those that windows exclude or ``pick`` leaves out.
    public var limit: Int?

    /// Makes conditions that exclude nothing.
    public init() {}
  }

  final class Storage: Sendable {
    let members: [ScheduleRule]
    let conditions: Conditions
    let zone: Zone
    let start: WallInstant
    let end: WallInstant
    /// The move of excluded entries; `nil` for none.
    let reach: Reach?
    /// Stored because every run needs it and it is expensive to compute.
    let isFast: Bool

    init(_ members: [ScheduleRule], _ conditions: Conditions, _ zone: Zone, end: WallInstant) {
      self.members = members
      self.conditions = conditions
      self.zone = zone
      self.start = conditions.starts ?? .min
      self.end = end
      reach = conditions.move.map { Reach($0, members, zone) }
      // Few entries of a day are left or can be moved, however close to one another.
      isFast = conditions.pick == nil && conditions.move == nil && Self.isFast(members)
    }
  }

  /// The most rules of a union: a search looks at each of them for every entry.
  public static let memberCountMax = 64
  /// The most windows of either kind: a search can look at each of them for every entry.
  public static let windowCountMax = 64
  /// The highest ``Conditions/limit``, because up to this many entries are counted when the schedule is made.
  public static let limitMax = 100_000
  /// The maximum number of excluded entries that a search checks; after these the schedule counts as having no further entries.
  /// After each check the search continues where windows open next. With hours of the day there are one or two checks a day, so
  /// the maximum is enough for at least 68 years. A stretch that dates exclude takes one check for each clock change.
  public static let stepCountMax = 50_000

  /// Makes the schedule of `members` under `conditions`, whose windows are read on the clocks of `zone`.
  ///
  /// A `limit` requires `starts`, so that the count has a fixed start. Refuses a schedule that never has an entry.
  public init(
    _ members: [ScheduleRule], conditions: Conditions = Conditions(), zone: Zone
  ) throws(ScheduleError) {
    guard !members.isEmpty else { throw .nothingToCompose }
    guard members.count <= Self.memberCountMax else {
      throw .tooMany(what: "rules", count: members.count, limit: Self.memberCountMax)
    }
    let windowCount = max(conditions.only.count, conditions.except.count)
    guard windowCount <= Self.windowCountMax else {
      throw .tooMany(what: "windows", count: windowCount, limit: Self.windowCountMax)
    }
    if let member = members.first(where: \.isClosedLoop) { throw .closedLoopComposed(member.description) }
    if let starts = conditions.starts, let ends = conditions.ends, ends < starts {
      throw .endsBeforeStart(starts: starts, ends: ends)
    }
    if conditions.move != nil, windowCount == 0 {
      throw .moveRefused("no window excludes an entry that could move; give windows too")
    }
    storage = Storage(members, conditions, zone, end: conditions.ends ?? .max)
    if conditions.move != nil { try storage.checkMove(around: place) }
    if let pick = conditions.pick { try storage.check(pick, around: place) }
    // The instant of the start of the machine may not be known yet.
    guard hasStartOfMachine || hasEntries else {
      if let pick = conditions.pick, storage.firstAllowed(around: place) != nil {
        throw .pickRefused("\(pick) never exists; give positions that are nearer to 1 or -1")
      }
      throw .neverMeets(stepCount: Self.stepCountMax)
    }
    if let limit = conditions.limit {
      guard let starts = conditions.starts else { throw .limitWithoutStart }
      guard 1...Self.limitMax ~= limit else { throw .limitOutOfRange(limit: limit, most: Self.limitMax) }
      let last = lastEntry(of: limit, from: starts)
      storage = Storage(members, conditions, zone, end: min(last ?? .max, conditions.ends ?? .max))
    }
  }

  /// Returns the schedule with other windows of `except`, and with the end that its `limit` has.
  func excluding(_ except: [CivilWindow]) -> ComposedSchedule {
    var (schedule, conditions) = (self, conditions)
    conditions.except = except
    schedule.storage = Storage(storage.members, conditions, storage.zone, end: storage.end)
    return schedule
  }

  /// The conditions that an entry satisfies.
  package var conditions: Conditions { storage.conditions }

  /// Whether a member is the start of the machine, whose next instant is unknown.
  package var hasStartOfMachine: Bool { storage.members.contains(where: \.isStartOfMachine) }

  /// The instant at which the search for an entry begins if the schedule has no start: most windows of future and past
  /// times are near it.
  private static let middle = WallInstant(secondsSinceEpoch: 946_684_800)  // 2000-01-01

  private var place: WallInstant { storage.conditions.starts.map { $0 - .nanoseconds(1) } ?? Self.middle }

  private var hasEntries: Bool { next(after: place) != nil || latest(atOrBefore: place) != nil }

  /// The `count`-th entry from `start` on, or `nil` if there are fewer.
  private func lastEntry(of count: Int, from start: WallInstant) -> WallInstant? {
    var instant = start - .nanoseconds(1)
    for _ in 0..<count {
      guard let next = next(after: instant) else { return nil }
      instant = next
    }
    return instant
  }
}

extension ComposedSchedule: Schedule {
  /// The last entry not later than `start`, then every later entry. `mode` has no effect.
  public func entries(from start: WallInstant, mode: ScheduleMode) -> ScheduleEntries {
    ScheduleEntries(from: latest(atOrBefore: start) ?? next(after: start), of: .composed(self))
  }

  /// The first entry strictly later than `instant`; `nil` if there is none, or none within ``stepCountMax`` steps. Never
  /// allocates.
  public func next(after instant: WallInstant) -> WallInstant? {
    let lower = max(instant, storage.start - .nanoseconds(1))
    guard let pick = storage.conditions.pick else {
      var entries = MemberEntries()
      return storage.nextAllowed(after: lower, through: storage.end, &entries)
    }
    return storage.picked(pick, lower, isNext: true).flatMap { $0 <= storage.end ? $0 : nil }
  }

  /// The last entry that is not later than `instant`; `nil` if there is none, or none within ``stepCountMax`` steps. Never
  /// allocates.
  public func latest(atOrBefore instant: WallInstant) -> WallInstant? {
    let upper = min(instant, storage.end)
    guard let pick = storage.conditions.pick else {
      var entries = MemberEntries()
      return storage.latestAllowed(atOrBefore: upper, from: storage.start, &entries)
    }
    return storage.picked(pick, upper, isNext: false).flatMap { $0 >= storage.start ? $0 : nil }
  }

  /// Returns the number of entries in (`start`, `end`], clamped to `Int.max`. Takes one step for each edge of a
  /// window between entries and, with several rules, one step for each entry of all rules but the densest. Entries that are
  /// picked or moved are counted one by one.
  public func count(after start: WallInstant, through end: WallInstant) -> Int {
    if storage.conditions.pick == nil {
      return storage.countAllowed(
        after: max(start, storage.start - .nanoseconds(1)), through: min(end, storage.end))
    }
    var (total, instant) = (0, start)
    while let next = next(after: instant), next <= end {
      (total, instant) = (total + 1, next)
    }
    return total
  }
}

extension ComposedSchedule: Hashable {
  /// Whether rules, conditions and zone are the same.
  public static func == (left: ComposedSchedule, right: ComposedSchedule) -> Bool {
    left.storage === right.storage
      || left.storage.members == right.storage.members && left.storage.conditions == right.storage.conditions
        && left.storage.zone == right.storage.zone
  }

  /// Feeds rules and conditions into `hasher`.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(storage.members)
    hasher.combine(storage.conditions)
  }
}
