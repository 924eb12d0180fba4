import Testing
import TimelineCore
import TimelineEngineTestSupport

@testable import TimelineEngine

@Suite struct `The plan of a reload` {
  /// Jobs `a`, `b` and `fast`, and `gone`, which was removed while it ran.
  private var table: JobTable {
    var table = JobTable(minimumCapacity: 4)
    for definition in [job("a", every(10)), job("b", every(20)), job("fast", every(.milliseconds(100)))] {
      table.append(JobState(definition, at: t(0), decided: nil))
    }
    _ = table.appendRetired(JobState(job("gone", every(10)), at: t(0), decided: nil))
    return table
  }

  @Test(
    arguments: [
      (job("a", every(10)), 0, .none),
      (job("a", every(10)) { $0.priority = 1 }, 0, .changed),
      (job("a", every(11)), 0, .rescheduled(wasCounted: false)),
      (job("fast", every(11)), 2, .rescheduled(wasCounted: true)),
      (job("gone", every(10)), 3, .changed),
      (job("gone", every(11)), 3, .changed),
      (job("new", every(10)), nil, .added),
    ] as [(JobDefinition, Int?, ReloadPlan.Change)])
  func `goes on from the job of the same name`(
    _ definition: JobDefinition, _ former: Int?, _ change: ReloadPlan.Change
  ) {
    let plan = ReloadPlan(from: table, to: [definition])
    #expect(plan.steps == [ReloadPlan.Step(former: former, change: change)])
    #expect(plan.successors.compactMap(\.self) == (former == nil ? [] : [definition]))
    #expect(plan.removed == (0..<4).filter { $0 != former })
  }

  @Test func `is in the order of the new configuration`() {
    let plan = ReloadPlan(from: table, to: [job("b", every(20)), job("new", every(1)), job("a", every(10))])
    #expect(plan.steps.map(\.former) == [1, nil, 0])
    #expect(plan.removed == [2, 3])
  }
}
