import Testing
import TimelineCore
import TimelineLedger

@testable import TimelineDaemon

@Suite struct `The queue of a backfill` {
  private let schedule: ScheduleRule

  init() throws {
    schedule = .periodic(try PeriodicSchedule(from: WallInstant(secondsSinceEpoch: 0), by: .seconds(10)))
  }

  private func at(_ second: Int64) -> WallInstant { WallInstant(secondsSinceEpoch: second) }

  private func backfill(_ newestFirst: Bool, position: Int64? = nil) throws -> Backfill {
    var request = Backfill.Request(from: at(5), until: at(6_000), outcomes: [.failed])
    request.isNewestFirst = newestFirst
    let job = try #require(JobName("job"))
    var backfill = Backfill(
      number: 1, job: job, schedule: "", request, totalCount: 0, unrecordedCount: 0,
      by: Operator(user: 0, process: 1), at: at(6_000))
    backfill.position = position.map(at)
    return backfill
  }

  /// The entries in the order in which the queue gives them; every third of the schedule is found.
  private func order(_ queue: BackfillQueue) -> (entries: [WallInstant], portions: Int) {
    var (queue, entries, portions) = (queue, [WallInstant](), 0)
    while !queue.isEmpty {
      if let portion = queue.portion(of: schedule) {
        let all = (0..<600).map { at($0 * 10) }.filter(portion.contains)
        queue.add(all.filter { $0.nanosecondsSinceEpoch / 10_000_000_000 % 3 == 0 }, from: portion)
        portions += 1
        #expect(all.count <= BackfillQueue.portionMax)
      }
      while let entry = queue.next() { entries.append(entry) }
      if portions > 100 { break }
    }
    return (entries, portions)
  }

  @Test(arguments: [false, true])
  func `gives each entry of the stretch once, in its order and in portions`(_ newestFirst: Bool) throws {
    let found = order(BackfillQueue(try backfill(newestFirst)))
    let wanted = stride(from: Int64(30), to: 6_000, by: 30).map(at)
    #expect(found.entries == (newestFirst ? wanted.reversed() : wanted))
    #expect(found.portions == 3, "599 entries, 200 in a portion")
  }

  @Test(arguments: [false, true])
  func `goes on after the position`(_ newestFirst: Bool) throws {
    let found = order(BackfillQueue(try backfill(newestFirst, position: 3_000)))
    #expect(found.entries.first == at(newestFirst ? 2_970 : 3_030))
    #expect(found.entries.last == at(newestFirst ? 30 : 5_970))
  }

  @Test func `gives an entry again that was put back`() throws {
    var queue = BackfillQueue(try backfill(false))
    let portion = try #require(queue.portion(of: schedule))
    queue.add([at(10), at(20)], from: portion)
    #expect(queue.portion(of: schedule) == nil, "some are left")
    #expect(queue.next() == at(10))
    queue.putBack(at(10))
    #expect([queue.next(), queue.next(), queue.next()] == [at(10), at(20), nil])
  }
}
