import TimelineCore
import TimelineSystem

// One cron rule in a zone: `cursor RULE ZONE FIRST LAST` walks, `next RULE ZONE FIRST LAST` asks anew for each entry; both in
// seconds since the epoch, FIRST left out.

/// Walks through the rule's entries.
func enumerateByCursor(_ words: [String]) {
  let (rule, from, until) = oneRule(words)
  var count = 0
  var sum: UInt64 = 0
  let start = SystemTime.monotonic()
  for instant in rule.entries(from: from, mode: .normal) {
    if instant <= from { continue }
    if instant > until { break }
    count += 1
    sum &+= seconds(instant)
  }
  report(count, sum, since: start)
}

/// Asks for each of the rule's entries by the one before.
func enumerateByNext(_ words: [String]) {
  let (rule, from, until) = oneRule(words)
  var count = 0
  var sum: UInt64 = 0
  let start = SystemTime.monotonic()
  var instant = from
  while let next = rule.next(after: instant), next <= until {
    count += 1
    sum &+= seconds(next)
    instant = next
  }
  report(count, sum, since: start)
}

/// The rule and the time that the words ask for.
private func oneRule(_ words: [String]) -> (rule: CronSchedule, from: WallInstant, until: WallInstant) {
  guard words.count == 4, let first = Int64(words[2]), let last = Int64(words[3]) else {
    refuse("expected RULE ZONE FIRST LAST, the last two in seconds since the epoch")
  }
  let rule = cronSchedule(words[0], in: zone(named: words[1]))
  return (rule, WallInstant(secondsSinceEpoch: first), WallInstant(secondsSinceEpoch: last))
}

/// The schedule of a cron rule.
func cronSchedule(_ text: String, in zone: Zone) -> CronSchedule {
  do {
    return CronSchedule(expression: try CronExpression(parsing: text), zone: zone)
  } catch {
    refuse("\(text): \(error)")
  }
}

/// A zone of this machine.
func zone(named name: String) -> Zone {
  guard let bytes = try? ZoneDirectory().zone(named: name), let zone = try? Zone(name: name, tzif: bytes)
  else { refuse("there is no zone \(name)") }
  return zone
}
