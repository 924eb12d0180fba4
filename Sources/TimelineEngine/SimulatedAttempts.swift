import TimelineCore

/// The attempts in flight, by when they end.
///
/// Most end in the order in which they began, for what lasts equally long does: those stand in a line. The others are in a
/// binary heap beside it.
struct SimulatedAttempts {
  /// What the simulation has to remember of an attempt.
  struct Ending {
    /// When it ends, in elapsed time.
    var at: WallInstant
    /// Its run.
    var run: RunID
    /// How it ends.
    var outcome: AttemptOutcome

    @inline(__always)
    func precedes(_ other: Ending) -> Bool { at == other.at ? run < other.run : at < other.at }
  }

  /// In order from ``head`` on; what is before it has been taken out.
  private var line: [Ending] = []
  private var head = 0
  private var heap: [Ending] = []

  /// The attempt that ends first; among equals that of the run made first.
  var first: Ending? {
    guard head < line.count else { return heap.first }
    return isHeapFirst ? heap[0] : line[head]
  }

  /// When the first one ends.
  var firstEnd: WallInstant? {
    guard head < line.count else { return heap.first?.at }
    return isHeapFirst ? heap[0].at : line[head].at
  }

  /// Whether the first of the heap comes before the first of the line, which is not empty.
  private var isHeapFirst: Bool { !heap.isEmpty && heap[0].precedes(line[head]) }

  /// Takes in an attempt.
  mutating func insert(_ run: RunID, at instant: WallInstant, _ outcome: AttemptOutcome) {
    let ending = Ending(at: instant, run: run, outcome: outcome)
    if head == line.count {
      line.removeAll(keepingCapacity: true)
      head = 0
    } else if ending.precedes(line[line.count - 1]) {
      return insertIntoHeap(ending)
    } else if head > 1_000, head > line.count / 2 {
      line.removeFirst(head)
      head = 0
    }
    line.append(ending)
  }

  /// Takes out the attempt that ends first, if there is one.
  mutating func removeFirst() {
    if head < line.count, !isHeapFirst { head += 1 } else { removeFirstOfHeap() }
  }

  /// Lets the attempt of `run` end with `outcome` at `instant`, unless it ends sooner; O(attempts), stops are rare.
  mutating func hasten(_ run: RunID, to instant: WallInstant, _ outcome: AttemptOutcome) {
    var others = heap + line[head...]
    if let position = others.firstIndex(where: { $0.run == run }) {
      guard others[position].at > instant else { return }
      others.remove(at: position)
    }
    others.append(Ending(at: instant, run: run, outcome: outcome))
    heap = []
    head = 0
    line = others.sorted { $0.precedes($1) }
  }

  private mutating func insertIntoHeap(_ ending: Ending) {
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
