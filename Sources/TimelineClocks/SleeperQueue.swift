package import TimelineCore

/// A queue of sleepers: the earliest deadline first, equal deadlines in order of registration.
///
/// A binary heap of tickets beside a table of payloads. To go to sleep, to wake and to leave early cost a logarithm of the
/// number of sleepers. Tickets of those who left early stay in the heap until they come first, or until they are more
/// than the others.
package struct SleeperQueue<Payload> {
  /// Names one sleeper for as long as it sleeps.
  package struct Ticket: Hashable, Sendable {
    /// The deadline of the sleep.
    package let deadline: WallInstant
    /// Its place among all that ever went to sleep here, ascending.
    package let order: UInt64
    /// Its place in the table of payloads.
    fileprivate let slot: Int

    fileprivate func isBefore(_ other: Ticket) -> Bool {
      (deadline, order) < (other.deadline, other.order)
    }
  }

  /// The tickets; each comes before those at twice its place and one or two more. The first one is of a sleeper.
  private var heap: [Ticket] = []
  private var slots: [(order: UInt64, payload: Payload)?] = []
  private var freeSlots: [Int] = []
  private var lastOrder: UInt64 = 0

  /// Makes a queue in which nobody sleeps.
  package init() {}

  /// The number of sleepers.
  package var count: Int { slots.count - freeSlots.count }
  /// Whether nobody sleeps.
  package var isEmpty: Bool { heap.isEmpty }
  /// The sleeper to be woken next.
  package var first: (ticket: Ticket, payload: Payload)? { heap.first.flatMap(sleeper) }
  /// All sleepers, the next to wake first.
  package var sorted: [(ticket: Ticket, payload: Payload)] {
    heap.compactMap(sleeper).sorted { $0.ticket.isBefore($1.ticket) }
  }

  /// Puts one to sleep until `deadline`, after all that sleep until then already.
  package mutating func insert(until deadline: WallInstant, _ payload: Payload) -> Ticket {
    lastOrder += 1
    let slot = freeSlots.popLast() ?? slots.count
    if slot == slots.count { slots.append(nil) }
    slots[slot] = (lastOrder, payload)
    let ticket = Ticket(deadline: deadline, order: lastOrder, slot: slot)
    heap.append(ticket)
    rise(ticket)
    return ticket
  }

  /// Takes out the next to wake if it is due at `instant`.
  package mutating func popFirst(dueAt instant: WallInstant) -> (ticket: Ticket, payload: Payload)? {
    guard let ticket = heap.first, ticket.deadline <= instant else { return nil }
    return remove(ticket).map { (ticket, $0) }
  }

  /// Takes out one that does not want to wait any longer; `nil` when it has been taken out already.
  package mutating func remove(_ ticket: Ticket) -> Payload? {
    guard let payload = sleeper(ticket)?.payload else { return nil }
    slots[ticket.slot] = nil
    freeSlots.append(ticket.slot)
    if heap.count > 2 * count + 16 {
      heap = sorted.map(\.ticket)
    } else {
      while let first = heap.first, sleeper(first) == nil { removeFirstTicket() }
    }
    return payload
  }

  /// Takes out all, the next to wake first.
  package mutating func removeAll() -> [(ticket: Ticket, payload: Payload)] {
    defer { (heap, slots, freeSlots) = ([], [], []) }
    return sorted
  }

  /// Returns whose ticket it is; `nil` for one of a sleeper that has left.
  private func sleeper(_ ticket: Ticket) -> (ticket: Ticket, payload: Payload)? {
    guard ticket.slot < slots.count, let entry = slots[ticket.slot], entry.order == ticket.order else {
      return nil
    }
    return (ticket, entry.payload)
  }

  /// Moves the last ticket up to its place.
  private mutating func rise(_ ticket: Ticket) {
    var place = heap.count - 1
    while place > 0, ticket.isBefore(heap[(place - 1) / 2]) {
      heap[place] = heap[(place - 1) / 2]
      place = (place - 1) / 2
    }
    heap[place] = ticket
  }

  /// Takes out the first ticket, and moves the last one down to its place.
  private mutating func removeFirstTicket() {
    let ticket = heap.removeLast()
    if heap.isEmpty { return }
    var place = 0
    while true {
      var child = 2 * place + 1
      guard child < heap.count else { break }
      if child + 1 < heap.count, heap[child + 1].isBefore(heap[child]) { child += 1 }
      guard heap[child].isBefore(ticket) else { break }
      heap[place] = heap[child]
      place = child
    }
    heap[place] = ticket
  }
}

extension SleeperQueue: Sendable where Payload: Sendable {}
