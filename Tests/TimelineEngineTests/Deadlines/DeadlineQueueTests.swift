import Testing
import TimelineCore
import TimelineEngineTestSupport
import TimelineTestSupport

@testable import TimelineEngine

@Suite struct `The queue of deadlines` {
  /// An entry of the reference model, with the documented order.
  private struct Entry: Comparable {
    var deadline: WallInstant
    var handle: DeadlineHandle
    var priority: Int
    var order: Int

    static func < (left: Entry, right: Entry) -> Bool {
      if left.deadline != right.deadline { return left.deadline < right.deadline }
      if left.handle.isRun != right.handle.isRun { return left.handle.isRun }
      return (-left.priority, left.order, left.handle.index)
        < (-right.priority, right.order, right.handle.index)
    }
  }

  /// Distribution of deadlines.
  enum Shape: CaseIterable {
    case even, crowded, atOneInstant, onMinutes, farApart, descending, extreme

    func deadline(_ number: Int, _ random: inout SeededGenerator) -> WallInstant {
      switch self {
      case .even: .epoch + .nanoseconds(random.seconds(0...3_600_000_000_000))
      case .crowded:
        .epoch + .nanoseconds(random.seconds(0...5) * 3_600_000_000_000 + random.seconds(0...99))
      case .atOneInstant: t(1_800_000_000)
      case .onMinutes: t(1_800_000_000 + 60 * random.seconds(0...20))
      case .farApart: .epoch + .nanoseconds(Int64(1) << random.seconds(0...62))
      case .descending: t(1_800_000_000 - Int64(number))
      case .extreme: [.min, .epoch - .nanoseconds(1), .epoch, .max][Int(random.seconds(0...3))]
      }
    }
  }

  private struct Model {
    var queue = DeadlineQueue()
    var entries: [DeadlineHandle: Entry] = [:]
    var random: SeededGenerator

    mutating func set(_ handle: DeadlineHandle, _ deadline: WallInstant) {
      // Priorities and jobs of a run's slot change from run to run; those of a job do not while it has a deadline.
      let priority = handle.isRun ? Int(random.seconds(-1...1)) : handle.index % 3
      let order = handle.isRun ? Int(random.seconds(0...3)) : handle.index
      let tie = TieBreak(priority: priority)
      if handle.isRun {
        queue.setRun(handle.index, at: deadline, tie: tie, order: order)
      } else {
        queue.setEntry(handle.index, at: deadline, tie: tie)
      }
      entries[handle] = Entry(deadline: deadline, handle: handle, priority: priority, order: order)
    }

    mutating func remove(_ handle: DeadlineHandle) {
      queue.remove(handle)
      entries[handle] = nil
    }

    mutating func handle(of range: Int) -> DeadlineHandle {
      let index = Int.random(in: 0..<range, using: &random)
      return random.happens(percent: 50) ? .job(index) : .run(index)
    }

    /// Removes all entries, and returns whether they came in order.
    mutating func drain() -> Bool {
      let expected = entries.values.sorted()
      var drained: [DeadlineQueue.Record] = []
      while let first = queue.first {
        drained.append(first)
        queue.remove(first.handle)
      }
      return drained == expected.map { DeadlineQueue.Record(deadline: $0.deadline, handle: $0.handle) }
        && queue.count == 0
    }
  }

  @Test(arguments: UInt64(1)...20, Shape.allCases)
  func `it returns the same as a sorted list`(_ seed: UInt64, _ shape: Shape) {
    var model = Model(random: SeededGenerator(seed: seed))
    for number in 0..<600 {
      let handle = model.handle(of: 40)
      if model.random.happens(percent: 30) {
        model.remove(handle)
      } else {
        model.set(handle, shape.deadline(number, &model.random))
      }
      #expect(model.queue.count == model.entries.count)
      #expect(model.queue.deadline(of: handle) == model.entries[handle]?.deadline)
      // Not read after every change, because the result must not depend on when the queue is read.
      guard number % 3 == 0 else { continue }
      let first = model.queue.first
      #expect(first?.handle == model.entries.values.min()?.handle, "seed \(seed)")
    }
    let isInOrder = model.drain()
    #expect(isInOrder, "seed \(seed)")
  }

  @Test(arguments: UInt64(1)...10, Shape.allCases)
  func `the entries that come first together are counted up to a limit`(_ seed: UInt64, _ shape: Shape) {
    var model = Model(random: SeededGenerator(seed: seed))
    for number in 0..<300 { model.set(.job(number), shape.deadline(number, &model.random)) }
    while let first = model.queue.first {
      let together = model.entries.values.filter { $0.deadline == first.deadline }.count
      #expect(model.queue.countOfFirst(atMost: 1_000) == together, "seed \(seed)")
      #expect(model.queue.countOfFirst(atMost: 7) == min(together, 7), "seed \(seed)")
      for (handle, entry) in model.entries where entry.deadline == first.deadline { model.remove(handle) }
    }
    #expect(model.queue.countOfFirst(atMost: 7) == 0)
    model.set(.run(0), t(1))
    model.set(.job(0), t(2))
    _ = model.queue.first
    #expect(model.queue.countOfFirst(atMost: 7) == 0, "a run comes before the entries")
  }

  @Test(arguments: Shape.allCases) func `it returns many entries in order`(_ shape: Shape) {
    var model = Model(random: SeededGenerator(seed: 5))
    for number in 0..<20_000 {
      model.set(number % 2 == 0 ? .job(number / 2) : .run(number / 2), shape.deadline(number, &model.random))
    }
    for number in 0..<10_000 { model.set(model.handle(of: 10_000), shape.deadline(number, &model.random)) }
    for _ in 0..<5_000 { model.remove(model.handle(of: 10_000)) }
    let isInOrder = model.drain()
    #expect(isInOrder)
  }

  @Test(arguments: Shape.allCases) func `the first entry can be postponed again and again`(_ shape: Shape) {
    var model = Model(random: SeededGenerator(seed: 6))
    for number in 0..<3_000 { model.set(.job(number), shape.deadline(number, &model.random)) }
    var former: Entry?
    for number in 0..<20_000 {
      guard let first = model.queue.first, let entry = model.entries[first.handle] else {
        Issue.record("a job was lost")
        return
      }
      #expect(entry.deadline == first.deadline)
      if let former { #expect(former < entry, "after \(number)") }
      former = entry
      let length = ElapsedTime.nanoseconds(model.random.seconds(1...60_000_000_000))
      if first.deadline + length == .max { break }
      model.set(first.handle, first.deadline + length)
    }
    #expect(model.queue.count == 3_000)
  }

  @Test func `a clock that goes back again and again keeps the order`() {
    var model = Model(random: SeededGenerator(seed: 8))
    for number in 0..<5_000 { model.set(.job(number), t(1_000_000 + Int64(number))) }
    for number in 0..<20_000 {
      _ = model.queue.first
      model.set(.job(5_000 + number), t(1_000_000 - Int64(number)))
    }
    let isInOrder = model.drain()
    #expect(isInOrder)
  }

  @Test func `all entries can be removed and set again`() {
    var model = Model(random: SeededGenerator(seed: 9))
    for number in 0..<1_000 { model.set(.job(number), t(Int64(number))) }
    _ = model.queue.first
    model.queue.removeAll()
    model.entries = [:]
    let first = model.queue.first
    #expect(first == nil && model.queue.count == 0)
    for number in 0..<1_000 { model.set(.job(number), t(Int64(number % 7))) }
    let isInOrder = model.drain()
    #expect(isInOrder)
  }

  @Test(arguments: [(1, 0), (0, -1), (Int.max, 5), (-5, Int.min), (1_000_000_000, 999_999_999)])
  func `the higher priority goes first`(_ first: Int, _ second: Int) {
    #expect(TieBreak(priority: first).rank < TieBreak(priority: second).rank)
  }
}
