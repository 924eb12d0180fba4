import TimelineCore
import TimelineEngine
import TimelineSystem

// The queue of deadlines: `queue SIZE OPERATIONS [even|minutes]` takes the first of SIZE and sets it again, a period later.
//
// A peer does the same work when it does this, in wrapping arithmetic of 64 bits:
//   state = 88172645463325252
//   draw(): state = state * 6364136223846793005 + 1442695040888963407; gives state >> 33, 31 bits
//   even:    the deadline of number n, n from 0 to SIZE - 1, is at first draw(); each of OPERATIONS times the
//            least (deadline, number) goes on to deadline + 1000000000 + (draw() >> 1)
//   minutes: the same with (draw() % 60) * 60000000000, and then deadline + (1 + (draw() & 63)) * 60000000000
// and the sum is that of all deadlines that were taken, each with its number by exclusive or.

/// Takes what is first and sets it again.
func turnQueue(_ words: [String]) {
  guard (2...3).contains(words.count), let size = Int(words[0]), let operations = Int(words[1]), size > 0,
    let isEven = ["even": true, "minutes": false][words.count == 3 ? words[2] : "even"]
  else { refuse("expected SIZE OPERATIONS [even|minutes]") }
  var state: UInt64 = 88_172_645_463_325_252
  func draw() -> Int64 {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Int64(state >> 33)
  }
  let minute: Int64 = 60_000_000_000
  let tie = TieBreak(priority: 0)
  var queue = DeadlineQueue()
  queue.reserve(size)
  for number in 0..<size {
    let deadline = isEven ? draw() : draw() % 60 * minute
    queue.setEntry(number, at: WallInstant(nanosecondsSinceEpoch: deadline), tie: tie)
  }
  var sum: UInt64 = 0
  let start = SystemTime.monotonic()
  for _ in 0..<operations {
    guard let first = queue.first else { refuse("the queue has lost its deadlines") }
    let deadline = first.deadline.nanosecondsSinceEpoch
    sum &+= UInt64(bitPattern: deadline) ^ UInt64(first.handle.index)
    let next = isEven ? deadline + 1_000_000_000 + draw() >> 1 : deadline + (1 + draw() & 63) * minute
    queue.setEntry(first.handle.index, at: WallInstant(nanosecondsSinceEpoch: next), tie: tie)
  }
  report(operations, sum, since: start)
}
