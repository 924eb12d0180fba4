package import TimelineCore

/// A queue of sleepers: the earliest deadline first, equal deadlines in order of registration.
///
/// A sorted array, latest first, so that the next sleeper to wake is taken from the end: waking costs nothing. Going
/// to sleep costs a binary search and a move of the entries due sooner, which is little up to some ten thousand
/// sleepers. A heap would come next.
package struct SleeperQueue<Payload> {
  /// Names one sleeper for as long as it sleeps.
  package struct Ticket: Hashable, Sendable {
    /// The deadline of the sleep.
    package let deadline: WallInstant
    /// Its place among all that ever went to sleep here, ascending.
    package let order: UInt64
  }

  private var entries: [(ticket: Ticket, payload: Payload)] = []
  private var lastOrder: UInt64 = 0

  /// Makes a queue in which nobody sleeps.
  package init() {}

  /// The number of sleepers.
  package var count: Int { entries.count }
  /// Whether nobody sleeps.
  package var isEmpty: Bool { entries.isEmpty }
  /// The sleeper to be woken next.
  package var first: (ticket: Ticket, payload: Payload)? { entries.last }

  /// Puts one to sleep until `deadline`, after all that sleep until then already.
  package mutating func insert(until deadline: WallInstant, _ payload: Payload) -> Ticket {
    lastOrder += 1
    let ticket = Ticket(deadline: deadline, order: lastOrder)
    entries.insert((ticket, payload), at: index(of: ticket))
    return ticket
  }

  /// Takes out the next to wake if it is due at `instant`.
  package mutating func popFirst(dueAt instant: WallInstant) -> (ticket: Ticket, payload: Payload)? {
    guard let first = entries.last, first.ticket.deadline <= instant else { return nil }
    return entries.removeLast()
  }

  /// Takes out one that does not want to wait any longer; `nil` when it has been taken out already.
  package mutating func remove(_ ticket: Ticket) -> Payload? {
    let index = index(of: ticket)
    guard index < entries.count, entries[index].ticket == ticket else { return nil }
    return entries.remove(at: index).payload
  }

  /// Takes out all, the next to wake first.
  package mutating func removeAll() -> [(ticket: Ticket, payload: Payload)] {
    defer { entries = [] }
    return entries.reversed()
  }

  /// The first index whose entry is not woken after `ticket`.
  private func index(of ticket: Ticket) -> Int {
    var (low, high) = (0, entries.count)
    while low < high {
      let middle = (low + high) / 2
      let other = entries[middle].ticket
      if (other.deadline, other.order) > (ticket.deadline, ticket.order) {
        low = middle + 1
      } else {
        high = middle
      }
    }
    return low
  }
}

extension SleeperQueue: Sendable where Payload: Sendable {}
