import TimelineCore
import TimelineEngine
import TimelineRehearsal
import TimelineSystem

// `dry-run COUNT FIRST LAST [summary|rows|json]`: many cron rules in the zone Europe/Berlin through the engine with policies
// applied, as `timelinectl dry-run` has them, without its process: no configuration is read and nothing is written. FIRST and
// LAST are seconds since the epoch, the first left out. `rows` makes them and `json` makes their text, which is dropped. The
// count is of rows, or of entries where there are none, the sum of the rows' instants.

/// Rehearses many rules.
func rehearseRules(_ words: [String]) {
  let form = words.count > 3 ? words[3] : "summary"
  guard (3...4).contains(words.count), let count = Int(words[0]), let first = Int64(words[1]),
    let last = Int64(words[2]), ["summary", "rows", "json"].contains(form)
  else { refuse("expected COUNT FIRST LAST [summary|rows|json], FIRST and LAST in seconds since the epoch") }
  let zone = zone(named: "Europe/Berlin")
  let jobs = (0..<count).map { number in
    guard let name = JobName("j\(number)") else { refuse("a job cannot be made") }
    return JobDefinition(name: name, schedule: .cron(cronSchedule(cronRule(number), in: zone)))
  }
  var (found, sum) = (0, UInt64(0))
  let start = SystemTime.monotonic()
  var dryRun = DryRun(
    jobs: jobs, from: WallInstant(secondsSinceEpoch: first + 1),
    until: WallInstant(secondsSinceEpoch: last + 1), keepsRows: form != "summary")
  var writer = DryRunWriter(jobs: jobs.map(\.name), as: .json)
  var isOver = false
  while !isOver {
    isOver = !dryRun.stepThroughBatch { row in
      found += 1
      sum &+= seconds(row.entry)
      if form == "json" { writer.write(row) }
    }
    writer.flush { _ in }
  }
  report(form == "summary" ? dryRun.summary.entries : found, sum, since: start)
}
