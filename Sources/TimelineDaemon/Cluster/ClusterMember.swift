import TimelineCluster
import TimelineCore
import TimelineEngine
import TimelineStoreWire
import TimelineSystem

/// Membership of this node in its cluster: performs the effects of ``ClusterNode``, some of them through the daemon.
final class ClusterMember {
  /// The part of the daemon that a node needs.
  protocol Shell: AnyObject {
    /// Adds jobs to the engine, because this node now owns them.
    func takeOver(_ jobs: [OwnedJob])
    /// Stops further starts of jobs in the engine, because the node gives the jobs up (`isGivenUp`) or has lost them.
    func handOver(_ jobs: Set<JobName>, isGivenUp: Bool)
    /// Whether the engine still has a job, a run of the job is active, or records are still to be sent.
    func isBusy(_ job: String) -> Bool
    /// Returns the nominal instants of a job's entries with an active run, or with a run that an earlier daemon left open.
    func openEntries(_ job: String) -> [WallInstant]
    /// Whether an entry has an outcome in the ledger.
    func hasOutcome(_ key: StoredKey) -> Bool
    /// Passes the store's answers to the engine.
    func answer(_ answers: [ClaimAnswer])
    /// Returns a call with the oldest records that the store does not have; `nil` if there are none.
    func records() -> RecordCall?
    /// Marks the records of a call as sent. Returns whether there are more records to send.
    func sent(_ call: RecordCall) -> Bool
    /// Stores data for the next daemon of this node.
    func keep(_ life: FormerLife)
    /// Logs a notice.
    func tell(_ notice: ClusterNotice)
    /// Checks the owners of jobs, because they may have changed.
    func lookAtOwners()
  }

  private let settings: ClusterSettings
  private var node: ClusterNode
  private let loop: EventLoop
  private unowned let shell: any Shell
  private let now: () -> NodeTime
  private lazy var adapter = makeAdapter()
  private let makeAnswering: (@escaping (UInt64, Result<StoreReply, StoreFailure>) -> Void) -> StoreAdapter
  private var timer: Delay?
  private var inbox = Queue<ClusterEvent>()
  private var isHandling = false
  /// Records that were sent and not acknowledged, with the number of their call.
  private var sentRecords: (number: UInt64, call: RecordCall)?
  private var whenLeft: [() -> Void] = []
  /// Reason why the store cannot be used; `nil` while it can.
  private(set) var fault: String?
  /// Questions of operators to the store.
  private(set) lazy var questions = StoreQuestions(loop: loop, adapter: makeAnswering)
  private var hasLeft = false

  /// Makes a member for a node that has not joined yet.
  ///
  /// - Parameters:
  ///   - former: Data that the last daemon of this node has stored.
  ///   - adapter: Makes the store adapter, which calls the given function with each answer.
  init(
    _ settings: ClusterSettings, following former: FormerLife, shell: any Shell, loop: EventLoop,
    now: @escaping () -> NodeTime,
    adapter: @escaping (@escaping (UInt64, Result<StoreReply, StoreFailure>) -> Void) -> StoreAdapter
  ) {
    self.settings = settings
    var random = SystemRandomNumberGenerator()
    node = ClusterNode(
      settings, epoch: NodeEpoch(random.next(), random.next()), following: former)
    (self.shell, self.loop, self.now, makeAnswering) = (shell, loop, now, adapter)
  }

  private func makeAdapter() -> StoreAdapter {
    makeAnswering { [weak self] number, result in self?.take(number, result) }
  }

  /// Handles an event at once, or right after the current event if an effect of the current event posts it.
  func handle(_ event: ClusterEvent) {
    inbox.append(event)
    guard !isHandling else { return }
    isHandling = true
    while let event = inbox.popFirst() {
      let local = LocalEntries(open: shell.openEntries, hasOutcome: shell.hasOutcome)
      let effects = node.handle(event, at: now(), isBusy: shell.isBusy, local: local)
      for effect in effects { perform(effect) }
    }
    isHandling = false
  }

  private func perform(_ effect: ClusterEffect) {
    switch effect {
    case .arm(let instant): arm(instant)
    case .send(let number, let call): adapter.send(number, call)
    case .sendRecords(let number): sendRecords(number)
    case .replaceAdapter: adapter.replace()
    case .takeOver(let jobs): shell.takeOver(jobs)
    case .handOver(let jobs, let isGivenUp): shell.handOver(jobs, isGivenUp: isGivenUp)
    case .answer(let answers): shell.answer(answers)
    case .keep(let life): shell.keep(life)
    case .tell(let notice):
      note(notice)
      shell.tell(notice)
    case .left: left()
    }
  }

  private func note(_ notice: ClusterNotice) {
    switch notice {
    case .storeFailed(let failure): fault = failure.message
    case .storeSilent: fault = "it does not answer in time"
    case .storeBack: fault = nil
    default: break
    }
  }

  private func arm(_ instant: BootInstant?) {
    timer?.cancel()
    timer = instant.map { instant in
      loop.after(max(.zero, instant - now().boot)) { [weak self] in
        self?.timer = nil
        self?.handle(.wake)
      }
    }
  }

  private func sendRecords(_ number: UInt64) {
    guard let call = shell.records() else {
      handle(.hasRecords(false))
      return handle(.answered(number, .success(.conflicts(ConflictReply(conflicts: [])))))
    }
    sentRecords = (number, call)
    adapter.send(number, .record(call))
  }

  private func take(_ number: UInt64, _ result: Result<StoreReply, StoreFailure>) {
    if let sent = sentRecords, sent.number == number {
      sentRecords = nil
      if case .success = result {
        node.recorded(sent.call.records.map(\.key))
        handle(.hasRecords(shell.sent(sent.call)))
      }
    }
    handle(.answered(number, result))
    shell.lookAtOwners()
  }

  private func left() {
    hasLeft = true
    adapter.end()
    timer?.cancel()
    timer = nil
    let waiting = whenLeft
    whenLeft = []
    for tell in waiting { tell() }
  }
}

// State of the node, calls to it, and shutdown.
extension ClusterMember {
  /// Name of the cluster.
  var name: String { settings.cluster }
  /// Name of this node.
  var nodeName: String { settings.node }
  /// Identity of this node at present.
  var epoch: String { node.epoch }
  /// Whether this node is a member.
  var isMember: Bool { node.isMember }
  /// Another daemon that has this node's name, so that this daemon waits; `nil` if there is none.
  var nameHolder: NameHolder? { node.nameHolder }
  /// The node's clock minus the store's.
  var clockDifference: ElapsedTime? { node.clockDifference }
  /// All nodes of the last view.
  var nodes: [NodeMessage] { node.nodes }
  /// The jobs that the engine has.
  var running: Set<JobName> { node.running }

  /// The node that owns a job, by the last view.
  func owner(of job: JobName) -> String? { node.owner(of: job) }

  /// Term of a job's present owner, or of its last owner.
  func term(of job: JobName) -> Int64 { node.term(of: job) }

  /// All jobs of the last view.
  var jobMessages: [JobMessage] { node.jobs }
  /// Jobs that no node can run, each with its last node.
  var orphans: [(job: String, node: String)] { node.orphans }
  /// Counters since the start, by name.
  var counters: [String: Int] { node.counters.all }

  /// The name of the node with an epoch, by the last view.
  func nodeName(of epoch: String) -> String? { node.name(ofNode: epoch) }

  /// Time for which runs may still be started; `nil` if none may be started.
  var trust: ElapsedTime? {
    guard let end = node.trustEnd else { return nil }
    let left = end - now().boot
    return left > .zero ? left : nil
  }

  /// Token of a claim that this node holds.
  func token(of entry: EntryKey) -> Int64? { node.token(of: entry, at: now().wall) }

  /// Records of windows of counted jobs that the store may not have.
  var windowRecords: [StoredRecord] { node.windowRecords }

  /// Records the outcome of entries of a counted job.
  func counted(_ record: EntryRecord) { node.counted(record) }

  /// Instant until which runs may be started; `nil` if none may be started.
  var trustEnd: BootInstant? { node.trustEnd }

  /// Whether a run of a job may be started now.
  func mayStart(_ job: JobName) -> Bool { node.mayStart(job, at: now()) }

  /// Whether this node continues to run a job although the store does not answer.
  func isDetached(_ job: JobName) -> Bool { node.isDetached(job) }

  /// Whether the outcome of an entry must not advance the store's watermark: the entry was run, or decided, without a claim while
  /// the store did not answer.
  func isUnclaimed(_ entry: EntryKey) -> Bool { node.isUnclaimed(entry) }

  /// Returns, for each job, the first entry that has neither a claim nor an outcome.
  func firstUnclaimed(of jobs: some Sequence<JobName>) -> [JobName: WallInstant] {
    node.firstUnclaimed(of: jobs)
  }

  /// Records that an entry has its outcome.
  func ended(_ entry: EntryKey) { node.ended(entry) }

  /// Records that the engine again runs an entry that the previous daemon process began without a claim.
  func runsUnclaimed(_ entry: EntryKey) { node.runsUnclaimed(entry) }

  /// Handles the passing of time, or a clock step.
  func wake() { handle(.wake) }

  /// Gives up jobs if the lease or a claim window may have ended, before the engine does anything else with these jobs.
  func wakeIfLate() {
    if node.isLate(at: now()) { handle(.wake) }
  }

  /// Sets the configured jobs that one node of the cluster is to run: no jobs when the daemon is about to end.
  func configure(_ jobs: [ClusterJob]) { handle(.configured(jobs)) }

  /// Withdraws claims to entries that are no longer scheduled.
  func withdraw(_ entries: [EntryKey]) { handle(.withdraw(entries)) }

  /// Handles the pause of a job, or its resumption if `since` is `nil`. Jobs outside of the cluster are ignored.
  func note(pauseOf job: JobName, since: WallInstant?) { handle(.paused(job, since: since)) }

  /// Activates this node's definitions of jobs.
  func activate(_ jobs: [JobName]) { handle(.activate(jobs)) }

  /// Notes that there are records that the store may not have.
  func noteRecords() { handle(.hasRecords(true)) }

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
