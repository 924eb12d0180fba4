import Testing
import TimelineCore

@testable import TimelineEngine

@Suite struct `The queue of deadlines` {
  private struct Entry: Comparable {
    var deadline: WallInstant
    var rank: UInt64
    var number: UInt32

    static func < (left: Entry, right: Entry) -> Bool {
      (left.deadline, left.rank, left.number) < (right.deadline, right.rank, right.number)
    }
  }

  @Test(arguments: UInt64(1)...20) func `it gives what a sorted list gives`(_ seed: UInt64) {
    var random = Seeded(seed: seed)
    var queue = DeadlineQueue()
    var model: [DeadlineHandle: Entry] = [:]
    for _ in 0..<2_000 {
      let handle =
        random.happens(percent: 50)
        ? DeadlineHandle.job(Int(random.seconds(0...40))) : .run(Int(random.seconds(0...40)))
      if random.happens(percent: 30) {
        queue.remove(handle)
        model[handle] = nil
      } else {
        // Every handle has a rank of its own, as in the engine: the order is total.
        let tie = TieBreak(isRun: handle.isRun, priority: handle.index % 3, order: handle.index)
        let deadline = t(random.seconds(0...30))
        queue.set(handle, at: deadline, tie: tie)
        model[handle] = Entry(deadline: deadline, rank: tie.rank, number: handle.number)
      }
      #expect(queue.count == model.count)
      #expect(queue.first?.handle.number == model.values.min()?.number, "seed \(seed)")
      #expect(queue.deadline(of: handle) == model[handle]?.deadline)
    }
    var drained: [UInt32] = []
    while let first = queue.first {
      drained.append(first.handle.number)
      queue.remove(first.handle)
    }
    #expect(drained == model.values.sorted().map(\.number), "seed \(seed)")
  }

  @Test func `a record is small`() {
    #expect(MemoryLayout<DeadlineQueue.Record>.stride == 24)
  }

  @Test(arguments: [
    (TieBreak(isRun: true, priority: -5, order: 9), TieBreak(isRun: false, priority: 5, order: 0)),
    (TieBreak(isRun: false, priority: 1, order: 9), TieBreak(isRun: false, priority: 0, order: 0)),
    (TieBreak(isRun: false, priority: 0, order: 0), TieBreak(isRun: false, priority: -1, order: 0)),
    (TieBreak(isRun: false, priority: 0, order: 1), TieBreak(isRun: false, priority: 0, order: 2)),
    (TieBreak(isRun: false, priority: .max, order: 1), TieBreak(isRun: false, priority: .min, order: 1)),
  ]) func `runs, then priority, then order`(_ first: TieBreak, _ second: TieBreak) {
    #expect(first.rank < second.rank)
  }
}
