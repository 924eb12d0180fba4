import Testing
import TimelineTestSupport

@testable import TimelineSystem

@Suite struct DelayQueueTests {
  @Test(arguments: [1, 2, 3, 4, 5] as [UInt64])
  func `the queue agrees with a sorted list through random insertions and removals`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var queue = DelayQueue<Int, Int>()
    var model: [(deadline: Int, order: Int, ticket: DelayQueue<Int, Int>.Ticket)] = []
    for order in 0..<2_000 {
      switch Int.random(in: 0..<4, using: &random) {
      case 0, 1:
        let deadline = Int.random(in: 0..<50, using: &random)
        let ticket = queue.makeTicket()
        queue.insert(order, at: deadline, ticket: ticket)
        model.append((deadline, order, ticket))
      case 2 where !model.isEmpty:
        let victim = model.remove(at: Int.random(in: 0..<model.count, using: &random))
        #expect(queue.remove(victim.ticket) == victim.order, "seed \(seed)")
        #expect(queue.remove(victim.ticket) == nil, "seed \(seed)")
      default:
        let now = Int.random(in: 0..<50, using: &random)
        model.sort { ($0.deadline, $0.order) < ($1.deadline, $1.order) }
        let expected = model.first.flatMap { $0.deadline <= now ? $0.order : nil }
        #expect(queue.popDue(at: now)?.element == expected, "seed \(seed)")
        if expected != nil { model.removeFirst() }
      }
      #expect(queue.count == model.count, "seed \(seed)")
      #expect(queue.next == model.map(\.deadline).min(), "seed \(seed)")
    }
  }
}
