package import TimelineCore

/// A queue of sleepers: the earliest deadline first, equal deadlines in order of registration.
///
/// A binary heap of tickets beside a table of payloads. Insertion, wake-up and early removal take O(log n) for n sleepers.
/// Tickets of sleepers that left early stay in the heap until they are first in it, or until they outnumber the others.
package struct SleeperQueue<Payload> {
  /// Identifier of one sleeper for as long as it sleeps.
  package struct Ticket: Hashable, Sendable {
    package let deadline: WallInstant
    /// Number of the insertion, ascending.
    package let order: UInt64
    /// Index in the table of payloads.
    fileprivate let slot: Int

    fileprivate func isBefore(_ other: Ticket) -> Bool {
      (deadline, order) < (other.deadline, other.order)
    }
  }

  /// The tickets as a binary heap: the children of index i are at 2i + 1 and 2i + 2. The first ticket always belongs to a present
  /// sleeper.
  private var heap: [Ticket] = []
  private var slots: [(order: UInt64, payload: Payload)?] = []
  private var freeSlots: [Int] = []
  private var lastOrder: UInt64 = 0

  package init() {}

  package var count: Int { slots.count - freeSlots.count }
  package var isEmpty: Bool { heap.isEmpty }
  /// The next sleeper to wake.
  package var first: (ticket: Ticket, payload: Payload)? { heap.first.flatMap(sleeper) }
  /// All sleepers, the next to wake first.
  package var sorted: [(ticket: Ticket, payload: Payload)] {
    heap.compactMap(sleeper).sorted { $0.ticket.isBefore($1.ticket) }
  }

  /// Inserts a sleeper until `deadline`, after all sleepers with the same deadline.
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

  /// Removes and returns the next sleeper if it is due at `instant`.
  package mutating func popFirst(dueAt instant: WallInstant) -> (ticket: Ticket, payload: Payload)? {
    guard let ticket = heap.first, ticket.deadline <= instant else { return nil }
    return remove(ticket).map { (ticket, $0) }
  }

  /// Removes a sleeper that leaves early. Returns `nil` if it has been removed already.
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

  /// Removes and returns all sleepers, the next to wake first.
  package mutating func removeAll() -> [(ticket: Ticket, payload: Payload)] {
    defer { (heap, slots, freeSlots) = ([], [], []) }
    return sorted
  }

  /// Returns the sleeper of a ticket. Returns `nil` if the sleeper has left.
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

  /// Removes the first ticket, and moves the last one down to its place.
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
