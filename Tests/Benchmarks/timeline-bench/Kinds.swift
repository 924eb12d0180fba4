import TimelineCore
import TimelineSystem

// The same entries by each kind of rule on the clocks of Europe/Berlin, as the engine asks for them: `kind KIND SERIES FIRST LAST` asks
// `next(after:)` for each entry, in seconds since the epoch, FIRST left out. SERIES is `weekdays`, 09:00 from Monday to Friday, or
// `month-end`, 18:00 on the last of these days of each month. `slowest KIND [TRIES]` prints the time of the slowest answer to rules that search long.

/// Asks for each entry of a series by the one before.
func enumerateByKind(_ words: [String]) {
  guard words.count == 4, let first = Int64(words[2]), let last = Int64(words[3]),
    let rule = try? series(words[1], as: words[0], in: zone(named: "Europe/Berlin"))
  else { refuse("expected KIND SERIES FIRST LAST, the last two in seconds since the epoch") }
  let until = WallInstant(secondsSinceEpoch: last)
  var (count, sum, instant) = (0, 0 as UInt64, WallInstant(secondsSinceEpoch: first))
  let start = SystemTime.monotonic()
  while let next = rule.next(after: instant), next <= until {
    count += 1
    sum &+= seconds(next)
    instant = next
  }
  report(count, sum, since: start)
}

private func series(_ name: String, as kind: String, in zone: Zone) throws -> ScheduleRule? {
  switch (name, kind) {
  case ("weekdays", "cron"): .cron(cronSchedule("0 9 * * 1-5", in: zone))
  case ("weekdays", "civil"):
    try civil(1, .weeks, at: 9, on: [.monday, .tuesday, .wednesday, .thursday, .friday], in: zone)
  case ("weekdays", "rrule"): try recurrence("FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR", at: 9, in: zone)
  case ("weekdays", "pick"): try picked("0 9,17 * * 1-5", EntryPick([1], per: .day), in: zone)
  case ("month-end", "cron"): .cron(cronSchedule("0 18 LW * *", in: zone))
  case ("month-end", "rrule"):
    try recurrence("FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1", at: 18, in: zone)
  case ("month-end", "move"): try moved("0 18 L * *", EntryMove(.before), in: zone)
  case ("month-end", "pick"): try picked("0 18 * * 1-5", EntryPick([-1], per: .month), in: zone)
  default: nil
  }
}

/// An hour of 1 January 2026.
private func first(at hour: Int) -> CivilDateTime {
  CivilDateTime(WallInstant(secondsSinceEpoch: 1_767_225_600) + .hours(Int64(hour)), offset: 0)
}

/// Asks each rule of the kind from far apart instants on. Of the tries the fastest counts, so that another process does not.
func askSlowest(_ words: [String]) {
  guard 1...2 ~= words.count, let tryCount = Int(words.dropFirst().first ?? "3"), tryCount > 0,
    let rules = try? slowRules(of: words[0], in: zone(named: "Europe/Berlin"))
  else { refuse("expected KIND [TRIES]") }
  var (count, slowest) = (0, ElapsedTime.zero)
  for rule in rules {
    for year in [1_700, 1_999, 2_026, 2_096, 2_255] as [Int64] {
      let instant = WallInstant(secondsSinceEpoch: (year - 1_970) * 31_556_952)
      var fastest = ElapsedTime.days(1)
      for _ in 0..<tryCount {
        let start = SystemTime.monotonic()
        count += rule.next(after: instant) == nil ? 0 : 1
        fastest = min(fastest, SystemTime.monotonic() - start)
      }
      slowest = max(slowest, fastest)
    }
  }
  CurrentProcess.print("{\"count\":\(count),\"nanoseconds\":\(slowest.nanoseconds)}\n")
}

private func slowRules(of kind: String, in zone: Zone) throws -> [ScheduleRule] {
  switch kind {
  case "cron": [.cron(cronSchedule("0 2 29 2 mon", in: zone)), .cron(cronSchedule("0 0 29 feb *", in: zone))]
  case "civil":
    [
      try civil(1_000, .days, at: 9, in: zone), try civil(1_000, .months, at: 9, in: zone),
      try civil(100, .years, at: 9, in: zone),
    ]
  case "rrule":
    // The first ones have no entry: the days of a leap year, of a weekday, of a week and of a second that never meet.
    try [
      "FREQ=YEARLY;INTERVAL=2;BYYEARDAY=366", "FREQ=DAILY;INTERVAL=7;BYDAY=MO",
      "FREQ=YEARLY;BYWEEKNO=20;BYMONTH=12", "FREQ=SECONDLY;INTERVAL=86400;BYHOUR=10",
      "FREQ=MONTHLY;INTERVAL=12;BYMONTHDAY=31;BYDAY=SU;BYMONTH=1;BYHOUR=1,2,3;BYMINUTE=7,8;BYSETPOS=6",
      "FREQ=MINUTELY;INTERVAL=7;BYMONTH=2;BYMONTHDAY=29;BYHOUR=3;BYSECOND=17",
      "FREQ=YEARLY;BYHOUR=0,6,12,18;BYMINUTE=0,15,30,45;BYDAY=MO,TU,WE,TH,FR,SA,SU;BYSETPOS=366,-366",
      "FREQ=HOURLY;INTERVAL=1000;BYMONTH=6;BYMONTHDAY=1;BYHOUR=0",
    ].map { try recurrence($0, at: 9, in: zone) }
  case "move":
    [
      try moved("0 9 28 * *", EntryMove(.before), in: zone),
      try moved("0 * * * *", EntryMove(.nearest, dayMax: 31), in: zone),
      try moved("0 9 31 * *", EntryMove(.after, dayMax: 31, isWithinMonth: true), in: zone),
    ]
  case "pick":
    [
      try picked("0 12 * * *", EntryPick([366], per: .year), in: zone),
      try picked("0 * * * *", EntryPick([366, -366], per: .year), in: zone),
      try picked("* * * * *", EntryPick([-1], per: .day), in: zone),
      try picked("0 18 1 1 *", EntryPick([1], per: .week), in: zone),
    ]
  default: refuse("expected cron, civil, rrule, pick or move")
  }
}

private func civil(
  _ every: Int, _ unit: CivilRecurrence.Unit, at hour: Int, on weekdays: Set<Weekday> = [], in zone: Zone
) throws -> ScheduleRule {
  let begin = first(at: hour)
  let rule = try CivilRecurrence(every: every, unit, from: begin.date, at: [begin.time], on: weekdays)
  return .civil(CivilSchedule(recurrence: rule, zone: zone))
}

private func recurrence(_ text: String, at hour: Int, in zone: Zone) throws -> ScheduleRule {
  let rule = try RecurrenceRule(parsing: text, from: first(at: hour))
  return .recurrence(RecurrenceSchedule(recurrence: rule, zone: zone))
}

private func picked(_ rule: String, _ pick: EntryPick, in zone: Zone) throws -> ScheduleRule {
  var conditions = ComposedSchedule.Conditions()
  conditions.pick = pick
  return .composed(
    try ComposedSchedule([.cron(cronSchedule(rule, in: zone))], conditions: conditions, zone: zone))
}

/// A rule whose entries at weekends move.
private func moved(_ rule: String, _ move: EntryMove, in zone: Zone) throws -> ScheduleRule {
  var conditions = ComposedSchedule.Conditions()
  (conditions.except, conditions.move) = ([try CivilWindow(parsing: "Sat,Sun")], move)
  return .composed(
    try ComposedSchedule([.cron(cronSchedule(rule, in: zone))], conditions: conditions, zone: zone))
}
