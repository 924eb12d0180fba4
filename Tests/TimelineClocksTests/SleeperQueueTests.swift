import Testing
import TimelineClocks
import TimelineCore
import TimelineTestSupport

/// The order of sleepers, whatever the order in which they come and leave.
@Suite struct SleeperQueueTests {
  @Test(arguments: [1, 2, 3] as [UInt64])
  func `sleepers wake by deadline and then by registration, and leave early`(_ seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var queue = SleeperQueue<Int>()
    var model: [(ticket: SleeperQueue<Int>.Ticket, payload: Int)] = []
    for number in 0..<5_000 {
      switch random.next(in: 0...9) {
      case 0...4:
        let deadline = WallInstant(nanosecondsSinceEpoch: random.next(in: 0...50))
        let ticket = queue.insert(until: deadline, number)
        model.insert((ticket, number), at: model.firstIndex { $0.ticket.deadline > deadline } ?? model.count)
      case 5...6 where !model.isEmpty:
        let (ticket, payload) = model.remove(at: Int(random.next(in: 0...Int64(model.count - 1))))
        #expect(queue.remove(ticket) == payload)
        #expect(queue.remove(ticket) == nil)
      default:
        let instant = WallInstant(nanosecondsSinceEpoch: random.next(in: 0...50))
        let next = model.first.flatMap { $0.ticket.deadline <= instant ? $0 : nil }
        let popped = queue.popFirst(dueAt: instant)
        #expect(popped?.payload == next?.payload)
        if next != nil { model.removeFirst() }
      }
      #expect(queue.count == model.count && queue.isEmpty == model.isEmpty)
      #expect(queue.first?.ticket == model.first?.ticket)
    }
    #expect(queue.sorted.map(\.payload) == model.map(\.payload))
    #expect(queue.removeAll().map(\.payload) == model.map(\.payload))
    #expect(queue.first == nil)
  }

  @Test(arguments: [Order.ascending, .descending, .equal])
  func `a hundred thousand sleepers come and go in any order`(_ order: Order) {
    var queue = SleeperQueue<Int>()
    let count = 100_000
    for number in 0..<count { _ = queue.insert(until: order.deadline(of: number, among: count), number) }
    var woken = 0
    while let next = queue.popFirst(dueAt: .max) {
      // One comparison for each, and no macro, which would take longer than the queue.
      if next.payload != order.payload(woken, among: count) { break }
      woken += 1
    }
    #expect(woken == count)
  }

  enum Order {
    case ascending, descending, equal

    func deadline(of number: Int, among count: Int) -> WallInstant {
      switch self {
      case .ascending: WallInstant(nanosecondsSinceEpoch: Int64(number))
      case .descending: WallInstant(nanosecondsSinceEpoch: Int64(count - number))
      case .equal: .epoch
      }
    }

    func payload(_ index: Int, among count: Int) -> Int { self == .descending ? count - 1 - index : index }
  }
}
