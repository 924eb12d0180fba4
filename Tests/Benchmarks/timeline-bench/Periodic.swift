import TimelineCore
import TimelineSystem

// `next(after:)` as the engine calls it, through any kind of rule. `periodic COUNT [SECONDS]` uses a periodic rule, of 30 seconds by
// default, from 2026-01-01T00:00:00Z on for COUNT entries. `sparse COUNT` uses the cron rule `0 2 29 2 *` in Europe/Berlin from
// 2001-01-01T00:00:00Z on, and from there again after its 24th entry, that of 2096, so that a peer that gives up after some years
// can be compared.

/// Computes each entry of a periodic rule from the one before.
func askPeriodic(_ words: [String]) {
  let from = WallInstant(secondsSinceEpoch: 1_767_225_600)
  // Read at run time: the compiler would replace the division by a constant period with a product.
  guard let period = Int64(words.dropFirst().first ?? "30"),
    let schedule = try? PeriodicSchedule(from: from, by: .seconds(period))
  else { refuse("expected COUNT [SECONDS]") }
  ask(.periodic(schedule), after: from, count: count(words), perLap: .max)
}

/// Computes each entry of a rule with an entry every four years from the one before.
func askSparse(_ words: [String]) {
  let schedule = cronSchedule("0 2 29 2 *", in: zone(named: "Europe/Berlin"))
  ask(.cron(schedule), after: WallInstant(secondsSinceEpoch: 978_307_200), count: count(words), perLap: 24)
}

private func ask(_ rule: ScheduleRule, after from: WallInstant, count: Int, perLap: Int) {
  var sum: UInt64 = 0
  var found = 0
  let start = SystemTime.monotonic()
  while found < count {
    var instant = from
    for _ in 0..<min(perLap, count - found) {
      guard let next = rule.next(after: instant) else { refuse("\(rule) ended after \(instant)") }
      instant = next
      found += 1
      sum &+= seconds(next)
    }
  }
  report(found, sum, since: start)
}

private func count(_ words: [String]) -> Int {
  guard (1...2).contains(words.count), let count = Int(words[0]), count > 0 else { refuse("expected COUNT") }
  return count
}
