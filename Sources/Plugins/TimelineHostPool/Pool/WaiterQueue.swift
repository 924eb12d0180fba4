/// Waiters for a plugin host, oldest first.
///
/// Only the jobs' limits on runs bound the length of the queue. Removing the first waiter is fast at any length.
struct WaiterQueue: RandomAccessCollection, Sendable {
  private var waiters: [HostWaiter] = []
  /// Index of the queue's first element in `waiters`; the elements before it were removed.
  private var head = 0

  var startIndex: Int { 0 }
  var endIndex: Int { waiters.count - head }
  subscript(index: Int) -> HostWaiter { waiters[head + index] }

  /// Adds a waiter at the end.
  mutating func append(_ waiter: HostWaiter) { waiters.append(waiter) }

  /// Adds a waiter before all others.
  mutating func prepend(_ waiter: HostWaiter) {
    if head > 0 {
      head -= 1
      waiters[head] = waiter
    } else {
      waiters.insert(waiter, at: 0)
    }
  }

  /// Removes the waiter at `index`.
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

  /// Removes all waiters and returns them in order.
  mutating func removeAll() -> [HostWaiter] {
    defer { self = WaiterQueue() }
    return Array(self)
  }
}
