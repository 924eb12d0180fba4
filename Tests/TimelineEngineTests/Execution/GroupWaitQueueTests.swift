import Testing
import TimelineCore
import TimelineTestSupport

@testable import TimelineEngine

@Suite struct `The queue of waiting jobs` {
  /// The properties of a job that the queue reads.
  struct Job {
    let groups: [Int]
    var rank: WallInstant?
    var isListed = false
  }

  /// The jobs whose turn comes in one search, by the rule itself: each turn looks at all jobs.
  private func scan(_ jobs: [Job], groupCount: Int, starts: (Int) -> Bool) -> [Int] {
    var (jobs, reserved, turns) = (jobs, Set<Int>(), [Int]())
    while true {
      let candidates = jobs.indices.filter { index in
        jobs[index].rank != nil && !jobs[index].groups.allSatisfy { reserved.contains($0) }
      }
      guard
        let first = candidates.min(by: {
          (jobs[$0].rank ?? .max, $0) < (jobs[$1].rank ?? .max, $1)
        })
      else { return turns }
      turns.append(first)
      if starts(first), reserved.isDisjoint(with: jobs[first].groups) {
        jobs[first].rank = nil
      } else {
        reserved.formUnion(jobs[first].groups)
      }
    }
  }

  /// The same from a queue, which only receives arrivals.
  private func search(_ line: inout GroupWaitQueue, _ jobs: inout [Job], starts: (Int) -> Bool) -> [Int] {
    var turns: [Int] = []
    line.beginSearch()
    while let place = line.first({ index in
      if jobs[index].rank == nil { jobs[index].isListed = false }
      return jobs[index].rank
    }) {
      let index = Int(place.job)
      turns.append(index)
      if starts(index), !jobs[index].groups.contains(where: { line.isReserved($0) }) {
        jobs[index].rank = nil
      } else {
        for group in jobs[index].groups { line.reserve(group) }
      }
    }
    return turns
  }

  @Test(arguments: 1...200 as ClosedRange<UInt64>)
  func `serves the same jobs as a search of all that wait`(seed: UInt64) {
    var dice = SeededGenerator(seed: seed)
    let groupCount = Int.random(in: 1...4, using: &dice)
    var jobs = (0..<Int.random(in: 1...20, using: &dice)).map { _ in
      Job(
        groups: (0..<groupCount).shuffled(using: &dice).prefix(Int.random(in: 1...groupCount, using: &dice))
          .sorted())
    }
    var line = GroupWaitQueue(groupCount: groupCount)
    var now: Int64 = 0
    for step in 0..<300 {
      now += Int64.random(in: 0...2, using: &dice)
      let index = Int.random(in: jobs.indices, using: &dice)
      switch Int.random(in: 0..<4, using: &dice) {
      case 0:
        jobs[index].rank = nil
      case 1, 2:
        // It arrives, or its first entry has made way for a later one; few instants, so that many are equal.
        jobs[index].rank = WallInstant(nanosecondsSinceEpoch: now / 3)
        if !jobs[index].isListed {
          jobs[index].isListed = true
          let place = GroupWaitQueue.Place(rank: jobs[index].rank ?? .max, job: Int32(index))
          line.insert(place, into: line.queue(for: jobs[index].groups))
        }
      default:
        let lucky = Set(jobs.indices.filter { _ in dice.happens(percent: 40) })
        let expected = scan(jobs, groupCount: groupCount) { lucky.contains($0) }
        let turns = search(&line, &jobs) { lucky.contains($0) }
        #expect(turns == expected, "seed \(seed), step \(step)")
        guard turns == expected else { return }
      }
    }
  }

  @Test func `is not searched if its first job cannot start`() {
    var line = GroupWaitQueue(groupCount: 1)
    let queue = line.queue(for: [0])
    for job in 0..<1_000 {
      line.insert(
        GroupWaitQueue.Place(rank: WallInstant(nanosecondsSinceEpoch: Int64(job)), job: Int32(job)),
        into: queue)
    }
    var questions = 0
    line.beginSearch()
    let first = line.first { job in
      questions += 1
      return WallInstant(nanosecondsSinceEpoch: Int64(job))
    }
    line.reserve(0)
    #expect(first?.job == 0)
    #expect(line.first { _ in nil } == nil)
    #expect(questions == 1 && line.count == 1_000)
  }
}
