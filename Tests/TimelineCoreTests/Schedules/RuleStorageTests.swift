import Testing

@testable import TimelineCore

/// Size of a rule, which matters for very many rules, and equality of rules that share no storage.
@Suite struct `Storage of rules` {
  @Test func `a rule needs no more than three words and a schedule no more than two`() {
    #expect(MemoryLayout<ScheduleRule>.size == 17)
    #expect(MemoryLayout<CronSchedule>.size == 8)
    #expect(MemoryLayout<CalendarSchedule>.size == 8)
    #expect(MemoryLayout<CivilSchedule>.size == 8)
    #expect(MemoryLayout<ExplicitSchedule>.size == 8)
    #expect(MemoryLayout<EveryMinuteSchedule>.size == 8)
    #expect(MemoryLayout<ComposedSchedule>.size == 8)
    #expect(MemoryLayout<CronExpression>.size <= 29)
    // With the object header it has 55 of the 56 bytes that malloc provides out of 64.
    #expect(MemoryLayout<CivilSearch<CronExpression>>.size <= 40)
  }

  @Test func `rules made twice are equal and those that differ in one part are not`() throws {
    let (berlin, again) = (try ZoneFiles.zone("Europe/Berlin"), try ZoneFiles.zone("Europe/Berlin"))
    func cron(_ text: String, _ zone: Zone, _ policy: DaylightSavingPolicy = DaylightSavingPolicy()) throws
      -> ScheduleRule
    {
      .cron(CronSchedule(expression: try CronExpression(parsing: text), zone: zone, daylightSaving: policy))
    }
    func calendar(_ text: String, _ policy: DaylightSavingPolicy = DaylightSavingPolicy()) throws
      -> ScheduleRule
    {
      .calendar(
        CalendarSchedule(
          expression: try CalendarExpression(parsing: text), zone: berlin, daylightSaving: policy))
    }
    let skip = DaylightSavingPolicy(gap: .skip)
    func civil(_ from: String, _ zone: Zone) throws -> ScheduleRule {
      .civil(.civil(try `Civil rules in zones`.recurrence("2 weeks", from: from), in: zone))
    }
    let rules: [(ScheduleRule, ScheduleRule)] = [
      (try cron("30 2 * * 1-5", berlin), try cron("30 2 * * mon-fri", again)),
      (try cron("30 2 * * 1-5", .utc), try cron("30 2 * * 1-5", .utc)),
      (try cron("30 2 * * 1-5", berlin, skip), try cron("30 2 * * 1-5", again, skip)),
      (try cron("30 2 */1 * 1-5", berlin), try cron("30 2 * * 1-5", berlin)),
      (try cron("30 2 1-31 * 1-5", berlin), try cron("30 2 1-31 * 1-5", berlin)),
      (try cron("30 2 L * *", berlin), try cron("30 2 L * *", berlin)),
      (try cron("30 2 LW * *", berlin), try cron("30 2 LW * *", berlin)),
      (try calendar("*-*-* 02:30"), try calendar("02:30:00")),
      (try calendar("*-*-* 02:30", skip), try calendar("02:30:00", skip)),
      (try civil("2026-01-05", berlin), try civil("2026-01-05", again)),
      (try civil("2026-01-12", berlin), try civil("2026-01-12", again)),
      (.explicit(try ExplicitSchedule([.epoch])), .explicit(try ExplicitSchedule([.epoch]))),
      (
        .explicit(ExplicitSchedule(startOfMachine: .epoch)),
        .explicit(ExplicitSchedule(startOfMachine: .epoch))
      ),
    ]
    for (index, pair) in rules.enumerated() where index != 3 {
      #expect(pair.0 == pair.1)
      #expect(pair.0.hashValue == pair.1.hashValue)
      for (other, pair2) in rules.enumerated()
      where ![index, 3].contains(other) && !(index == 0 && other == 3) {
        #expect(pair.0 != pair2.1, "\(pair.0) and \(pair2.1)")
      }
    }
    #expect(rules[3].0 == rules[3].1)
  }

  @Test func `an animation records whether its interval was given`() throws {
    let asked = try AnimationSchedule(minimumInterval: AnimationSchedule.defaultInterval)
    #expect(asked.minimumInterval == AnimationSchedule.defaultInterval)
    #expect(try AnimationSchedule().minimumInterval == nil)
    #expect(try AnimationSchedule() != asked)
    #expect(try AnimationSchedule().interval == asked.interval)
  }

  /// A date that never comes is refused in every schedule, in either language and composition.
  @Test(arguments: [
    "0 0 30 2 *", "0 0 31 2 *", "0 0 31 4,6 *", "0 0 31 2,4,6,9,11 *", "0 0 30,31 2 */1", "0 0 31W 6 *",
    "*/5 * 30-31 2 *",
  ])
  func `a cron rule that no day matches is refused`(_ text: String) {
    let error = #expect(throws: TextError.self) { try CronExpression(parsing: text) }
    #expect(
      error?.description.contains("never") == true, "\(text)")
  }

  @Test(arguments: [
    "*-02-30", "*-02-31 12:00", "*-04,06-31", "2027-02-29", "2001..2003-02-29", "Mon 2026-01-01",
    "2100-02-29 *:*",
  ])
  func `a calendar rule that no instant matches is refused`(_ text: String) {
    let error = #expect(throws: TextError.self) { try CalendarExpression(parsing: text) }
    let said = text.hasPrefix("Mon") ? "is expected" : "no month of the rule has this day"
    #expect(error?.description.contains(said) == true, "\(text)")
  }

  @Test(arguments: ["0 0 29 2 *", "0 0 30 2 1", "0 0 31 4,5 *", "0 0 L 2 *", "0 0 29 2 */7"])
  func `a cron rule that ever has an entry is accepted and has one`(_ text: String) throws {
    let schedule = CronSchedule(expression: try CronExpression(parsing: text), zone: .utc)
    #expect(schedule.next(after: .epoch) != nil)
  }
}
