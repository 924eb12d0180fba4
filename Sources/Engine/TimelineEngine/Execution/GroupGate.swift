import TimelineCore

/// Limits of groups, and the order of starts when groups do not have room for all.
///
/// A run takes a place in all groups of its job at once, and keeps the places until it ends, also during back-off. Otherwise
/// other runs would overtake it during its back-off, and the instant of its next attempt would be unknown. A run that holds
/// places waits only for time or for a plugin host, never for a group, so there are no deadlocks.
///
/// Waiting entries are served in the order of (time of arrival - priority * ``EngineLimits/ageingStep``): each step of
/// priority is worth this waiting time. Arrivals only get later, so every entry becomes the first of its queue at some time.
/// The first entry reserves the places that it needs until it has all of them. Entries that need fewer groups therefore cannot
/// delay an entry that needs more groups forever.
///
/// The end of a run checks only the first job of each set of groups for which entries wait (``GroupWaitQueue``), not the jobs
/// behind it.
struct GroupGate: Sendable {
  /// A group of jobs whose runs count against one limit.
  struct Group: Sendable, Hashable {
    /// Position of the group in the order of the names.
    let place: Int
    let name: GroupName
    /// Maximum number of concurrent runs of its jobs; at least 1.
    let limit: Int
    /// Number of active runs of its jobs. It exceeds the limit after a reload has lowered the limit.
    fileprivate(set) var runCount = 0

    /// Whether one more run may begin.
    var hasRoom: Bool { runCount < limit }
  }

  /// The groups that have a limit, in the order of their names.
  private var groups: [Group] = []
  /// Places of the groups with a limit, by job; none for a job beyond the end of the array.
  private var memberships: [[Int]] = []
  /// Jobs that may have a waiting entry.
  private var queue = GroupWaitQueue()
  /// Instant at which an entry last began to wait for room.
  private var lastArrival = WallInstant.min

  init() {}

  /// Limit of each group that has one.
  var limits: [GroupName: Int] { Dictionary(uniqueKeysWithValues: groups.map { ($0.name, $0.limit) }) }
  /// Whether no group has a limit.
  var isEmpty: Bool { groups.isEmpty }
  /// Whether no job waits.
  var isIdle: Bool { queue.isEmpty }

  /// Sets the limits, and the groups and numbers of runs of all jobs. Afterwards no job waits.
  mutating func set(_ limits: [GroupName: Int], members: [(groups: [GroupName], runCount: Int)]) {
    groups = limits.keys.sorted().enumerated().map { place, name in
      Group(place: place, name: name, limit: max(1, limits[name] ?? 1))
    }
    queue = GroupWaitQueue(groupCount: groups.count)
    guard !groups.isEmpty else { return memberships = [] }
    let places = Dictionary(uniqueKeysWithValues: groups.map { ($0.name, $0.place) })
    memberships = members.map { Set($0.groups.compactMap { places[$0] }).sorted() }
    for (job, member) in members.enumerated() { count(member.runCount, of: job) }
  }

  /// Whether the job is in a group that has a limit.
  func isMember(_ job: Int) -> Bool { job < memberships.count && !memberships[job].isEmpty }

  /// Returns the groups of the job that have a limit.
  func groups(of job: Int) -> [Group] { isMember(job) ? memberships[job].map { groups[$0] } : [] }

  /// Whether all groups of the job have room.
  func hasRoom(for job: Int) -> Bool { !isMember(job) || memberships[job].allSatisfy { groups[$0].hasRoom } }

  /// Whether a new entry of the job can start at once: its groups have room, and no job waits before it.
  func mayStart(_ job: Int) -> Bool { !isMember(job) || queue.isEmpty && hasRoom(for: job) }

  /// Counts runs of the job that begin, or end if `change` is negative.
  mutating func count(_ change: Int, of job: Int) {
    guard isMember(job) else { return }
    for place in memberships[job] {
      groups[place].runCount += change
      assert(groups[place].runCount >= 0)
    }
  }
}

// Waiting.
extension GroupGate {
  /// Records that an entry begins to wait at `now`. Returns `false` if an earlier arrival has a later instant: the clock went
  /// back by a little, which is no step. Ranks have then moved forwards, so the caller must call ``requeue(_:rank:)``.
  mutating func noteArrival(at now: WallInstant) -> Bool {
    defer { lastArrival = now }
    return now >= lastArrival
  }

  /// Queues a job with an entry that waits for its groups, unless the job is queued.
  mutating func enqueue(_ job: Int, rank: WallInstant) {
    guard isMember(job) else { return }
    queue.insert(GroupWaitQueue.Place(rank: rank, job: Int32(job)), into: queue.queue(for: memberships[job]))
  }

  /// Rebuilds the queue, after ranks may have moved forwards. `rank` is `nil` for jobs that do not wait.
  mutating func requeue(_ jobs: Range<Int>, rank: (Int) -> WallInstant?) {
    queue = GroupWaitQueue(groupCount: groups.count)
    for job in jobs where isMember(job) {
      if let rank = rank(job) { enqueue(job, rank: rank) }
    }
  }

  /// Begins a search for jobs that can start. No place is reserved yet.
  mutating func beginSearch() { queue.beginSearch() }

  /// Returns the waiting job to be served first, among the jobs that could start if their groups had room.
  ///
  /// Jobs whose groups are all reserved can neither start nor reserve, and are left out. `rank` is `nil` for jobs that do not
  /// wait or have no room of their own.
  mutating func first(rank: (Int) -> WallInstant?) -> Int? { queue.first(rank).map { Int($0.job) } }

  /// Returns whether the job that is served first can start. If not, the job reserves its places.
  mutating func admitOrReserve(_ job: Int) -> Bool {
    if hasRoom(for: job), !memberships[job].contains(where: { queue.isReserved($0) }) { return true }
    for place in memberships[job] { queue.reserve(place) }
    return false
  }
}
