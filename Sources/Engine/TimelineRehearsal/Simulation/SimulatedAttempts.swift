import TimelineCore
import TimelineEngine

/// Running attempts, ordered by their ends.
///
/// Most attempts have the same duration and end in the order in which they began. These attempts are in a queue, and the
/// others are in a binary heap.
struct SimulatedAttempts {
  /// End of an attempt.
  struct Ending {
    /// Instant of the end, in elapsed time.
    var at: WallInstant
    var run: RunID
    var outcome: AttemptResult
  }

  /// Sort key of an attempt: the instant at which it ends, then its run.
  private struct Place {
    var at: WallInstant
    var run: RunID

    func precedes(_ other: Place) -> Bool { at == other.at ? run < other.run : at < other.at }
  }

  /// Sort keys, ascending from ``head`` on. The elements before ``head`` have been removed.
  private var line: [Place] = []
  private var head = 0
  private var heap: [Place] = []
  /// Results of the attempts that do not succeed.
  private var outcomes: [RunID: AttemptResult] = [:]

  /// Instant at which the first attempt ends; `nil` for none.
  var firstEnd: WallInstant? {
    guard head < line.count else { return heap.first?.at }
    return isHeapFirst ? heap[0].at : line[head].at
  }

  /// Whether the first attempt of the heap comes before the first attempt of the queue. The queue must not be empty.
  private var isHeapFirst: Bool { !heap.isEmpty && heap[0].precedes(line[head]) }

  /// Adds an attempt.
  mutating func insert(_ run: RunID, at instant: WallInstant, _ outcome: AttemptResult) {
    let ending = Place(at: instant, run: run)
    note(outcome, of: run)
    if head == line.count || head > 1_000 && head > line.count / 2 { forgetFormer() }
    if let last = line.last, ending.precedes(last) { return insertIntoHeap(ending) }
    line.append(ending)
  }

  @inline(never)
  private mutating func forgetFormer() {
    if head == line.count { line.removeAll(keepingCapacity: true) } else { line.removeFirst(head) }
    head = 0
  }

  /// Removes and returns the attempt that ends first. If several end at the same time, the attempt of the earliest run comes
  /// first.
  mutating func removeFirst() -> Ending? {
    let place: Place
    if head < line.count, !isHeapFirst {
      place = line[head]
      head += 1
    } else {
      guard let first = heap.first else { return nil }
      place = first
      removeFirstOfHeap()
    }
    let outcome = outcomes.isEmpty ? nil : outcomes.removeValue(forKey: place.run)
    return Ending(at: place.at, run: place.run, outcome: outcome ?? AttemptResult(status: .succeeded))
  }

  /// Ends the attempt of `run` with `outcome` at `instant`, unless it ends earlier. O(attempts); stops are rare.
  mutating func hasten(_ run: RunID, to instant: WallInstant, _ outcome: AttemptResult) {
    var others = heap + line[head...]
    if let position = others.firstIndex(where: { $0.run == run }) {
      guard others[position].at > instant else { return }
      others.remove(at: position)
    }
    others.append(Place(at: instant, run: run))
    note(outcome, of: run)
    heap = []
    head = 0
    line = others.sorted { $0.precedes($1) }
  }

  private mutating func note(_ outcome: AttemptResult, of run: RunID) {
    let isPlain = outcome.status == .succeeded && !outcome.isWorthRetrying && outcome.message.isEmpty
    if !isPlain {
      outcomes[run] = outcome
    } else if !outcomes.isEmpty {
      outcomes[run] = nil
    }
  }

  private mutating func insertIntoHeap(_ ending: Place) {
    heap.append(ending)
    var child = heap.count - 1
    while child > 0 {
      let parent = (child - 1) / 2
      guard heap[child].precedes(heap[parent]) else { break }
      heap.swapAt(child, parent)
      child = parent
    }
  }

  private mutating func removeFirstOfHeap() {
    guard let last = heap.popLast(), !heap.isEmpty else { return }
    heap[0] = last
    var parent = 0
    while true {
      var child = 2 * parent + 1
      guard child < heap.count else { break }
      if child + 1 < heap.count, heap[child + 1].precedes(heap[child]) { child += 1 }
      guard heap[child].precedes(heap[parent]) else { break }
      heap.swapAt(child, parent)
      parent = child
    }
  }
}
