import TimelineCore
import TimelineEngine
import TimelineLedger
import TimelineSystem

// The cost of the ledger: `ledger ENTRIES [BATCH [PATH]]` files entries with their runs, `ledger-memory PATH` measures the resident
// memory of an open ledger.

/// Files entries as the daemon does, those of `BATCH` jobs (default 100) at a time: claims and a wait for the disk,
/// starts, and ends that leave a cursor. Each of these is a commit. Without a path the file is removed afterwards.
func fileEntries(_ words: [String]) {
  let batch = words.count > 1 ? Int(words[1]) : 100
  guard (1...3).contains(words.count), let count = Int(words[0]), let batch, count > 0, batch > 0 else {
    refuse("expected ENTRIES [BATCH [PATH]], the first two positive")
  }
  let directory = "/tmp/timeline-bench-\(CurrentProcess.pid)"
  do {
    if words.count == 3 { return try report(count, batch, in: words[2]) }
    try CurrentProcess.makeDirectory(directory, mode: 0o700)
    try report(count, batch, in: directory + "/ledger.sqlite")
    try PrivateDirectory.remove(at: directory)
  } catch {
    refuse("\(error)")
  }
}

private func report(_ count: Int, _ batch: Int, in path: String) throws {
  let ledger = try Ledger(path: path, boot: "bench")
  var filing = try Filing(ledger, jobCount: batch)
  let start = SystemTime.monotonic()
  let startOnProcessor = processorNanoseconds()
  while filing.count < count { try filing.fileNext(min(batch, count - filing.count)) }
  let onProcessor = processorNanoseconds() - startOnProcessor
  let nanoseconds = (SystemTime.monotonic() - start).nanoseconds
  for job in filing.jobs.prefix(count) {
    let newest = try ledger.history(HistoryQuery(job: job, limit: 1)).first?.record
    precondition(newest?.outcome == .succeeded && newest?.run != nil, "it is what was filed")
  }
  try ledger.close()
  CurrentProcess.print(
    "{\"count\":\(filing.count),\"sum\":\(filing.sum),\"nanoseconds\":\(nanoseconds),\"cpuNanoseconds\":\(onProcessor)}\n"
  )
}

/// A daemon's use of its ledger, without the daemon: every job has an entry each ten seconds.
private struct Filing {
  let ledger: Ledger
  let jobs: [JobName]
  private(set) var count = 0
  private(set) var sum: UInt64 = 0
  private var now: WallInstant

  init(_ ledger: Ledger, jobCount: Int) throws {
    self.ledger = ledger
    jobs = (0..<jobCount).compactMap { JobName("job-\($0)") }
    now = WallInstant(secondsSinceEpoch: 1_800_000_000)
    try ledger.adopt(
      jobs: jobs.map { LedgerJob(name: $0, schedule: "every 10s from 1970-01-01T00:00:00Z") }, at: now)
    count = Int(try ledger.recall(at: now).lastRun.number)
    now = now + .seconds(10) * Int64(count / jobCount + 1)
    count = 0
  }

  mutating func fileNext(_ batch: Int) throws {
    let nominal = now + .seconds(10)
    let keys = jobs.prefix(batch).map { EntryKey(job: $0, nominal: nominal) }
    let answers = try ledger.claim(keys, at: now)
    precondition(answers.allSatisfy { $0.verdict == .granted }, "nobody else claims")
    try ledger.commit()
    try ledger.syncClaims(at: nominal - .milliseconds(500))
    let runs = keys.indices.map { RunID(number: UInt64(count + $0 + 1)) }
    let startedAt = nominal + .microseconds(90)
    for (key, run) in zip(keys, runs) {
      ledger.start(Attempt(run: run, entry: key, cause: .schedule, startedAt: startedAt))
    }
    try ledger.commit()
    let endedAt = startedAt + .milliseconds(2)
    for (key, run) in zip(keys, runs) {
      ledger.end(run, AttemptResult(status: .succeeded), at: endedAt)
      ledger.settle(
        EntryRecord(
          entry: key, outcome: .succeeded, run: run, startedAt: startedAt, endedAt: endedAt, attempts: 1),
        cursor: Array(String(run.number).utf8))
      sum &+= seconds(nominal)
    }
    try ledger.commit()
    try ledger.shortenLog(isQuiet: false)
    count += batch
    now = nominal
  }
}

/// Measures the bytes of resident memory that the ledger at `PATH` adds when it is opened and recalled, and then when a
/// hundred jobs have ten entries each. The ledger is changed: do not use one that is still needed.
func weighLedger(_ words: [String]) {
  guard words.count == 1 else { refuse("expected PATH") }
  do {
    let bare = residentBytes()
    let ledger = try Ledger(path: words[0], boot: "bench")
    let open = residentBytes()
    var filing = try Filing(ledger, jobCount: 100)
    let recalled = residentBytes()
    for _ in 0..<10 { try filing.fileNext(100) }
    let used = residentBytes()
    CurrentProcess.print(
      "{\"bareBytes\":\(bare),\"openedBytes\":\(open - bare),\"recalledBytes\":\(recalled - bare),\"usedBytes\":\(used - bare)}\n"
    )
  } catch {
    refuse("\(error)")
  }
}

/// Processor time of the thread, which is the process's only one.
private func processorNanoseconds() -> Int { firstNumbers(of: "/proc/self/schedstat").first ?? 0 }

private func residentBytes() -> Int {
  let numbers = firstNumbers(of: "/proc/self/statm")
  return numbers.count > 1 ? numbers[1] * 4_096 : 0
}

private func firstNumbers(of path: String) -> [Int] {
  guard let file = try? FileContents.read(path, limit: 4_096) else { return [] }
  return String(decoding: file.bytes, as: UTF8.self).split(whereSeparator: \.isWhitespace).compactMap {
    Int($0)
  }
}
