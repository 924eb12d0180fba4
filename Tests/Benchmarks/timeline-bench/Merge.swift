import TimelineCore
import TimelineSystem

// Many cron rules in the zone Europe/Berlin. `rules COUNT [FIRST]` prints them, a line each, for peers to read; `merge COUNT
// FIRST LAST [RULE]` walks through the entries of all in order. FIRST and LAST are seconds since the epoch, the first left out;
// RULE is the number of the first rule, 0 without it.

/// Prints rules.
func printRules(_ words: [String]) {
  guard (1...2).contains(words.count), let count = Int(words[0]),
    let first = Int(words.dropFirst().first ?? "0")
  else { refuse("expected COUNT [RULE]") }
  for number in first..<first + count { CurrentProcess.print(cronRule(number) + "\n") }
}

/// Walks through the entries of many rules in order.
func mergeRules(_ words: [String]) {
  guard (3...4).contains(words.count), let count = Int(words[0]), let from = Int64(words[1]),
    let until = Int64(words[2]), let first = Int(words.dropFirst(3).first ?? "0")
  else { refuse("expected COUNT FIRST LAST [RULE], FIRST and LAST in seconds since the epoch") }
  let zone = zone(named: "Europe/Berlin")
  let rules = (first..<first + count).map { ScheduleRule.cron(cronSchedule(cronRule($0), in: zone)) }
  var found = 0
  var sum: UInt64 = 0
  let start = SystemTime.monotonic()
  let merge = ScheduleMerge(
    rules, after: WallInstant(secondsSinceEpoch: from), through: WallInstant(secondsSinceEpoch: until))
  for entry in merge {
    found += 1
    sum &+= seconds(entry.instant)
  }
  report(found, sum, since: start)
}

/// The rule of a number: of each twenty one comes every minute, two every five minutes, one every quarter of an hour, others
/// in working hours, hourly, daily, weekly and monthly. A thousand of them have some 842,000 entries a week.
func cronRule(_ number: Int) -> String {
  let (kind, turn) = (number % 20, number / 20)
  let (minute, hour) = ((number * 7 + turn) % 60, (number * 5 + turn) % 24)
  return switch kind {
  case 0: "* * * * *"
  case 1, 2: "\(turn % 5)-59/5 * * * *"
  case 3: "\(turn % 15)-59/15 * * * *"
  case 4: "*/5 9-17 * * 1-5"
  case 5: "*/10 8-18 * * *"
  case 6..<12: "\(minute) * * * *"
  case 12: "\(minute) 8-18/2 * * *"
  case 13: "\(minute),\((minute + 30) % 60) \(hour),\((hour + 12) % 24) * * *"
  case 14, 15: "\(minute) \(hour) * * *"
  case 16: "\(minute) \(hour) * * 1-5"
  case 17: "\(minute) \(hour) * * 0"
  case 18: "\(minute) \(hour) 1,15 * *"
  default: "\(minute) \(hour) \(turn % 28 + 1) */3 *"
  }
}
