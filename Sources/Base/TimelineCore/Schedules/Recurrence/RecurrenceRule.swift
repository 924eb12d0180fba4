/// An RRULE of RFC 5545 from a first local time on, with dates beside it and dates that are left out.
///
/// Read from text by ``init(parsing:from:rdates:exdates:)`` and printed in one canonical form. The first time is DTSTART: it fixes
/// what the rule does not name. If the rule does not match it, it is no entry. With a ``Zone`` it becomes a ``RecurrenceSchedule``.
public struct RecurrenceRule: Sendable {
  let content: Content
  private let bound: Bound?

  /// The rule, its first time and its dates, as they are written.
  final class Content: Sendable {
    let parts: RecurrenceParts
    /// Seconds since 1970 on a clock that is never changed; the dates ascend.
    let from: Int
    let added: [Int]
    let removed: [Int]

    init(_ parts: RecurrenceParts, from: Int, added: [Int], removed: [Int]) {
      (self.parts, self.from, self.added, self.removed) = (parts, from, added, removed)
    }
  }

  /// The matches in a zone.
  private final class Bound: Sendable {
    let search: RecurrenceSearch

    init(_ search: RecurrenceSearch) {
      self.search = search
    }
  }

  /// The largest number of dates beside the rule, and of dates that are left out.
  public static let dateCountMax = 4_096
  /// The largest number of entries that COUNT can name.
  public static let countMax = RecurrenceParser.countMax

  /// Reads a rule such as `FREQ=MONTHLY;BYDAY=-1FR` (RFC 5545, section 3.3.10).
  ///
  /// Refuses parts that contradict each other, and RSCALE and SKIP of RFC 7529.
  ///
  /// - Parameters:
  ///   - text: The value of the property RRULE.
  ///   - from: The first time, DTSTART. Fractions of a second are left out.
  ///   - rdates: Entries beside those of the rule; the first ``dateCountMax`` count.
  ///   - exdates: Times that are no entries; the first ``dateCountMax`` count.
  /// - Throws: The place and the reason of the first error in `text`.
  public init(
    parsing text: String, from: CivilDateTime, rdates: [CivilDateTime] = [], exdates: [CivilDateTime] = []
  ) throws(TextError) {
    let bytes = Array(text.utf8.prefix(RecurrenceParser.lengthMax + 1))
    func seconds(_ times: [CivilDateTime]) -> [Int] {
      Set(times.prefix(Self.dateCountMax).map(\.secondsSinceEpoch)).sorted()
    }
    do {
      let parts = try RecurrenceParser.parse(bytes)
      content = Content(
        parts, from: from.secondsSinceEpoch, added: seconds(rdates), removed: seconds(exdates))
      bound = nil
    } catch {
      throw TextError(
        "a recurrence rule", bytes, at: error.offset, error.reason,
        suggestion: error.corrected(bytes, slips: 4, parse: RecurrenceParser.parse), hint: error.hint)
    }
  }

  private init(_ content: Content, in zone: Zone, _ policy: DaylightSavingPolicy) {
    self.content = content
    bound = Bound(RecurrenceSearch(content, in: zone, policy))
  }

  /// Returns the rule with its matches in a zone.
  func bound(to zone: Zone, _ policy: DaylightSavingPolicy) -> RecurrenceRule {
    RecurrenceRule(content, in: zone, policy)
  }

  /// The first time, DTSTART.
  public var from: CivilDateTime { CivilDateTime(secondsSinceEpoch: content.from) }
  /// The entries beside those of the rule, ascending.
  public var rdates: [CivilDateTime] { content.added.map(CivilDateTime.init(secondsSinceEpoch:)) }
  /// The times that are no entries, ascending.
  public var exdates: [CivilDateTime] { content.removed.map(CivilDateTime.init(secondsSinceEpoch:)) }

  /// The zone in which a rule of hours, minutes or seconds counts; `nil` for others.
  public var ownZone: Zone? { isElapsed ? bound?.search.zone : nil }

  /// Whether the rule counts hours, minutes or seconds: in elapsed time from the first time on.
  public var isElapsed: Bool { content.parts.frequency.isElapsed }
}

extension RecurrenceRule: CivilRule {
  /// Entries lie on whole seconds.
  static var ticksPerSecond: Int { 1 }
  static var hasSameSecondsInEveryMinute: Bool { false }
  static var kindName: ScheduleRule.KindName { .recurrence }

  var fixesTimeOfDay: Bool { !isElapsed }
  var canSkipDay: Bool { false }
  var grids: [EntryGrid] { [EntryGrid(phase: 0, period: ElapsedTime.seconds(1).nanoseconds)] }

  func first(atOrAfter local: Int, through limit: Int) -> Int? {
    bound?.search.first(atOrAfter: local, through: limit)
  }

  func last(atOrBefore local: Int, from limit: Int) -> Int? {
    bound?.search.last(atOrBefore: local, from: limit)
  }

  func count(from first: Int, through last: Int) -> Int {
    bound?.search.count(from: first, through: last) ?? 0
  }

  /// Whether the rule matches its first time.
  package var matchesFrom: Bool {
    guard let search = bound?.search else { return false }
    return search.isMatch(search.begin) || content.added.contains(content.from)
  }
}

extension RecurrenceRule: Hashable {
  /// Whether the canonical form is the same.
  public static func == (left: RecurrenceRule, right: RecurrenceRule) -> Bool {
    left.content === right.content || left.description == right.description
  }

  /// Feeds the canonical form into `hasher`.
  public func hash(into hasher: inout Hasher) { hasher.combine(description) }
}
