extension ComposedSchedule: RuleKind {
  static var name: ScheduleRule.KindName { .composed }
  var hasMoreThanOneEntryPerSecond: Bool { storage.isFast }
  var isOnWholeSeconds: Bool { storage.members.allSatisfy(\.kind.isOnWholeSeconds) }
  var grids: [EntryGrid] { storage.members.flatMap(\.kind.grids) }

  var occasion: String? {
    guard hasStartOfMachine else { return nil }
    return storage.members.filter(\.isStartOfMachine).compactMap(\.occasion).joined(separator: "; or ")
  }

  func resolved(startOfMachine instant: WallInstant) -> ScheduleRule? {
    guard hasStartOfMachine else { return nil }
    let members = storage.members.map { $0.resolved(startOfMachine: instant) ?? $0 }
    let schedule = try? ComposedSchedule(members, conditions: storage.conditions, zone: storage.zone)
    return schedule.map(ScheduleRule.composed)
  }

  /// The explanations of the rules, followed by the conditions.
  func explanation(
    after start: WallInstant, through end: WallInstant, on clocks: Zone
  ) -> ScheduleExplanation {
    let parts = storage.members.map { $0.kind.explanation(after: start, through: end, on: storage.zone) }
    // An explanation of the rule alone looks at no periods.
    let empty = start < end ? emptyPeriodWords(after: start) : nil
    let conditions = conditionWords + (empty.map { [$0] } ?? [])
    let words = parts.map(\.words).joined(separator: "; or ")
    var seen = Set<String>()
    let daylightSaving = parts.compactMap(\.daylightSaving).filter { seen.insert($0).inserted }
    return ScheduleExplanation(
      words: conditions.isEmpty ? words : "\(words); \(conditions.joined(separator: ", "))",
      canonicalForm: parts.count == 1 ? parts[0].canonicalForm : nil,
      daylightSaving: daylightSaving.isEmpty ? nil : daylightSaving.joined(separator: "; "),
      changes: parts.flatMap(\.changes).sorted { $0.instant < $1.instant }
        .filter { storage.start <= $0.instant && $0.instant <= storage.end }
        .compactMap(storage.conditions.pick == nil ? withinWindows : withinPick))
  }
}

extension ComposedSchedule: CustomStringConvertible {
  /// Readable form of the rule, such as `cron 0 * * * * in Europe/Berlin, only Mon..Fri 08:00-18:00`.
  public var description: String {
    ([storage.members.map(\.description).joined(separator: " or ")] + conditionTexts(\.description)).joined(
      separator: ", ")
  }

  var conditionWords: [String] { conditionTexts(\.words) }

  /// Returns the conditions in words; `text` returns the words of a window.
  private func conditionTexts(_ text: (CivilWindow) -> String) -> [String] {
    let conditions = storage.conditions
    var parts: [String] = []
    if !conditions.only.isEmpty {
      parts.append("only " + conditions.only.map(text).joined(separator: " or "))
    }
    if !conditions.except.isEmpty {
      parts.append("except " + conditions.except.map(text).joined(separator: " and "))
    }
    if let move = conditions.move { parts.append("\(move)") }
    if let pick = conditions.pick { parts.append("only \(pick)") }
    if let starts = conditions.starts { parts.append("from \(starts)") }
    if let ends = conditions.ends { parts.append("until \(ends)") }
    if let limit = conditions.limit { parts.append("at most \(limit)") }
    if conditions.pick != nil || !(conditions.only + conditions.except).isEmpty {
      parts.append("on clocks in \(storage.zone.name)")
    }
    return parts
  }
}
