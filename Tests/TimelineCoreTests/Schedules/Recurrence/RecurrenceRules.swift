import TimelineCore
import TimelineTestSupport

/// Random rules in which each part stands as often as it can.
enum RecurrenceRules {
  static let frequencies = ["YEARLY", "MONTHLY", "WEEKLY", "DAILY", "HOURLY", "MINUTELY", "SECONDLY"]
  static let days = ["SU", "MO", "TU", "WE", "TH", "FR", "SA"]
  static let parts = [
    "BYSECOND", "BYMINUTE", "BYHOUR", "BYDAY", "BYMONTHDAY", "BYYEARDAY", "BYWEEKNO", "BYMONTH", "BYSETPOS",
  ]

  struct Subject: Sendable {
    var rule: String
    var from: CivilDateTime
    /// The end of the comparison, in seconds.
    var end: Int
  }

  /// Makes a time from a text such as `2026-01-30T17:00:00`.
  static func time(_ text: String) throws -> CivilDateTime {
    Zone.utc.civil(at: try WallInstant(rfc3339: text + "Z"))
  }

  /// Makes a rule; dates are separated by spaces.
  static func rule(
    _ text: String, from: String, rdates: String = "", exdates: String = ""
  ) throws -> RecurrenceRule {
    func times(_ text: String) throws -> [CivilDateTime] {
      try text.split(separator: " ").map { try time(String($0)) }
    }
    return try RecurrenceRule(
      parsing: text, from: time(from), rdates: times(rdates), exdates: times(exdates))
  }

  static func subject(using generator: inout SeededGenerator) -> Subject {
    func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &generator) }
    func chance(_ percent: Int) -> Bool { number(1...100) <= percent }
    func list(_ range: ClosedRange<Int>, _ most: Int, signed: Bool = false) -> String {
      let values = (0..<number(1...most)).map { _ in number(range) * (signed && chance(50) ? -1 : 1) }
      return Set(values).sorted().map(String.init).joined(separator: ",")
    }
    // Half of the rules are of years, in which all parts can stand.
    let frequency = chance(45) ? 0 : number(1...6)
    var rule = "FREQ=\(frequencies[frequency])"
    if chance(30) { rule += ";INTERVAL=\(number(2...(frequency == 6 ? 200 : frequency > 3 ? 30 : 5)))" }
    if chance(30) { rule += ";WKST=\(days[number(0...6)])" }
    if chance(10) { rule += ";COUNT=\(number(1...20))" }
    var hasPart = false
    func add(_ name: String, _ percent: Int, _ value: String) {
      // dateutil looks at each minute and each second of a day that the rule does not name.
      let isSlow = frequency > 4 && name != "BYSECOND" && name != "BYMINUTE" && name != "BYHOUR"
      guard chance(isSlow ? percent / 8 : percent) else { return }
      rule += ";\(name)=\(value)"
      hasPart = true
    }
    add("BYMONTH", 25, list(1...12, 4))
    let hasWeek = frequency == 0 && chance(35)
    if hasWeek { add("BYWEEKNO", 100, list(1...53, 6, signed: true)) }
    if ![1, 2, 3].contains(frequency) { add("BYYEARDAY", hasWeek ? 5 : 22, list(1...366, 60, signed: true)) }
    if frequency != 2 { add("BYMONTHDAY", hasWeek ? 10 : 25, list(1...31, 8, signed: true)) }
    let isNumbered = frequency < 2 && !hasWeek && chance(40)
    let weekdays = Set((0..<number(1...4)).map { _ in days[number(0...6)] }).sorted().map { day in
      isNumbered ? "\(number(1...(frequency == 0 ? 20 : 5)) * (chance(50) ? -1 : 1))\(day)" : day
    }
    add("BYDAY", hasWeek ? 70 : 40, weekdays.joined(separator: ","))
    add("BYHOUR", 25, list(0...23, 4))
    add("BYMINUTE", 20, list(0...59, 3))
    add("BYSECOND", 20, list(0...59, 3))
    if hasPart { add("BYSETPOS", 25, list(1...4, 3, signed: true)) }
    let day = number(15_000...22_000)
    let second = number(0...86_399)
    let from = CivilDateTime(
      WallInstant.epoch + .days(Int64(day)) + .seconds(Int64(second)), offset: 0)
    let length = [12 * 365, 6 * 365, 4 * 365, 3 * 365, 200, 8, 1][frequency]
    return Subject(rule: rule, from: from, end: RecurrenceReference.seconds(from) + length * 86_400)
  }
}
