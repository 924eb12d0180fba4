import Testing
import TimelineCore
import TimelineEngineTestSupport
import TimelineTestSupport

@testable import TimelineEngine

@Suite struct `Entries that are known ahead` {
  private static let begin: Int64 = 1_767_225_600
  private static let end = t(begin + 40 * 86_400)

  private static func rules() throws -> [ScheduleRule] {
    func cron(_ text: String) throws -> ScheduleRule {
      .cron(CronSchedule(expression: try CronExpression(parsing: text), zone: .utc))
    }
    return [
      every(7), every(.milliseconds(1_500)), every(.days(11)), .everyMinute(EveryMinuteSchedule(zone: .utc)),
      .explicit(try ExplicitSchedule([begin, begin + 1, begin + 86_400, begin + 5_000_000].map(t))),
      try cron("* * * * *"), try cron("*/20 9-17 * * 1-5"), try cron("30 2 29 * *"), try cron("0 0 29 2 *"),
    ]
  }

  @Test func `are those of the rule, in order and after jumps`() throws {
    let seed: UInt64 = 2_026
    var dice = SeededGenerator(seed: seed)
    let rules = try Self.rules()
    var ahead = try #require(EntryLookahead(of: rules.count, before: Self.end))
    var entries = rules.map { $0.next(after: t(Self.begin - 1)) }
    for step in 0..<20_000 {
      let index = Int.random(in: rules.indices, using: &dice)
      if dice.happens(percent: 3) {
        entries[index] = rules[index].next(after: t(Self.begin + dice.seconds(0...45 * 86_400)))
      }
      guard let entry = entries[index] else { continue }
      let found =
        ahead.known(after: entry, of: index) ?? ahead.next(after: entry, of: index, rules[index])
      entries[index] = rules[index].next(after: entry)
      try #require(found == entries[index], "seed \(seed), step \(step), \(rules[index]) after \(entry)")
      if found == nil { entries[index] = rules[index].next(after: t(Self.begin - 1)) }
    }
  }

  @Test func `are not kept of very many jobs`() {
    #expect(EntryLookahead(of: 1_000_000, before: Self.end) == nil)
  }
}
