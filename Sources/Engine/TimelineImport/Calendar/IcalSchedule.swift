import TimelineCore

/// The schedule of a series: its rule with dates beside it, or dates alone.
struct IcalSchedule {
  /// The schedule as TOML.
  private(set) var text = ""
  /// The same schedule.
  private(set) var rule: ScheduleRule?
  let zoneName: String?
  /// Differences of the job from the events.
  private(set) var differences: [String] = []
  /// Remarks on the job that are no differences.
  private(set) var remarks: [String] = []
  /// The change of each replaced time, by the line of the event that replaces it.
  private(set) var replacements: [Int: String] = [:]
  private(set) var expansion: IcalExpansion

  private let clocks: IcalSeries.Clocks
  /// Local times beside the rule, local times that are left out, and local times of events that replace others.
  private var added: [CivilDateTime] = []
  private var removed: Set<CivilDateTime> = []
  private var moved: Set<CivilDateTime> = []

  /// Makes the schedule.
  ///
  /// - Throws: The reason why the series cannot be a schedule.
  init(_ series: IcalSeries, in context: IcalContext) throws(IcalObstacle) {
    guard let first = series.first, let start = first.start else {
      throw IcalObstacle(reason: "it has no DTSTART")
    }
    clocks = try IcalSeries.Clocks(of: start, in: context)
    zoneName = clocks.zoneName
    expansion = IcalExpansion()
    if let main = series.main { try add(main) }
    for event in series.overrides { try add(event, isAlone: series.main == nil) }
    if let written = series.main?.rule {
      try setRule(written, of: first, start)
    } else {
      if series.main != nil {
        added.append(start.civil)
        expansion.added.append(try clocks.point(start))
      }
      try setDates()
    }
    addRemarks(series, start)
  }

  /// Adds the dates of the event itself.
  private mutating func add(_ event: IcalEvent) throws(IcalObstacle) {
    for moment in event.added {
      added.append(try clocks.local(moment))
      expansion.added.append(try clocks.point(moment))
    }
    for moment in event.removed {
      removed.insert(try clocks.local(moment))
      expansion.removed.append(try clocks.point(moment))
    }
  }

  /// Moves or leaves out the time that an event replaces.
  private mutating func add(_ event: IcalEvent, isAlone: Bool) throws(IcalObstacle) {
    guard let replaced = event.replaced, let start = event.start else { return }
    let old = try clocks.local(replaced)
    expansion.removed.append(try clocks.point(replaced))
    if event.isCanceled {
      removed.insert(old)
      replacements[event.line] = "\(old) is canceled"
      return
    }
    let new = try clocks.local(start)
    expansion.moved.append(try clocks.point(start))
    if old != new || isAlone {
      removed.insert(old)
      moved.insert(new)
    }
    if old != new { replacements[event.line] = "\(old) is moved to \(new)" }
  }

  private mutating func setRule(
    _ written: (line: Int, text: String), of event: IcalEvent, _ start: IcalMoment
  ) throws(IcalObstacle) {
    var parts = IcalRule(written.text)
    if start.clock == .day, parts.makeWholeDays() {
      differences.append("line \(written.line): times in RRULE are left out beside a DTSTART without a time")
    }
    // The new time of an event is an entry, also if EXDATE names it.
    let exdates = removed.subtracting(moved).sorted()
    let rdates = Set(added).subtracting(removed).union(moved).sorted()
    for (name, count) in [("RDATE", rdates.count), ("EXDATE", exdates.count)]
    where count > RecurrenceRule.dateCountMax {
      throw IcalObstacle(
        reason:
          "it has \(count) times of \(name) and RECURRENCE-ID, and \(RecurrenceRule.dateCountMax) is the limit: divide it"
      )
    }
    let recurrence: RecurrenceRule
    do throws(TextError) {
      recurrence = try RecurrenceRule(
        parsing: parts.text, from: start.civil, rdates: rdates, exdates: exdates)
    } catch {
      let help = error.help.map { ": \($0)" }.joined()
      throw IcalObstacle(reason: "line \(written.line): RRULE: \(error.reason)\(help)")
    }
    let schedule = RecurrenceSchedule(recurrence: recurrence, zone: clocks.zone)
    text = recurrence.description
    rule = .recurrence(schedule)
    guard rule?.next(after: .min) != nil else {
      throw IcalObstacle(reason: "line \(written.line): no date matches RRULE from DTSTART on")
    }
    if !schedule.recurrence.matchesFrom {
      differences.append(
        "DTSTART is no time of RRULE, which RFC 5545 leaves undefined: it is no entry; if it is one, add it to rdate"
      )
    }
    expansion.setRule(parts, times: event.times, from: start.civil)
  }

  private mutating func setDates() throws(IcalObstacle) {
    var times: [WallInstant: CivilDateTime] = [:]
    for time in Set(added).subtracting(removed).union(moved) {
      guard let instant = clocks.zone.calendarInstant(of: time) else { throw IcalSeries.Clocks.late }
      times[instant] = time
    }
    let instants = times.keys.sorted()
    // If a time is skipped or comes twice, all are written as instants, so that they ascend in every zone.
    let isClear = times.values.allSatisfy { time in
      if case .one = clocks.zone.instants(of: time) { true } else { false }
    }
    let texts = instants.map { isClear ? times[$0]?.written ?? "\($0)" : "\($0)" }
    text = "{ explicit = [\(texts.joined(separator: ", "))] }"
    rule = (try? ExplicitSchedule(instants)).map(ScheduleRule.explicit)
  }

  private mutating func addRemarks(_ series: IcalSeries, _ start: IcalMoment) {
    switch start.clock {
    case .day:
      differences.append("it is of the whole day: it runs at 00:00 in the zone of the daemon")
    case .floating: remarks.append("its time has no zone: it is that of the daemon")
    case .utc, .zone: break
    }
    if series.events.contains(where: \.hasPeriods) {
      differences.append("a PERIOD of RDATE is its start; its end is left out")
    }
    if series.events.contains(where: \.hasAlarm) { differences.append("VALARM is left out") }
  }

  /// Whether the schedule has no entry after an instant.
  func isOver(at instant: WallInstant) -> Bool { rule?.next(after: instant) == nil }
}
