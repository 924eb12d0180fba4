import TimelineCore
import TimelineEngine
import TimelineStoreWire

// Counted jobs, which are claimed by windows and run only inside them.
extension JobOwnership {
  /// Whether a job is claimed by windows.
  func isCounted(_ job: JobName) -> Bool { counted.contains(job) }

  /// The counted jobs that the engine has.
  private var countedRunning: Set<JobName> { counted.intersection(running) }

  /// Returns the key of the claim that an entry, or its run, needs at `now`.
  func claimKey(of entry: EntryKey, at now: WallInstant) -> EntryKey {
    isCounted(entry.job) ? windowKey(entry.job, at: now) : entry
  }

  private func windowKey(_ job: JobName, at now: WallInstant) -> EntryKey {
    EntryKey(job: job, nanoseconds: WindowTable.end(of: now.nanosecondsSinceEpoch))
  }

  /// Whether no run of a counted job may be started at `now`: the node has no window, or the clock was set back to a time
  /// before the node had the job.
  func lacksWindow(_ job: JobName, at now: WallInstant) -> Bool {
    guard isCounted(job) else { return false }
    return !holdsWindow(job, at: now, after: floors[job])
  }

  /// Whether the engine has a counted job without a window at `now`.
  func lacksWindows(at now: WallInstant) -> Bool {
    counted.contains { running.contains($0) && lacksWindow($0, at: now) }
  }

  private func holdsWindow(_ job: JobName, at now: WallInstant, after floor: Int64?) -> Bool {
    let key = windowKey(job, at: now)
    return windows.holds(key) && claims.token(of: key) != nil
      && now.nanosecondsSinceEpoch > floor ?? .min
  }

  /// Counts the outcome of entries of a counted job.
  mutating func settle(_ record: EntryRecord) {
    let job = record.entry.job
    let count = { [definition = jobs[job]] span in definition?.entryCount(in: span) ?? 1 }
    if let key = windows.settle(record, isRunning: running.contains(job), count: count) { claims.start(key) }
  }

  /// Marks the windows of former owners in a call as settled. The store may apply the call even if its reply is lost.
  mutating func settling(_ call: RecordCall) {
    for record in call.records where isCounted(record.key.job) { windows.noteSettled(record.key) }
  }

  /// Records ended windows and requests the next ones. Returns whether a job has no window and must be acquired again.
  mutating func tendWindows(
    _ writer: WindowTable.Writer, _ isBusy: (JobName) -> Bool, _ effects: inout [ClusterEffect]
  ) -> Bool {
    let now = WallInstant(nanosecondsSinceEpoch: writer.now)
    startedAt = startedAt ?? now
    let running = countedRunning
    let unused = windows.close(
      writer, isOver: { !running.contains($0) && awaiting[$0] == nil && !isBusy($0) },
      token: { claims.token(of: $0) })
    for key in unused { claims.giveUp(key) }
    let lost = running.filter { lacksWindow($0, at: now) }
    if !lost.isEmpty { lose(lost.sorted(), &effects) }
    askForWindows(at: writer.now)
    takeOverAwaiting(writer, &effects)
    return !lost.isEmpty
  }

  /// Requests the present window of each counted job and the next two, so that a job still has a window after a failed call.
  private mutating func askForWindows(at now: Int64) {
    for name in countedRunning.union(awaiting.keys) {
      let decided = max(awaiting[name]?.watermark ?? .min, floors[name] ?? .min)
      deniedWindows[name] = deniedWindows[name]?.filter { $0 >= now }
      for place in 0..<Self.windowsAhead {
        let end = WindowTable.end(of: now) + place * WindowTable.length
        let key = EntryKey(job: name, nanoseconds: end)
        if end <= decided || windows.holds(key) || deniedWindows[name]?.contains(end) ?? false { continue }
        claims.ask(for: [key])
      }
    }
  }

  /// Number of windows that are claimed: the present one and the next two.
  private static let windowsAhead: Int64 = 3

  /// Lets the engine run the awaiting jobs that have a window now.
  private mutating func takeOverAwaiting(_ writer: WindowTable.Writer, _ effects: inout [ClusterEffect]) {
    let now = WallInstant(nanosecondsSinceEpoch: writer.now)
    var taken: [OwnedJob] = []
    for (name, former) in awaiting.sorted(by: { $0.key < $1.key })
    where holdsWindow(name, at: now, after: former.watermark) {
      awaiting[name] = nil
      var awaited = former
      let begin = windowKey(name, at: now).nanoseconds - WindowTable.length
      floors[name] = max(former.watermark ?? .min, begin)
      if former.watermark != nil { awaited.decide(from: begin, through: begin) }
      for gap in awaited.gaps { noteMissed(name, after: gap.lowerBound, through: gap.upperBound, writer) }
      running.insert(name)
      taken.append(awaited.job)
    }
    if taken.isEmpty { return }
    // The engine gets all new jobs in one effect.
    if case .takeOver(let others)? = effects.last {
      effects[effects.count - 1] = .takeOver(others + taken)
    } else {
      effects.append(.takeOver(taken))
    }
  }

  private mutating func noteMissed(
    _ job: JobName, after watermark: Int64, through end: Int64, _ writer: WindowTable.Writer
  ) {
    guard let schedule = jobs[job]?.countedSchedule, !schedule.isClosedLoop else { return }
    let start = WallInstant(nanosecondsSinceEpoch: watermark)
    let end = WallInstant(nanosecondsSinceEpoch: end)
    guard let first = schedule.next(after: start), first <= end else { return }
    windows.addMissed(
      job, first: first.nanosecondsSinceEpoch, last: end.nanosecondsSinceEpoch,
      count: schedule.count(after: start, through: end), writer)
  }

  /// Adds an acquired counted job, after the windows of its former owners are settled. The job is run as soon as it has a
  /// window.
  mutating func awaitWindow(_ owned: OwnedJob) {
    var awaited = AwaitedJob(job: owned)
    let name = owned.name
    let recorded = owned.held.map(\.nominal.nanosecondsSinceEpoch).filter {
      windows.isRecorded(EntryKey(job: name, nanoseconds: $0))
    }
    awaited.decide(through: windows.reached(name))
    let settled = windows.takeSettled(name, after: awaited.watermark)
    for end in (owned.doubtful.map(\.nominal.nanosecondsSinceEpoch) + recorded + settled).sorted() {
      awaited.decide(from: end - WindowTable.length, through: end)
    }
    windows.dropUnused(of: name, but: Set(owned.held.map(\.nominal.nanosecondsSinceEpoch)))
    for claim in owned.held {
      let key = EntryKey(job: name, nominal: claim.nominal)
      claims.hold(key, token: claim.token)
      if !recorded.contains(key.nanoseconds) { windows.hold(key) }
    }
    (awaited.job.doubtful, awaited.job.held, awaited.job.decided) = ([], [], [])
    (floors[name], deniedWindows[name]) = (nil, nil)
    awaiting[name] = awaited
  }

  /// Returns a predicate: whether this daemon process has a record of everything that was done by a claim that the node holds.
  ///
  /// For windows the predicate is true if the node has the window, or if the window begins later than any run of an earlier
  /// daemon process. For entries with claims of their own the predicate is always true, because the ledger records them.
  func ownWindow(of job: JobName) -> (OpenClaim) -> Bool {
    guard isCounted(job), let start = startedAt else { return { _ in true } }
    return { [windows] claim in
      let key = EntryKey(job: job, nanoseconds: claim.nominal)
      let begin = WallInstant(nanosecondsSinceEpoch: claim.nominal - WindowTable.length)
      return windows.holds(key) || windows.isRecorded(key) || begin > start + ClusterTiming.clockDifferenceMax
    }
  }

  /// Applies the answers about windows. Returns the other answers, for the engine.
  mutating func takeWindows(_ answers: [ClaimAnswer]) -> [ClaimAnswer] {
    answers.filter { answer in
      let key = answer.entry
      guard isCounted(key.job) else { return true }
      if answer.verdict == .granted {
        windows.hold(key)
      } else {
        deniedWindows[key.job, default: []].insert(key.nanoseconds)
      }
      return false
    }
  }

  /// Instant just after the present window, at which windows are recorded and claimed; `nil` if the node has neither open
  /// windows nor counted jobs.
  func nextWindow(after now: WallInstant) -> WallInstant? {
    guard !windows.isEmpty || !countedRunning.isEmpty || !awaiting.isEmpty else { return nil }
    return WallInstant(nanosecondsSinceEpoch: WindowTable.end(of: now.nanosecondsSinceEpoch) + 1)
  }
}

/// A counted job that the node owns and that has no window yet.
struct AwaitedJob: Sendable, Equatable {
  var job: OwnedJob
  /// Spans, excluding their first instants, in which no node had a window. The entries in these spans are missed.
  private(set) var gaps: [ClosedRange<Int64>] = []

  init(job: OwnedJob) { self.job = job }

  /// Instant up to which all entries are decided; `nil` for a new job.
  var watermark: Int64? { job.watermark?.nanosecondsSinceEpoch }

  /// Marks a span as decided. Spans are passed in ascending order.
  mutating func decide(from begin: Int64? = nil, through end: Int64?) {
    guard let end, watermark.map({ end > $0 }) ?? true else { return }
    if let begin, let watermark, begin > watermark, job.pausedSince == nil { gaps.append(watermark...begin) }
    job.watermark = WallInstant(nanosecondsSinceEpoch: end)
  }
}

extension ClusterJob {
  /// Whether the job is claimed by windows.
  var isCounted: Bool { countedSchedule != nil }

  /// Returns the nominal instant of the first entry of a claim; for a closed loop the earliest possible instant.
  func firstNominal(of claim: Int64) -> Int64 {
    guard let schedule = countedSchedule else { return claim }
    let begin = claim - WindowTable.length
    if schedule.isClosedLoop { return begin + 1 }
    let first = schedule.next(after: WallInstant(nanosecondsSinceEpoch: begin))
    return min(first?.nanosecondsSinceEpoch ?? claim, claim)
  }

  /// Returns the number of entries of a claim.
  func entryCount(of claim: Int64) -> Int {
    isCounted ? max(1, entryCount(in: claim - WindowTable.length + 1...claim)) : 1
  }

  /// Returns the number of a counted job's entries with a nominal instant in a span; 1 for a closed loop, whose entries depend on
  /// its runs.
  func entryCount(in span: ClosedRange<Int64>) -> Int {
    guard let schedule = countedSchedule, !schedule.isClosedLoop else { return 1 }
    return schedule.count(
      after: WallInstant(nanosecondsSinceEpoch: span.lowerBound - 1),
      through: WallInstant(nanosecondsSinceEpoch: span.upperBound))
  }
}
