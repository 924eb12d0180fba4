import Testing
import TimelineCore
import TimelineEngine
import TimelineEngineTestSupport
import TimelineRehearsal
import TimelineTestSupport

/// Entries as a plan names them, over random rules, zones and years.
@Suite struct `Laws of plans` {
  private static let zones = ["Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "UTC"]

  private static func rule(using random: inout SeededGenerator, in zone: Zone) throws -> ScheduleRule {
    let minute = ["0", "30", "*/20"].randomElement(using: &random) ?? "0"
    let hour = ["1", "2", "2,9", "*/6"].randomElement(using: &random) ?? "2"
    let day = ["*", "*", "1", "28-31", "L"].randomElement(using: &random) ?? "*"
    let month = ["*", "*", "3", "10", "2"].randomElement(using: &random) ?? "*"
    let gap = DaylightSavingPolicy.Gap.allCases.randomElement(using: &random) ?? .runAtEnd
    let cron = ScheduleRule.cron(
      CronSchedule(
        expression: try CronExpression(parsing: "\(minute) \(hour) \(day) \(month) *"), zone: zone,
        daylightSaving: DaylightSavingPolicy(gap: gap, fold: .first)))
    guard Int.random(in: 0..<4, using: &random) == 0 else { return cron }
    var conditions = ComposedSchedule.Conditions()
    conditions.except = [try CivilWindow(parsing: "Sat,Sun")]
    return .composed(try ComposedSchedule([cron], conditions: conditions, zone: zone))
  }

  private static func entries(of rule: ScheduleRule, from: WallInstant, until: WallInstant) -> [WallInstant] {
    var entries: [WallInstant] = []
    var instant = from - .nanoseconds(1)
    while let next = rule.next(after: instant), next < until {
      entries.append(next)
      instant = next
    }
    return entries
  }

  /// Whether the rule names the instant: as an entry, or as one that it leaves out.
  private static func names(_ rule: ScheduleRule, _ instant: WallInstant) -> Bool {
    rule.latest(atOrBefore: instant) == instant
      || rule.omissions(after: instant - .nanoseconds(1), through: instant).contains { $0.first <= instant }
  }

  @Test(arguments: 0..<8) func `each instant that a plan names is an entry`(
    seed: Int
  ) throws {
    var random = SeededGenerator(seed: UInt64(seed + 200))
    let zone = try zone(Self.zones[seed % Self.zones.count])
    for _ in 0..<25 {
      let (old, new) = (try Self.rule(using: &random, in: zone), try Self.rule(using: &random, in: zone))
      let year = Int.random(in: 1990...2040, using: &random)
      let from = try WallInstant(rfc3339: "\(year)-0\(Int.random(in: 1...9, using: &random))-20T00:00:00Z")
      let until = from + .days(Int64(Int.random(in: 1...20, using: &random)))
      var plan = Plan(
        from: [job("a", old)], DryRun(jobs: [job("a", old)], from: from, until: until), to: [job("a", new)],
        DryRun(jobs: [job("a", new)], from: from, until: until))
      let change = try #require(plan.run().first)
      for example in change.examples {
        #expect(example.before.map { Self.names(old, $0) } ?? true, "\(old) → \(new): \(example)")
        #expect(example.after.map { Self.names(new, $0) } ?? true, "\(old) → \(new): \(example)")
      }
      guard change.examples.isEmpty, change.otherEndCount == 0, old != new else { continue }
      #expect(
        Self.entries(of: old, from: from, until: until) == Self.entries(of: new, from: from, until: until),
        "\(old) → \(new)")
      guard let later = change.later, let first = [later.before, later.after].compactMap(\.self).min() else {
        continue
      }
      #expect(first >= until, "\(old) → \(new): \(later)")
      #expect(
        Self.entries(of: old, from: until, until: first) == Self.entries(of: new, from: until, until: first))
      #expect((old.latest(atOrBefore: first) == first) != (new.latest(atOrBefore: first) == first))
      #expect(later.before.map { Self.names(old, $0) } ?? true, "\(old) → \(new): \(later)")
      #expect(later.after.map { Self.names(new, $0) } ?? true, "\(old) → \(new): \(later)")
      guard case .instant = later.aspect else { continue }
      #expect(later.before.map { old.latest(atOrBefore: $0) == $0 } ?? true, "\(old) → \(new): \(later)")
      #expect(later.after.map { new.latest(atOrBefore: $0) == $0 } ?? true, "\(old) → \(new): \(later)")
    }
  }
}
