import TimelineCluster
import TimelineCore
import TimelineEngine
import TimelineStoreWire

/// A machine: its clock, the contents of its disk, and its daemon.
struct WorldNode {
  /// Work in the inbox of a daemon.
  enum Work {
    case engine(EngineEvent)
    case cluster(ClusterEvent)
    case effect(EngineEffect, mayFreeze: Bool)

    /// Whether the work comes before a later handover, as in the daemon: effects of the present event, and jobs that are taken
    /// over.
    var comesBeforeHandOver: Bool {
      switch self {
      case .effect, .engine(.takeOver): true
      case .engine, .cluster: false
      }
    }
  }

  /// One life of a daemon.
  struct Life {
    let number: Int
    var engine: EngineState
    var cluster: ClusterNode
    var engineArmed: WallInstant?
    var clusterArmed: BootInstant?
    var inbox: [Work] = []
    /// Attempts whose plugin runs, with the start in the evidence, and those that wait for a plugin host. The resource has
    /// refused some of the former.
    var running: [RunID: (start: Int, attempt: Attempt, isRefused: Bool)] = [:]
    var waiting: [RunID: JobName] = [:]
    var isStopping = false
    var isLeaving = false
    /// The call in flight.
    var call: UInt64?
    /// Outcomes of the disk that were sent, and the number of their call.
    var sentRecords: (number: UInt64, keys: [EntryKey])?
    /// Runs that the previous life left open, and entries that it was about to run without a claim.
    var openAtStart: [EntryKey: OpenRun]
    var unclaimedAtStart: Set<EntryKey>
    /// Entries without an outcome that the previous life had requested.
    var askedAtStart: Set<EntryKey>
    var calls: [UInt64: StoreCall] = [:]
  }

  /// State of the disk.
  struct Disk {
    /// State of the previous life. No daemon reads the epoch here, unless that fault is planted.
    var formerLife = FormerLife()
    var lastRun = RunID(number: 0)
    var open: [EntryKey: OpenRun] = [:]
    var outcomes: Set<EntryKey> = []
    /// First and last nominal instants of the entries of one outcome.
    var spans: [JobName: [ClosedRange<WallInstant>]] = [:]
    var watermarks: [JobName: WallInstant] = [:]
    var uploads: [StoredRecord] = []
    /// Outcomes that must not be sent before this node owns their jobs.
    var withheld: [StoredRecord] = []
    /// Recent outcomes, and when they were settled.
    var recent: [(at: Int64, record: StoredRecord)] = []
    /// Entries without an outcome that were granted while the store did not answer.
    var unclaimed: Set<EntryKey> = []
    /// Entries that were requested and have no outcome.
    var asked: Set<EntryKey> = []
    /// Token of each entry that was started.
    var tokens: [EntryKey: Int64] = [:]

    /// Spans in which entries of a job after an instant have outcomes.
    func decided(of job: JobName, after start: WallInstant) -> [ClosedRange<WallInstant>] {
      let own = outcomes.filter { $0.job == job }.map(\.nominal)
      return own.filter { $0 > start }.map { $0...$0 } + (spans[job] ?? []).filter { $0.upperBound > start }
    }

    func hasOutcome(of entry: EntryKey) -> Bool {
      outcomes.contains(entry)
        || spans[entry.job]?.contains { $0.contains(entry.nominal) } ?? false
    }
  }

  let name: String
  var disk = Disk()
  /// Whether a service manager keeps the state of a daemon for the next one, and that state.
  let hasManager: Bool
  var keptLife = FormerLife()
  var life: Life?
  var livesCount = 0
  /// The wall clock minus the world's time.
  var wallOffset: Int64
  /// The machine's uptime minus the world's time.
  let bootOffset: Int64
  var frozenUntil: Int64 = .min
  var partitionedUntil: Int64 = .min
  /// Whether requests arrive during a partition, so that only replies are lost.
  var isHalfPartitioned = false
  var digest = "1"
  private(set) var isCopy = false

  init(name: String, wallOffset: Int64, bootOffset: Int64, hasManager: Bool = true) {
    (self.name, self.wallOffset, self.bootOffset) = (name, wallOffset, bootOffset)
    self.hasManager = hasManager
  }

  /// Another machine with a copy of this machine's disk, for a second daemon.
  var copy: WorldNode {
    var copy = WorldNode(name: name, wallOffset: wallOffset, bootOffset: bootOffset, hasManager: hasManager)
    (copy.disk, copy.digest, copy.isCopy) = (disk, digest, true)
    return copy
  }

  func wall(_ now: Int64) -> WallInstant { WallInstant(nanosecondsSinceEpoch: now + wallOffset) }

  func time(_ now: Int64) -> NodeTime {
    NodeTime(boot: BootInstant(nanosecondsSinceBoot: now + bootOffset), wall: wall(now))
  }

  /// Instant of the world at which the daemon wakes; `nil` for none.
  var wakeAt: Int64? {
    guard let life else { return nil }
    if !life.inbox.isEmpty { return frozenUntil }
    let engine = life.engineArmed.map { $0.nanosecondsSinceEpoch - wallOffset }
    let cluster = life.clusterArmed.map { $0.nanosecondsSinceBoot - bootOffset }
    return [engine, cluster].compactMap(\.self).min().map { max($0, frozenUntil) }
  }

  /// Returns a job as the engine takes it over, with the state on the disk that the store lacks.
  mutating func taken(_ owned: OwnedJob, at now: WallInstant, _ fault: ClusterWorld.Fault?) -> TakenJob {
    let reopened = fault == .withheldStayDecided ? nil : reopenWithheld(of: owned)
    let doubtful = Dictionary(owned.doubtful.map { ($0.nominal, $0) }, uniquingKeysWith: { $1 })
    var open: [OpenRun] = []
    for claim in owned.inheritedClaims {
      let key = EntryKey(job: owned.name, nominal: claim.nominal)
      if disk.hasOutcome(of: key) { continue }
      var run = OpenRun(
        run: RunID(number: 0), entry: key, cause: .schedule, attempts: 0, startedAt: claim.nominal)
      if let entry = doubtful[claim.nominal] {
        (run.attempts, run.node) = (1, entry.node)
      } else if let left = life?.openAtStart.removeValue(forKey: key) {
        run = left
      }
      run.token = claim.token
      open.append(run)
    }
    let settled = owned.held.map(\.nominal).filter { nominal in
      nominal <= now && disk.hasOutcome(of: EntryKey(job: owned.name, nominal: nominal))
    }
    var watermark =
      [owned.watermark, disk.watermarks[owned.name]].compactMap(\.self).max()
      ?? settled.min().map { $0 - .nanoseconds(1) }
    let claimed = Set(owned.inheritedClaims.map(\.nominal))
    let isUndecided = { [disk] (entry: EntryKey) in
      entry.job == owned.name && !claimed.contains(entry.nominal) && !disk.hasOutcome(of: entry)
        && owned.watermark.map { entry.nominal > $0 } ?? true
        && (fault == .outcomesDoNotCount || !owned.hasOutcome(at: entry.nominal))
    }
    let unclaimed = (life?.unclaimedAtStart ?? []).filter(isUndecided)
    let begun = unclaimed.compactMap { life?.openAtStart.removeValue(forKey: $0) }.filter { $0.attempts > 0 }
      .sorted { $0.run < $1.run }
    for run in begun { life?.cluster.runsUnclaimed(run.entry) }
    let waiting = unclaimed.union((life?.askedAtStart ?? []).filter(isUndecided))
      .subtracting(begun.map(\.entry)).map(\.nominal).filter { $0 <= now }
    var decided = owned.decided
    let since = (waiting + [owned.undecidedSince, reopened].compactMap(\.self)).min()
    if let first = since, let reached = watermark, first <= reached {
      watermark = first - .nanoseconds(1)
      decided += disk.decided(of: owned.name, after: first)
    }
    // Other owners have decided the entries that this node had requested.
    if let reached = owned.watermark {
      disk.asked = disk.asked.filter {
        $0.job != owned.name || $0.nominal > reached || claimed.contains($0.nominal)
      }
    }
    return TakenJob(
      name: owned.name, watermark: watermark, decided: decided, pausedSince: owned.pausedSince,
      isFailing: owned.isFailing,
      open: open + begun)
  }

  /// Drops the withheld outcomes of entries that no other owner has decided. Returns the first entry.
  private mutating func reopenWithheld(of owned: OwnedJob) -> WallInstant? {
    let undecided = disk.withheld.map(\.key).filter { key in
      key.job == owned.name && owned.isUndecided(key.nominal)
    }
    disk.withheld.removeAll { undecided.contains($0.key) }
    disk.outcomes.subtract(undecided)
    return undecided.map(\.nominal).min()
  }

  /// The oldest outcomes that the store does not have; those with the token 0 do not advance the watermark.
  var recordCall: RecordCall? {
    let windows = (life?.cluster.windowRecords ?? []).prefix(StoreWireLimits.entriesMax / 2)
    if disk.uploads.isEmpty, windows.isEmpty { return nil }
    let records = (disk.uploads.prefix(StoreWireLimits.entriesMax - windows.count) + windows).sorted {
      $0.key < $1.key
    }
    let byJob = Dictionary(grouping: records.filter { $0.token != 0 }, by: \.key.job)
    let bounds = life?.cluster.firstUnclaimed(of: byJob.keys) ?? [:]
    let progress = byJob.sorted { $0.key < $1.key }.map { job, records in
      let latest = records.map(\.key.nanoseconds).max() ?? .min
      let bound = [bounds[job], firstLeftOpen(job)].compactMap(\.self).min()?.nanosecondsSinceEpoch
      return RecordCall.Progress(job: job.text, watermark: min(latest, bound.map { $0 - 1 } ?? latest))
    }
    let sent = records.map { record in
      var record = record
      if record.token == 0 { record.token = nil }
      return record
    }
    return RecordCall(records: sent, progress: progress)
  }

  /// The first entry of a job that the previous life left open or had requested, if this life has not had the job yet.
  private func firstLeftOpen(_ job: JobName) -> WallInstant? {
    guard let life, !life.cluster.running.contains(job) else { return nil }
    return life.askedAtStart.union(life.openAtStart.keys)
      .filter { $0.job == job && !disk.hasOutcome(of: $0) }.map(\.nominal).min()
  }
}
