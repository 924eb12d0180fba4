import TimelineCore

/// A group of jobs whose runs count against one limit.
struct GroupState: Sendable {
  /// Its name.
  let name: GroupName
  /// Largest number of runs of its jobs at a time; at least 1.
  let limit: Int
  /// Number of active runs of its jobs; more than the limit after a reload lowered it.
  var runCount = 0
}

/// Order of starts when groups do not have room for all.
///
/// A run takes a place in all the groups of its job at once and keeps them until it ends, also during back-off. Otherwise others would
/// overtake it during its back-off, and the instant of its next attempt would be unknown. A run that holds places waits only for time or
/// for a plugin host, never for a group, so there are no deadlocks.
///
/// Waiting entries are served in the order of (time of arrival - priority * ``EngineLimits/ageingStep``). Each step of priority
/// is worth that much waiting time. Arrivals only get later, so every entry becomes the first in line at some time. The first in
/// line reserves the places that it needs until it has all of them. Entries that need fewer groups therefore cannot keep one
/// that needs more waiting for ever.
///
/// The end of a run checks only the first in line of each set of groups for which entries wait (``GroupWaitQueue``), not those behind it.
extension EngineState {
  /// Takes over the limits, and counts anew who is in which group: a reload may have altered jobs and groups alike.
  mutating func setGroups(_ limits: [GroupName: Int]) {
    groups = limits.keys.sorted().map { GroupState(name: $0, limit: max(1, limits[$0] ?? 1)) }
    var places: [GroupName: Int] = [:]
    for place in groups.indices { places[groups[place].name] = place }
    for index in jobs.indices {
      let named = jobs[index].definition.policies.groups
      jobs[index].groups = named.isEmpty ? [] : Set(named.compactMap { places[$0] }).sorted()
      for place in jobs[index].groups { groups[place].runCount += jobs[index].runCount }
    }
    rebuildGroupQueues()
  }

  /// Makes the line from nothing, after ranks may have moved forwards in it.
  mutating func rebuildGroupQueues() {
    line = GroupWaitQueue(groupCount: groups.count)
    for index in jobs.indices {
      jobs[index].isListedAsWaiting = false
      if jobs[index].isBuffering { noteWaiting(index) }
    }
  }

  /// Counts a run of the job that begins (1) or ends (-1), in the job and in its groups.
  mutating func take(_ count: Int, ofGroupsOf index: Int) {
    jobs[index].runCount += count
    assert(jobs[index].runCount >= 0)
    if jobs[index].hasGroups { takeInGroups(count, index) }
  }

  @inline(never)
  private mutating func takeInGroups(_ count: Int, _ index: Int) {
    for place in jobs[index].groups {
      groups[place].runCount += count
      assert(groups[place].runCount >= 0)
    }
    // Without room in the job itself it was not in the line.
    if count < 0, jobs[index].isBuffering { noteWaiting(index) }
  }

  /// Whether a new entry of a job with room can be started at once: nobody is before it in line.
  func mayStart(_ index: Int) -> Bool {
    if jobs[index].isBuffering { return false }
    return !jobs[index].hasGroups || line.isEmpty && hasRoomInGroups(index)
  }

  /// Remembers that an entry of the job has waited.
  mutating func noteWaited(_ index: Int) {
    guard !jobs[index].hasWaited else { return }
    jobs[index].hasWaited = true
    jobsWithPastWaits.append(Int32(index))
  }

  /// Puts a job in line of which an entry waits for its groups, unless it is there.
  mutating func noteWaiting(_ index: Int) {
    guard jobs[index].hasGroups, !jobs[index].isListedAsWaiting, let rank = jobs[index].rank else { return }
    jobs[index].isListedAsWaiting = true
    line.insert(
      GroupWaitQueue.Place(rank: rank, job: Int32(index)), into: line.queue(for: jobs[index].groups))
  }

  /// Starts what waits and may start now: entries of this job, or of any whose groups have room.
  mutating func startWaiting(_ index: Int, _ now: WallInstant, _ effects: inout some EffectSink) {
    assert(phase == .running || !jobs[index].isBuffering, "what waits is settled in a drain")
    guard jobs[index].isBuffering || jobs[index].hasGroups else { return }
    startWhatWaits(index, now, &effects)
  }

  @inline(never)
  private mutating func startWhatWaits(
    _ index: Int, _ now: WallInstant, _ effects: inout some EffectSink
  ) {
    if jobs[index].hasGroups { return startWaitingInGroups(now, &effects) }
    while jobs[index].isBuffering, jobs[index].hasRoom {
      start(index, jobs[index].buffered.removeFirst(), now, &effects)
    }
  }

  /// Starts the entries that wait for groups, in the order of the line, as far as there is room.
  mutating func startWaitingInGroups(_ now: WallInstant, _ effects: inout some EffectSink) {
    guard !line.isEmpty else { return }
    line.beginSearch()
    while let index = firstInLine() {
      if hasRoomInGroups(index), !jobs[index].groups.contains(where: { line.isReserved($0) }) {
        start(index, jobs[index].buffered.removeFirst(), now, &effects)
      } else {
        for place in jobs[index].groups { line.reserve(place) }
      }
    }
  }

  /// The waiting job to be served first, of those that could start if their groups had room.
  ///
  /// Those all of whose groups are reserved can neither start nor reserve, and are left out.
  private mutating func firstInLine() -> Int? {
    // Taken out meanwhile, so that it is not copied when it asks about the jobs.
    var line = GroupWaitQueue()
    swap(&line, &self.line)
    defer { swap(&line, &self.line) }
    return line.first { index in
      let rank = jobs[index].rank
      if rank == nil { jobs[index].isListedAsWaiting = false }
      return rank
    }.map { Int($0.job) }
  }

  func hasRoomInGroups(_ index: Int) -> Bool {
    jobs[index].groups.allSatisfy { groups[$0].runCount < groups[$0].limit }
  }
}

extension JobState {
  /// Rank in the line, the lowest first: arrival minus priority; `nil` when it has nothing to start, or no room of its own.
  fileprivate var rank: WallInstant? {
    guard let entry = buffered.first, hasRoom else { return nil }
    return entry.waitingSince - EngineLimits.ageingStep * Int64(definition.policies.priority)
  }
}
