import Testing
import TimelineCore

@Suite struct `How fast a union is` {
  /// `every` with a phase, a rule, or dates in milliseconds since 1970.
  static func member(_ text: String) throws -> ScheduleRule {
    if text.hasPrefix("at ") {
      let instants = text.dropFirst(3).split(separator: " ").compactMap { Int64($0) }
      return .explicit(try ExplicitSchedule(instants.map { .epoch + .milliseconds($0) }))
    }
    let words = text.split(separator: " from ").map(String.init)
    guard words.count == 2 else { return try `Unions, windows and exclusions`.rule(text, in: .utc) }
    return .periodic(
      try PeriodicSchedule(
        from: .epoch + ElapsedTime(parsing: words[1]),
        by: ElapsedTime(parsing: String(words[0].dropFirst(6)))))
  }

  static let paces: [(rules: [String], isFast: Bool)] = [
    (["every 1s", "every 1s from 250ms", "every 1s from 500ms", "every 1s from 750ms"], true),
    (["every 1s", "every 1s"], false), (["every 1s", "every 7s from 3s"], false),
    (["every 1s from 250ms", "every 2s from 250ms"], false),
    (["every 10s", "every 10s from 999ms"], true), (["every 10s", "every 10s from 1s1ms"], false),
    (["every 10s from 9s999ms", "every 10s"], true),
    // They meet every 6 s and are half a second apart in between.
    (["every 1500ms", "every 2s"], true), (["every 1500ms", "every 3s from 1500ms"], false),
    (["every 300ms", "every 1h"], true),
    (["* * * * *", "0 */2 * * *", "*:*:00"], false), (["* * * * * *", "*:*:00/5"], false),
    (["*:*:00.5", "* * * * *"], true), (["*:*:30.5", "* * * * *"], false),
    (["*:*:59.5", "* * * * *"], true), (["every 1m from 15500ms", "0 12 * * *"], false),
    (["every 1m from 15500ms", "15 * * * * *"], true),
    // Dates are few, however close to others they are.
    (["at 1000 5250", "every 1s"], false), (["at 1000 1001"], false), (["at 1000 5250", "at 5000"], false),
    (["at 1250", "every 10s", "every 10s from 999ms"], true),
  ]

  @Test(arguments: paces) func `a union is fast if entries of two rules can be less than a second apart`(
    row: (rules: [String], isFast: Bool)
  ) throws {
    for rules in [row.rules, row.rules.reversed()] {
      let schedule = try ComposedSchedule(try rules.map(Self.member), zone: .utc)
      #expect(ScheduleRule.composed(schedule).hasMoreThanOneEntryPerSecond == row.isFast, "\(rules)")
    }
  }
}
