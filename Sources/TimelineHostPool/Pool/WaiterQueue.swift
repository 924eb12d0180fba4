/// Those who wait for a plugin host, oldest first.
///
/// There can be as many as all jobs together may have runs: taking out the first is quick however many come after it.
struct WaiterQueue: RandomAccessCollection, Sendable {
  private var waiters: [HostWaiter] = []
  /// Index of the queue's first element: the elements before it have been taken out.
  private var head = 0

  var startIndex: Int { 0 }
  var endIndex: Int { waiters.count - head }
  subscript(index: Int) -> HostWaiter { waiters[head + index] }

  /// Adds somebody at the end.
  mutating func append(_ waiter: HostWaiter) { waiters.append(waiter) }

  /// Adds somebody before all others.
  mutating func prepend(_ waiter: HostWaiter) {
    if head > 0 {
      head -= 1
      waiters[head] = waiter
    } else {
      waiters.insert(waiter, at: 0)
    }
  }

  /// Takes somebody out.
  mutating func remove(at index: Int) -> HostWaiter {
    guard index == 0 else { return waiters.remove(at: head + index) }
    let waiter = waiters[head]
    head += 1
    if head == waiters.count || head > 1_000 && head > waiters.count / 2 {
      waiters.removeFirst(head)
      head = 0
    }
    return waiter
  }

  /// Takes everybody out, in order.
  mutating func removeAll() -> [HostWaiter] {
    defer { self = WaiterQueue() }
    return Array(self)
  }
}
