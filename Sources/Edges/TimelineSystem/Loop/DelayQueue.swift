/// Elements in order of (deadline, registration), each removable by its ticket: a binary heap with an index.
///
/// Insertion and removal cost O(log n), the next deadline O(1). A few thousand elements are expected; a timing
/// wheel would pay off only far above that.
struct DelayQueue<Deadline: Comparable, Element> {
  /// The identifier of one registration; later registrations compare greater.
  struct Ticket: Hashable, Comparable {
    var number: UInt64

    static func < (left: Ticket, right: Ticket) -> Bool { left.number < right.number }
  }

  private struct Slot {
    var deadline: Deadline
    var ticket: Ticket
    var element: Element

    func precedes(_ other: Slot) -> Bool {
      deadline != other.deadline ? deadline < other.deadline : ticket < other.ticket
    }
  }

  private var slots: [Slot] = []
  private var positions: [Ticket: Int] = [:]
  private var ticketNext: UInt64 = 0

  /// The earliest deadline; `nil` if nothing waits.
  var next: Deadline? { slots.first?.deadline }
  var count: Int { slots.count }

  /// Returns a ticket for a later insertion; its place in the order of registration is fixed now.
  mutating func makeTicket() -> Ticket {
    defer { ticketNext += 1 }
    return Ticket(number: ticketNext)
  }

  /// Adds an element; `ticket` must be unused.
  mutating func insert(_ element: Element, at deadline: Deadline, ticket: Ticket) {
    precondition(positions[ticket] == nil, "A ticket is good for one element.")
    slots.append(Slot(deadline: deadline, ticket: ticket, element: element))
    positions[ticket] = slots.count - 1
    siftUp(from: slots.count - 1)
  }

  /// Removes and returns the element; `nil` if it has been removed already.
  mutating func remove(_ ticket: Ticket) -> Element? {
    guard let position = positions.removeValue(forKey: ticket) else { return nil }
    let removed = slots[position].element
    let last = slots.removeLast()
    if position < slots.count {
      slots[position] = last
      positions[last.ticket] = position
      siftDown(from: position)
      siftUp(from: position)
    }
    return removed
  }

  /// Removes and returns the first element if it is due at `now` and was registered before `limit`.
  mutating func popDue(
    at now: Deadline, registeredBefore limit: Ticket? = nil
  ) -> (ticket: Ticket, element: Element)? {
    guard let first = slots.first, first.deadline <= now else { return nil }
    if let limit, !(first.ticket < limit) { return nil }
    return remove(first.ticket).map { (first.ticket, $0) }
  }

  private mutating func siftUp(from start: Int) {
    var position = start
    while position > 0 {
      let parent = (position - 1) / 2
      guard slots[position].precedes(slots[parent]) else { return }
      exchange(position, parent)
      position = parent
    }
  }

  private mutating func siftDown(from start: Int) {
    var position = start
    while true {
      let left = 2 * position + 1
      guard left < slots.count else { return }
      let right = left + 1
      let child = right < slots.count && slots[right].precedes(slots[left]) ? right : left
      guard slots[child].precedes(slots[position]) else { return }
      exchange(position, child)
      position = child
    }
  }

  private mutating func exchange(_ one: Int, _ other: Int) {
    slots.swapAt(one, other)
    positions[slots[one].ticket] = one
    positions[slots[other].ticket] = other
  }
}
