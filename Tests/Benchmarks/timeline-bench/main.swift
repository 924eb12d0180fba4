import TimelineCore
import TimelineSystem

// What of ours can be measured in a process of its own: `timeline-bench VERB ARGUMENT...`. Prints one JSON object: how many
// instants came out, their sum in seconds since the epoch modulo 2^64, so that equal work can be proved, and the time it took.

/// Prints what came out and how long it took.
func report(_ count: Int, _ sum: UInt64, since start: MonotonicInstant) {
  let nanoseconds = (SystemTime.monotonic() - start).nanoseconds
  CurrentProcess.print("{\"count\":\(count),\"sum\":\(sum),\"nanoseconds\":\(nanoseconds)}\n")
}

/// The seconds of an instant, for the sum.
func seconds(_ instant: WallInstant) -> UInt64 {
  UInt64(bitPattern: instant.nanosecondsSinceEpoch / 1_000_000_000)
}

/// Ends the program with a sentence.
func refuse(_ sentence: String) -> Never {
  CurrentProcess.printError("timeline-bench: \(sentence)\n")
  fatalError()
}

let words = CommandLine.arguments
guard words.count == 6, let first = Int64(words[4]), let last = Int64(words[5]) else {
  refuse("expected cursor|next RULE ZONE FIRST LAST, both in seconds since the epoch")
}
let from = WallInstant(secondsSinceEpoch: first)
let until = WallInstant(secondsSinceEpoch: last)

guard let bytes = try? ZoneDirectory().zone(named: words[3]),
  let zone = try? Zone(name: words[3], tzif: bytes)
else { refuse("there is no zone \(words[3])") }

/// The schedule of a rule.
func schedule(_ text: String) -> CronSchedule {
  do {
    return CronSchedule(expression: try CronExpression(parsing: text), zone: zone)
  } catch {
    refuse("\(text): \(error)")
  }
}

var count = 0
var sum: UInt64 = 0
switch words[1] {
case "cursor":
  let rule = schedule(words[2])
  let start = SystemTime.monotonic()
  for instant in rule.entries(from: from, mode: .normal) {
    if instant <= from { continue }
    if instant > until { break }
    count += 1
    sum &+= seconds(instant)
  }
  report(count, sum, since: start)
case "next":
  let rule = schedule(words[2])
  let start = SystemTime.monotonic()
  var instant = from
  while let next = rule.next(after: instant), next <= until {
    count += 1
    sum &+= seconds(next)
    instant = next
  }
  report(count, sum, since: start)
default:
  refuse("unknown verb \(words[1])")
}
