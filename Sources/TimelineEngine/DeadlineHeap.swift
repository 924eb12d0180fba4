/// The deadlines that come next: a heap of four children a node, whose children lie side by side.
struct DeadlineHeap: Sendable {
  private var records: [DeadlineRecord] = []

  /// How many there are.
  var count: Int { records.count }

  /// The one to be dealt with first.
  var first: DeadlineRecord? { records.first }

  /// How many fall due at the moment of the first; `limit` when there are so many or more. O(that many).
  func countOfFirst(atMost limit: Int) -> Int {
    guard let moment = first?.moment else { return 0 }
    // They are the top of the tree: below one that falls due later there is none of them.
    var count = 1
    var open = [0]
    while let position = open.popLast() {
      let child = 4 * position + 1
      for child in child..<max(child, min(child + 4, records.count)) where records[child].moment == moment {
        count += 1
        if count >= limit { return limit }
        open.append(child)
      }
    }
    return min(count, limit)
  }

  mutating func insert(_ record: DeadlineRecord) {
    records.append(record)
    var position = records.count - 1
    while position > 0 {
      let parent = (position - 1) >> 2
      guard record.precedes(records[parent]) else { break }
      records[position] = records[parent]
      position = parent
    }
    records[position] = record
  }

  /// Takes the first one out.
  mutating func removeFirst() {
    guard let last = records.popLast(), !records.isEmpty else { return }
    sink(last, from: 0)
  }

  /// Takes one in without regard to order; ``heapify()`` follows.
  mutating func append(_ record: DeadlineRecord) { records.append(record) }

  /// Restores the order after records were appended.
  mutating func heapify() {
    guard records.count > 1 else { return }
    for position in stride(from: (records.count - 2) >> 2, through: 0, by: -1) {
      sink(records[position], from: position)
    }
  }

  /// Takes all out, in no order.
  mutating func takeAll() -> [DeadlineRecord] {
    defer { records = [] }
    return records
  }

  mutating func removeAll() { records.removeAll(keepingCapacity: true) }

  private mutating func sink(_ record: DeadlineRecord, from start: Int) {
    // All positions are below the count; this is where the engine spends its time when there is much to do.
    unsafe records.withUnsafeMutableBufferPointer { records in
      var position = start
      let count = records.count
      while true {
        let child = 4 &* position &+ 1
        guard child < count else { break }
        var best = child
        var least = unsafe records[child]
        for other in child &+ 1..<min(child &+ 4, count) {
          let candidate = unsafe records[other]
          if candidate.precedes(least) { (best, least) = (other, candidate) }
        }
        guard least.precedes(record) else { break }
        unsafe records[position] = least
        position = best
      }
      unsafe records[position] = record
    }
  }
}
