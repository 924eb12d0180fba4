import TimelineCore

/// Jobs in groups with a waiting entry. The first job is found without a look at the others.
///
/// Jobs that need the same groups share a queue, which is a heap. Only the first job of a queue can be the next to start or to
/// reserve. A search checks the first job of each queue. There are as many queues as different sets of groups among the
/// waiting jobs. A place may be out of date: the true place of the job is then later, never earlier. A search checks each
/// first place, and moves it back or removes it.
struct GroupWaitQueue: Sendable {
  /// A job's place in its queue: by rank, and for equal ranks by the order in the configuration.
  struct Place: Sendable, Comparable {
    var rank: WallInstant
    let job: Int32

    static func < (left: Place, right: Place) -> Bool { (left.rank, left.job) < (right.rank, right.job) }
  }

  private struct Queue: Sendable {
    let groups: [Int]
    var places: [Place] = []
  }

  private var queues: [Queue] = []
  private var numbers: [[Int]: Int] = [:]
  /// Queues that may have a waiting job, in no order.
  private var busy: [Int] = []
  /// Whether each job has a place; a job beyond the end of the array has none.
  private var isQueued: [Bool] = []
  /// Search in which each group was reserved last, and the current search.
  private var reservedIn: [UInt64]
  private var search: UInt64 = 0
  /// Number of places, including out-of-date places.
  private(set) var count = 0

  /// Makes an empty queue for jobs in any of `groupCount` groups.
  init(groupCount: Int = 0) { reservedIn = Array(repeating: 0, count: groupCount) }

  /// Whether no job waits.
  var isEmpty: Bool { count == 0 }

  /// Returns the queue for jobs that are in these groups. The groups are ascending.
  mutating func queue(for groups: [Int]) -> Int32 {
    if let number = numbers[groups] { return Int32(number) }
    numbers[groups] = queues.count
    queues.append(Queue(groups: groups))
    return Int32(queues.count - 1)
  }

  /// Inserts a job, unless it is queued.
  mutating func insert(_ place: Place, into queue: Int32) {
    let (number, job) = (Int(queue), Int(place.job))
    if job >= isQueued.count { isQueued += repeatElement(false, count: job + 1 - isQueued.count) }
    if isQueued[job] { return }
    isQueued[job] = true
    count += 1
    if queues[number].places.isEmpty { busy.append(number) }
    queues[number].places.append(place)
    siftUp(number)
  }

  /// Begins a search. No group is reserved yet.
  mutating func beginSearch() { search += 1 }

  /// Reserves a group for the first job.
  mutating func reserve(_ group: Int) { reservedIn[group] = search }

  /// Whether a group is reserved in this search.
  func isReserved(_ group: Int) -> Bool { reservedIn[group] == search }

  /// Returns the first place among the jobs with a group that is not reserved.
  ///
  /// Calls `rank` for jobs whose place is to be checked. `rank` returns the true rank, or `nil` for a job that does not wait
  /// or could not start in any case. This job leaves the queue.
  mutating func first(_ rank: (Int) -> WallInstant?) -> Place? {
    var first: Place?
    var position = 0
    while position < busy.count {
      let number = busy[position]
      if queues[number].groups.allSatisfy({ isReserved($0) }) {
        position += 1
      } else if let place = check(number, rank) {
        if first.map({ place < $0 }) ?? true { first = place }
        position += 1
      } else {
        busy.swapAt(position, busy.count - 1)
        busy.removeLast()
      }
    }
    return first
  }

  /// Returns the true first place of a queue.
  private mutating func check(_ number: Int, _ rank: (Int) -> WallInstant?) -> Place? {
    while let place = queues[number].places.first {
      switch rank(Int(place.job)) {
      case place.rank: return place
      case let rank?: queues[number].places[0].rank = rank
      case nil:
        count -= 1
        isQueued[Int(place.job)] = false
        queues[number].places.swapAt(0, queues[number].places.count - 1)
        queues[number].places.removeLast()
      }
      siftDown(number)
    }
    return nil
  }

  private mutating func siftUp(_ number: Int) {
    var position = queues[number].places.count - 1
    while position > 0 {
      let parent = (position - 1) / 2
      guard queues[number].places[position] < queues[number].places[parent] else { return }
      queues[number].places.swapAt(position, parent)
      position = parent
    }
  }

  private mutating func siftDown(_ number: Int) {
    var position = 0
    while true {
      var least = position
      for child in (2 * position + 1)...(2 * position + 2)
      where child < queues[number].places.count
        && queues[number].places[child] < queues[number].places[least]
      {
        least = child
      }
      if least == position { return }
      queues[number].places.swapAt(position, least)
      position = least
    }
  }
}
