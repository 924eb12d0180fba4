import TimelineCluster
import TimelineConfiguration
import TimelineCore
import TimelineEngine
import TimelineLedger
import TimelineStoreWire
import TimelineSystem

/// Membership of this node in its cluster: performs the effects of ``ClusterNode`` on the store, the engine and the ledger.
final class ClusterMember {
  typealias Answered = (UInt64, Result<StoreReply, StoreFailure>) -> Void

  private(set) var node: ClusterNode
  /// Reason why the store cannot be used; `nil` while it can.
  private(set) var fault: String?
  /// Questions of operators to the store.
  private(set) lazy var questions = StoreQuestions(
    StoreCaller(cluster: settings.cluster), loop: daemon.loop, adapter: makeAnswering)
  let settings: ClusterSettings
  private let daemon: Surroundings
  private let now: () -> NodeTime
  private lazy var adapter = makeAnswering { [weak self] number, result in self?.take(number, result) }
  private let makeAnswering: (@escaping Answered) -> StoreAdapter
  private lazy var records = ClusterRecords(settings, daemon) { [weak self] in self?.noteRecords() }
  private let formerRuns: FormerRuns
  private var timer: Delay?
  private var inbox = Queue<ClusterEvent>()
  private var isHandling = false
  /// Records that were sent and not acknowledged, with the number of their call.
  private var sentRecords: (number: UInt64, call: RecordCall)?
  private var whenLeft: [() -> Void] = []
  private var isLeaving = false
  private var hasLeft = false

  /// Makes a member for a node that has not joined yet.
  ///
  /// - Parameters:
  ///   - former: Data that the last daemon of this node has stored.
  ///   - open: Runs of the cluster's jobs that this daemon left open.
  ///   - adapter: Makes the store adapter, which calls the given function with each answer.
  init(
    _ settings: ClusterSettings, following former: FormerLife, open: [OpenRun], _ daemon: Surroundings,
    now: @escaping () -> NodeTime, adapter: @escaping (@escaping Answered) -> StoreAdapter
  ) {
    self.settings = settings
    var random = SystemRandomNumberGenerator()
    node = ClusterNode(
      settings, epoch: NodeEpoch(random.next(), random.next()), following: former)
    formerRuns = FormerRuns(open, jobs: daemon.jobs, writer: daemon.writer, now: { now().wall })
    (self.daemon, self.now, makeAnswering) = (daemon, now, adapter)
  }

  /// Handles an event at once, or right after the current event if an effect of the current event posts it.
  private func handle(_ event: ClusterEvent) {
    inbox.append(event)
    guard !isHandling else { return }
    isHandling = true
    while let event = inbox.popFirst() {
      let local = LocalEntries(open: openEntries, hasOutcome: daemon.hasOutcome)
      let effects = node.handle(event, at: now(), isBusy: isBusy, local: local)
      for effect in effects { perform(effect) }
    }
    isHandling = false
  }

  /// Whether the engine still has a job, a run of the job is active, or records are still to be sent.
  private func isBusy(_ job: JobName) -> Bool {
    guard !records.areScheduled else { return true }
    let engine = daemon.events.state
    return engine.has(job) || daemon.runs.attempts(of: job).contains { engine.isInFlight($0.run) }
  }

  /// Returns the nominal instants of a job's entries with an active run, or with a run that an earlier daemon left open.
  private func openEntries(_ job: JobName) -> [WallInstant] {
    formerRuns.begunEntries(of: job) + daemon.activeEntries(of: job)
  }

  private func perform(_ effect: ClusterEffect) {
    switch effect {
    case .arm(let instant): arm(instant)
    case .send(let request): adapter.send(request)
    case .sendRecords(let number): sendRecords(number)
    case .replaceAdapter: adapter.replace()
    case .takeOver(let owned): takeOver(owned)
    case .handOver(let names, let isGivenUp):
      daemon.events.post(.handOver(names, isGivenUp: isGivenUp))
      announceOwners(names.sorted(), "is not run here any more")
    case .answer(let answers): daemon.events.post(.claimsAnswered(answers))
    case .keep(let life):
      if let store = daemon.keptEpoch.replace(life) { daemon.writer.keep(NodeMemory(store: store)) }
    case .tell(let notice): tell(notice)
    case .left: left()
    }
  }

  private func takeOver(_ owned: [OwnedJob]) {
    for job in owned { formerRuns.adoptCursor(of: job) }
    let taken = owned.map { job in
      formerRuns.takenJob(job, since: records.reopenWithheld(of: job)) { node.runsUnclaimed($0) }
    }
    for job in owned { formerRuns.withdrawDecided(of: job) }
    daemon.events.post(.takeOver(taken, among: definitions))
    announceOwners(owned.map(\.name), "runs here now")
  }

  private func announceOwners(_ names: [JobName], _ change: String) {
    for name in names { daemon.announcer.announce(ClusterWords.announcement(of: name, change)) }
  }

  private func tell(_ notice: ClusterNotice) {
    switch notice {
    case .storeFailed(let failure): fault = failure.message
    case .storeSilent: fault = "it does not answer in time"
    case .storeBack: fault = nil
    case .failedOver:
      // The standby may also lack the last outcomes.
      daemon.writer.uploadAgain()
      noteRecords()
    case .goesOnAlone(let jobs): callWithheld(of: Set(jobs))
    default: break
    }
    let (level, text) = words.words(for: notice)
    daemon.announcer.announce(level, "cluster \(settings.cluster): \(text)", kind: .clusterChanged)
  }

  /// Reports to the engine that the plugins of withheld runs were not called, because the lease may have ended. The engine
  /// decides about these runs anew.
  private func callWithheld(of jobs: Set<String>) {
    for run in daemon.runs.withheldRuns(of: jobs) where daemon.runs.takeWithheld(run) {
      var result = AttemptResult(status: .cancelled)
      result.isUncalled = true
      daemon.events.post(.attemptEnded(run, result))
    }
  }

  private func arm(_ instant: BootInstant?) {
    timer?.cancel()
    timer = instant.map { instant in
      daemon.loop.after(max(.zero, instant - now().boot)) { [weak self] in
        self?.timer = nil
        self?.handle(.wake)
      }
    }
  }

  private func sendRecords(_ number: UInt64) {
    guard let call = records.call(of: node, after: formerRuns) else {
      handle(.hasRecords(false))
      return handle(.answered(number, .success(.conflicts(ConflictReply(conflicts: [])))))
    }
    sentRecords = (number, call)
    adapter.send(StoreRequest(id: number, node.caller, .record(call)))
  }

  private func take(_ number: UInt64, _ result: Result<StoreReply, StoreFailure>) {
    if let sent = sentRecords, sent.number == number {
      sentRecords = nil
      if case .success = result {
        node.recorded(sent.call.records.map(\.key))
        handle(.hasRecords(records.sent(sent.call)))
      }
    }
    handle(.answered(number, result))
    records.releaseWithheld(of: node)
    formerRuns.endElsewhere(node, of: settings.node)
  }

  private func left() {
    hasLeft = true
    adapter.end()
    arm(nil)
    let waiting = whenLeft
    whenLeft = []
    for tell in waiting { tell() }
  }
}

// Claims, starts and outcomes of the cluster's jobs.
extension ClusterMember {
  /// Whether a job belongs to the cluster, so that this node runs the job only while the node owns it.
  func includes(_ job: JobName) -> Bool { daemon.jobs.isOfCluster(job) }

  /// Requests claims in the store for entries of the cluster's jobs that the ledger has granted. Returns the other answers of
  /// the ledger, which are final.
  func claim(_ answers: [ClaimAnswer]) -> [ClaimAnswer] {
    let isAsked = { (answer: ClaimAnswer) in answer.verdict == .granted && self.includes(answer.entry.job) }
    let asked = answers.filter(isAsked).map(\.entry)
    guard !asked.isEmpty else { return answers }
    handle(.claim(asked))
    return answers.filter { !isAsked($0) }
  }

  /// Whether the plugin of a run may be called. A job of the cluster needs the node's trust window, unless the job is detached.
  func mayStart(_ attempt: Attempt) -> Bool {
    !includes(attempt.entry.job) || node.mayStart(attempt.entry.job, at: now())
  }

  /// Returns an attempt with the present fencing token of its claim. The token may have been exchanged with the token of
  /// another entry since the grant: a later claim, for example for a manual trigger, reassigns the tokens of entries that were
  /// not started.
  func addingToken(to attempt: Attempt) -> Attempt {
    guard includes(attempt.entry.job), let token = node.token(of: attempt.entry, at: now().wall) else {
      return attempt
    }
    var attempt = attempt
    attempt.token = token
    return attempt
  }

  /// Returns the latest time since the boot at which the plugin of a run may be called; `nil` for no limit.
  func startBy(_ attempt: Attempt) -> ElapsedTime? {
    guard includes(attempt.entry.job), !node.isDetached(attempt.entry.job) else { return nil }
    return .nanoseconds(node.trustEnd?.nanosecondsSinceBoot ?? 0)
  }

  /// Records in the cluster that an entry is being run.
  func noteStart(_ attempt: Attempt) {
    let job = attempt.entry.job
    // A run of a counted job outside of its schedule belongs to no claim window; the run has a record of its own.
    guard includes(job), attempt.cause.isOfSchedule || !daemon.jobs.isSummarized(job) else { return }
    handle(.started(attempt.entry))
  }

  /// Queues the outcome of an entry for the store, if the entry belongs to the cluster.
  func noteOutcome(_ record: EntryRecord, token: Int64?) {
    let job = record.entry.job
    guard token != nil || includes(job) else { return }
    if record.cause.isOfSchedule, daemon.jobs.isSummarized(job) {
      node.counted(record)
      // If this node has lost the job, nothing else sends the record.
      if !node.running.contains(job) { records.schedule() }
      return
    }
    let isUnclaimed = node.isUnclaimed(record.entry)
    let token = isUnclaimed ? StoreMark.unclaimed : node.token(of: record.entry, at: now().wall) ?? token
    records.queue(record, token: token, of: node)
    node.ended(record.entry)
  }

  /// Queues changed incidents for the store.
  func note(_ notes: [IncidentNote]) { records.note(notes, of: node, daemon.events.state) }
}

// Calls to the node, and shutdown.
extension ClusterMember {
  /// The configured jobs that the engine has: the cluster's jobs are included if this node owns them.
  var definitions: [JobDefinition] { daemon.jobs.definitions(owning: node.running) }

  var words: ClusterWords { ClusterWords(settings: settings, jobs: daemon.jobs) }

  /// Time for which runs may still be started; `nil` if none may be started.
  var trust: ElapsedTime? {
    node.trustEnd.map { $0 - now().boot }.flatMap { $0 > .zero ? $0 : nil }
  }

  /// Handles the passing of time, or a clock step.
  func wake() { handle(.wake) }

  /// Gives up jobs if the lease or a claim window may have ended, before the engine does anything else with these jobs.
  func wakeIfLate() {
    if node.isLate(at: now()) { handle(.wake) }
  }

  /// Adopts the configured jobs. `isLeaving` gives up all of them for good, because the daemon is about to end: a reload that
  /// began before does not give them back.
  func configure(isLeaving: Bool = false) {
    self.isLeaving = self.isLeaving || isLeaving
    handle(.configured(self.isLeaving ? [] : daemon.jobs.clusterJobs))
  }

  /// Withdraws claims to entries that are no longer scheduled.
  func withdraw(_ entries: [EntryKey]) { handle(.withdraw(entries.filter { includes($0.job) })) }

  /// Handles the pause of a job, or its resumption if `since` is `nil`. Jobs outside of the cluster are ignored.
  func note(pauseOf job: JobName, since: WallInstant?) { handle(.paused(job, since: since)) }

  /// Activates this node's definitions of jobs.
  func activate(_ jobs: [JobName]) { handle(.activate(jobs)) }

  /// Notes that there are records that the store may not have.
  func noteRecords() { handle(.hasRecords(true)) }

  /// Number of descriptors that are kept for the next daemon.
  var keptDescriptorCount: Int { daemon.keptEpoch.descriptorCount }

  /// Leaves the cluster. Calls `completion` when the node has left, or could not leave.
  func leave(_ completion: @escaping () -> Void) {
    if hasLeft { return completion() }
    whenLeft.append(completion)
    handle(.leave)
  }

  /// Ends the store adapter. The lease is left to expire.
  func end() {
    timer?.cancel()
    adapter.end()
    questions.end()
  }
}
