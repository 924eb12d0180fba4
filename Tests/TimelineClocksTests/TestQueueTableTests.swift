import Testing

@testable import TimelineTesting

/// Destinations of jobs, by the tasks that they belong to and that hand them over. Task 20 has made a clock.
@Suite struct TestQueueTableTests {
  /// A handover, and the family for which the test queue accepts the job; `nil` if the queue does not accept it.
  struct Row: CustomTestStringConvertible {
    let name: String
    let task: UInt64
    var enqueuer: UInt64 = 0
    var laneFamily: UInt64 = 0
    let family: UInt64?

    var testDescription: String { name }
    var handover: Handover {
      Handover(task: task, enqueuer: enqueuer, laneFamily: laneFamily, watched: 0)
    }
  }

  static let rows = [
    Row(name: "the head comes back from elsewhere", task: 20, family: 20),
    Row(name: "a child of the head", task: 30, enqueuer: 20, family: 20),
    Row(name: "a turn of an actor, from the head", task: 0, enqueuer: 20, family: 20),
    Row(name: "a turn of an actor, from a job of the lane", task: 0, laneFamily: 20, family: 20),
    Row(name: "a task that a member starts as it ends", task: 30, laneFamily: 20, family: 20),
    Row(name: "a runner that the head wakes", task: 10, enqueuer: 20, laneFamily: 20, family: nil),
    Row(name: "a runner that is woken as the head ends", task: 10, laneFamily: 20, family: nil),
    Row(name: "a task of another task", task: 30, enqueuer: 10, family: nil),
    Row(name: "a task of nobody", task: 30, family: nil),
    Row(name: "a task of one that shares an actor", task: 30, enqueuer: 15, laneFamily: 20, family: nil),
  ]

  @Test(arguments: rows) func `the lane takes only jobs of the family`(_ row: Row) {
    var table = TestQueueTable()
    #expect(table.addClock(madeBy: 20) == 20)
    #expect(family(table.sort(row.handover)) == row.family)
    #expect(table.strays.isEmpty)
  }

  @Test func `a runner that was seen before the head ends stays outside`() {
    var table = TestQueueTable()
    #expect(table.addClock(madeBy: 20) == 20)
    #expect(family(table.sort(Handover(task: 25, enqueuer: 10, laneFamily: 0, watched: 0))) == nil)
    #expect(family(table.sort(Handover(task: 25, enqueuer: 0, laneFamily: 20, watched: 0))) == nil)
  }

  @Test func `a child that another task wakes makes the family stray, the head does not`() {
    var table = TestQueueTable()
    #expect(table.addClock(madeBy: 20) == 20)
    #expect(family(table.sort(Handover(task: 30, enqueuer: 20, laneFamily: 0, watched: 0))) == 20)
    #expect(family(table.sort(Handover(task: 20, enqueuer: 0, laneFamily: 0, watched: 0))) == 20)
    #expect(table.strays.isEmpty)
    #expect(family(table.sort(Handover(task: 30, enqueuer: 0, laneFamily: 0, watched: 0))) == 20)
    #expect(table.strays == [20])
  }

  @Test func `a task that began in the turn of an actor makes all families stray`() {
    var table = TestQueueTable()
    #expect(table.addClock(madeBy: 20) == 20)
    #expect(table.addClock(madeBy: 21) == 21)
    #expect(family(table.sort(Handover(task: 30, enqueuer: 0, laneFamily: 20, watched: 0))) == 20)
    #expect(family(table.sort(Handover(task: 31, enqueuer: 30, laneFamily: 20, watched: 0))) == 20)
    #expect(table.strays.isEmpty)
    #expect(family(table.sort(Handover(task: 31, enqueuer: 0, laneFamily: 0, watched: 0))) == 20)
    #expect(table.strays == [20, 21])
  }

  @Test func `without a clock all jobs pass`() {
    var table = TestQueueTable()
    #expect(table.addClock(madeBy: 20) == 20)
    table.removeClock(madeBy: 20)
    #expect(family(table.sort(Handover(task: 20, enqueuer: 0, laneFamily: 0, watched: 0))) == nil)
  }

  private func family(_ destination: TestQueueTable.Destination) -> UInt64? {
    if case .lane(let family) = destination { family } else { nil }
  }
}
