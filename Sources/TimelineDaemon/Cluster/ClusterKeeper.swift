import TimelineCluster
import TimelineCore
import TimelineEngine
import TimelineStoreWire
import TimelineSystem

/// Keeps this node's part in its cluster: performs what ``ClusterNode`` decides, and has the daemon do the rest.
final class ClusterKeeper {
  /// The daemon, as a node needs it.
  protocol Shell: AnyObject {
    /// Has the engine run jobs of which this node has become the owner.
    func takeOver(_ jobs: [OwnedJob])
    /// Has the engine start nothing of jobs any more, because the node gives them up or has lost them.
    func handOver(_ jobs: Set<JobName>, isGivenUp: Bool)
    /// Whether the engine has not let go of a job, a run of it is active, or its record is still to be sent.
    func isBusy(_ job: String) -> Bool
    /// Nominal instants of a job's entries with an active run, or with a run that an earlier daemon left open.
    func openEntries(_ job: String) -> [WallInstant]
    /// Gives the store's answers to the engine.
    func answer(_ answers: [ClaimAnswer])
    /// The oldest records that the store does not have, as a call; `nil` for none.
    func records() -> RecordCall?
    /// Forgets that records are to be sent, and returns whether there are more.
    func sent(_ call: RecordCall) -> Bool
    /// Keeps what the next life of the daemon is to know.
    func keep(_ life: FormerLife)
    /// Tells people.
    func tell(_ notice: ClusterNotice)
    /// Looks at the owners of jobs, which may have changed.
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

  /// Makes a keeper of a node that has not joined.
  ///
  /// - Parameters:
  ///   - former: Memory of the last life of this daemon.
  ///   - adapter: Makes the store adapter, which tells the given function of answers.
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

  /// Takes in an event, now or, from within the effects of another one, right after it.
  func handle(_ event: ClusterEvent) {
    inbox.append(event)
    guard !isHandling else { return }
    isHandling = true
    while let event = inbox.popFirst() {
      let effects = node.handle(event, at: now(), isBusy: shell.isBusy, openEntries: shell.openEntries)
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

// Questions, and the end.
extension ClusterKeeper {
  /// Name of the cluster.
  var name: String { settings.cluster }
  /// Name of this node.
  var nodeName: String { settings.node }
  /// Identity of this node at present.
  var epoch: String { node.epoch }
  /// Whether this node is a member.
  var isMember: Bool { node.isMember }
  /// Another daemon that has the node's name, so that this one waits.
  var nameHolder: NameHolder? { node.nameHolder }
  /// The node's clock minus the store's.
  var clockDifference: ElapsedTime? { node.clockDifference }
  /// All nodes of the last view.
  var nodes: [NodeMessage] { node.nodes }
  /// The jobs that the engine has.
  var running: Set<JobName> { node.running }

  /// The node that owns a job, by the last view.
  func owner(of job: JobName) -> String? { node.owner(of: job) }

  /// Term of a job's present owner, or of its last one.
  func term(of job: JobName) -> Int64 { node.term(of: job) }

  /// All jobs of the last view.
  var jobMessages: [JobMessage] { node.jobs }
  /// Jobs that no node can run, with the node that had each last.
  var orphans: [(job: String, node: String)] { node.orphans }
  /// Numbers of what happened since the start, by name.
  var counters: [String: Int] { node.counters.all }

  /// The name of the node with an epoch, by the last view.
  func nodeName(of epoch: String) -> String? { node.name(ofNode: epoch) }

  /// Time for which runs may still be started; `nil` for not at all.
  var trust: ElapsedTime? {
    guard let end = node.trustEnd else { return nil }
    let left = end - now().boot
    return left > .zero ? left : nil
  }

  /// Token of a claim that this node holds.
  func token(of entry: EntryKey) -> Int64? { node.token(of: entry, at: now().wall) }

  /// Records of windows of counted jobs that the store may not have.
  var windowRecords: [StoredRecord] { node.windowRecords }

  /// Takes in the outcome of entries of a counted job.
  func counted(_ record: EntryRecord) { node.counted(record) }

  /// Instant until which runs may be started; `nil` for not at all.
  var trustEnd: BootInstant? { node.trustEnd }

  /// Whether a run of a job may be started now.
  func mayStart(_ job: JobName) -> Bool { node.mayStart(job, at: now()) }

  /// Whether this node goes on with a job by itself, because the store does not answer.
  func isDetached(_ job: JobName) -> Bool { node.isDetached(job) }

  /// Whether the outcome of an entry says nothing about earlier ones to the store.
  func isUnclaimed(_ entry: EntryKey) -> Bool { node.isUnclaimed(entry) }

  /// Returns the first entry of each job that has neither a claim nor an outcome.
  func firstUnclaimed(of jobs: some Sequence<JobName>) -> [JobName: WallInstant] {
    node.firstUnclaimed(of: jobs)
  }

  /// Takes in that an entry has its outcome.
  func ended(_ entry: EntryKey) { node.ended(entry) }

  /// Takes in that the engine runs an entry again that the last life of the daemon began without a claim.
  func runsUnclaimed(_ entry: EntryKey) { node.runsUnclaimed(entry) }

  /// Takes in that time has passed, or that the clock was set.
  func wake() { handle(.wake) }

  /// Gives jobs up if the lease or a window may have ended, before the engine does anything else with them.
  func wakeIfLate() {
    if node.isLate(at: now()) { handle(.wake) }
  }

  /// Takes in the jobs of a configuration that one node is to run; none when the daemon is about to end.
  func configure(_ jobs: [ClusterJob]) { handle(.configured(jobs)) }

  /// Gives claims up of entries that left the timeline.
  func withdraw(_ entries: [EntryKey]) { handle(.withdraw(entries)) }

  /// Takes in that a job is paused, or goes on. Jobs of this node alone are of no interest.
  func note(pauseOf job: JobName, since: WallInstant?) { handle(.paused(job, since: since)) }

  /// Has jobs run as this node defines them.
  func activate(_ jobs: [JobName]) { handle(.activate(jobs)) }

  /// Takes in that there are records that the store may not have.
  func noteRecords() { handle(.hasRecords(true)) }

  /// Leaves the cluster, and tells when that is done or has failed.
  func leave(_ completion: @escaping () -> Void) {
    if hasLeft { return completion() }
    whenLeft.append(completion)
    handle(.leave)
  }

  /// Ends the store adapter, with the lease left to run out.
  func end() {
    timer?.cancel()
    adapter.end()
    questions.end()
  }
}
