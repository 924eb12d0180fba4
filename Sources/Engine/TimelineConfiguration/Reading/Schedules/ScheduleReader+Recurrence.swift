import TimelineCore

/// An RRULE of RFC 5545 with its first time.
extension ScheduleReader {
  /// The keys that belong to `rrule`.
  static let recurrenceKeys = ["from", "rdate", "exdate"]

  /// Returns the rule of `rrule`, with the keys `from`, `rdate`, `exdate` and `dst` beside it.
  func recurrence(_ item: Item, in fields: Fields) -> ScheduleRule? {
    let dst = fields["dst"]
    let standard = DaylightSavingPolicy(gap: .shift, fold: .first)
    let policy = dst.map { daylightSaving($0, instead: standard) } ?? standard
    let text = ruleText(item, expected: "a rule such as \"FREQ=MONTHLY;BYDAY=-1FR\"")
    let from = fields["from"].flatMap { localTime($0) }
    if fields["from"] == nil {
      reading.log.error(
        "`\(item.path)` stands without `from`", at: item.keyPlace,
        label: "expected the first time beside it", help: [Self.example(of: .recurrence)])
    }
    let rdates = fields["rdate"].map(localTimes) ?? []
    let exdates = fields["exdate"].map(localTimes) ?? []
    guard let text else { return nil }
    let recurrence: RecurrenceRule
    do throws(TextError) {
      // The text is read in any case, for its errors.
      recurrence = try RecurrenceRule(
        parsing: text, from: from ?? Self.anyTime, rdates: rdates ?? [], exdates: exdates ?? [])
    } catch {
      reading.log.error(
        "`\(item.path)` is not a recurrence rule", at: place(of: error.offset, in: text, item),
        label: error.reason, help: error.help)
      return nil
    }
    if let dst, recurrence.isElapsed {
      warnOfDaylightSaving(dst, because: "it counts hours, minutes or seconds")
    }
    guard let zone, let policy, let first = fields["from"], from != nil, rdates != nil, exdates != nil else {
      return nil
    }
    let schedule = RecurrenceSchedule(recurrence: recurrence, zone: zone, daylightSaving: policy)
    let rule = ScheduleRule.recurrence(schedule)
    guard let entry = rule.next(after: .min) else {
      reading.log.error(
        "`\(item.path)` has no entry", at: item.place, label: "no date matches from \(recurrence.from) on",
        help: ["`UNTIL` and `exdate` must leave an entry, and the days of the rule must exist"])
      return nil
    }
    guard isSoon(rule, from: first, distance: item) else { return nil }
    if !schedule.recurrence.matchesFrom {
      reading.log.warning(
        "`\(first.path)` is no entry: the rule does not match it", at: first.place,
        help: ["the first entry is \(zone.civil(at: entry)); write that, or change the rule"])
    }
    return rule
  }

  private static var anyTime: CivilDateTime { CivilDateTime(WallInstant.epoch, offset: 0) }

  /// Refuses a key of `rrule` beside another kind of schedule.
  func refuseRecurrenceKey(_ item: Item) {
    reading.log.error(
      "`\(item.path)` stands beside no `rrule`", at: item.keyPlace, label: "expected a recurrence rule",
      help: [item.key == "from" ? "entries from an instant on have `starts`" : "leave it out"])
  }

  private func localTimes(_ item: Item) -> [CivilDateTime]? {
    var help: [String] = []
    if case .localDateTime = item.value.content {
      help = ["write it in brackets, even when it is the only one"]
    }
    guard let items = reading.array(item, expected: "an array of local times", help: help) else { return nil }
    guard items.count <= RecurrenceRule.dateCountMax else {
      reading.log.error(
        "`\(item.path)` has \(items.count) times", at: item.place,
        label: "expected \(RecurrenceRule.dateCountMax) at most",
        help: ["further dates are a schedule of their own in `any`"])
      return nil
    }
    let times = items.map { localTime($0) }
    return times.contains(nil) ? nil : times.compactMap(\.self)
  }

  private func localTime(_ item: Item) -> CivilDateTime? {
    let expected = "a local time such as 2026-01-30T17:00:00"
    var help: [String] = []
    switch item.value.content {
    case .localDateTime(let civil) where civil.time.nanosecond == 0: return civil
    case .localDateTime(let civil):
      reading.log.error(
        "`\(item.path)` has a fraction of a second", at: item.place, label: "expected whole seconds",
        help: ["write \(civil.date)T\(civil.time.wholeSeconds)"])
      return nil
    case .offsetDateTime(let civil, _):
      help = ["write it without an offset, as clocks in the job's zone show it: \(RFC3339.text(civil))"]
    case .localDate(let date): help = ["give a time too: \(date)T00:00:00"]
    case .string(let text) where (try? WallInstant(rfc3339: "\(text)Z")) != nil:
      help = ["write it without quotes: \(text)"]
    default: break
    }
    reading.wrongKind(item, expected: expected, help: help)
    return nil
  }
}

extension CivilTime {
  /// The time without its fraction, as text.
  fileprivate var wholeSeconds: String { String(description.prefix(8)) }
}
