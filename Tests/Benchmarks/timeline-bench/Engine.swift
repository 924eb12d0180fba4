import TimelineCore
import TimelineEngine
import TimelineSystem

// The engine without a daemon or a world around it.
//
// `engine JOBS ENTRIES [spread|together] [SECONDS]`: JOBS jobs that are due each minute, spread over it or all at once, whose
// attempts end after SECONDS (0 by default: before anything else happens), until ENTRIES are settled. The
// count is of records, the sum of the seconds of their nominal instants.
//
// `rest JOBS`: what the engine adds to JOBS definitions, in bytes of resident memory a job, and how long it takes to be made
// and woken when nothing is due. With fewer than 100,000 jobs pages and what the allocator kept blur it.

/// Lets an engine run through entries that succeed.
func turnEngine(_ words: [String]) {
  guard (2...4).contains(words.count), let jobCount = Int(words[0]), let entryCount = Int(words[1]),
    let isSpread = ["spread": true, "together": false][words.count > 2 ? words[2] : "spread"],
    let length = Int64(words.count > 3 ? words[3] : "0"), jobCount > 0
  else { refuse("expected JOBS ENTRIES [spread|together] [SECONDS]") }
  var engine = EngineState(
    jobs: everyMinute(jobCount, isSpread: isSpread), startedAt: .epoch, claims: .grant)
  var effects: [EngineEffect] = []
  var running: [(run: RunID, endsAt: WallInstant)] = []
  var (oldest, settled) = (0, 0)
  var sum: UInt64 = 0
  var armed: WallInstant? = .epoch
  let success = AttemptResult(status: .succeeded)
  let start = SystemTime.monotonic()
  while let wake = armed, settled < entryCount {
    // Every attempt lasts as long, so they end in the order in which they began.
    if oldest < running.count, running[oldest].endsAt <= wake {
      let ending = running[oldest]
      oldest += 1
      engine.handle(.attemptEnded(ending.run, success), at: ending.endsAt, into: &effects)
    } else {
      engine.handle(.wake, at: wake, into: &effects)
    }
    if oldest == running.count {
      running.removeAll(keepingCapacity: true)
      oldest = 0
    }
    for effect in effects {
      switch effect {
      case .arm(let deadline): armed = deadline
      case .start(let attempt):
        running.append((attempt.run, attempt.startedAt + .seconds(length)))
      case .settle(let record):
        settled += 1
        sum &+= seconds(record.entry.nominal)
      default: break
      }
    }
    effects.removeAll(keepingCapacity: true)
  }
  report(settled, sum, since: start)
}

/// Measures what an engine takes before anything has happened.
func restEngine(_ words: [String]) {
  guard words.count == 1, let jobCount = Int(words[0]), jobCount > 0 else { refuse("expected JOBS") }
  let jobs = everyMinute(jobCount, isSpread: true)
  let before = Int(CurrentProcess.residentBytes ?? 0)
  let start = SystemTime.monotonic()
  var engine = EngineState(jobs: jobs, startedAt: .epoch, claims: .grant)
  let isMade = SystemTime.monotonic()
  let after = Int(CurrentProcess.residentBytes ?? 0)
  _ = engine.handle(.wake, at: .epoch - .nanoseconds(1))
  let isWoken = SystemTime.monotonic()
  let woken = Int(CurrentProcess.residentBytes ?? 0)
  CurrentProcess.print(
    """
    {"jobs":\(jobs.count),"bytesPerJob":\((after - before) / jobCount),\
    "bytesPerJobOnceWoken":\((woken - before) / jobCount),\
    "nanosecondsToMake":\((isMade - start).nanoseconds),"nanosecondsToWake":\((isWoken - isMade).nanoseconds)}

    """)
}

/// Jobs that are due once a minute.
private func everyMinute(_ count: Int, isSpread: Bool) -> [JobDefinition] {
  let minute = ElapsedTime.minutes(1)
  var policies = JobPolicies()
  policies.timeout = .minutes(5)
  return (0..<count).map { number in
    let offset = isSpread ? Int64(number) * minute.nanoseconds / Int64(count) : 0
    guard let name = JobName("job-number-\(number)"),
      let schedule = try? PeriodicSchedule(from: .epoch + .nanoseconds(offset), by: minute)
    else { refuse("a job cannot be made") }
    return JobDefinition(name: name, schedule: .periodic(schedule), policies: policies)
  }
}
