import Testing
import TimelineCore
import TimelineEngine

@Suite struct `A plan` {
  /// What changes over [0, `until`) seconds, a line for each job: its fate, then added, removed, moved, newly overlapping.
  private func plan(_ old: [JobDefinition], _ new: [JobDefinition], until: Int64 = 100) -> [String] {
    var plan = Plan(
      from: old, DryRun(jobs: old, from: t(0), until: t(until)), to: new,
      DryRun(jobs: new, from: t(0), until: t(until)))
    return plan.run().map {
      "\($0.name) \($0.fate.rawValue) +\($0.addedCount) -\($0.removedCount) >\($0.movedCount) !\($0.newOverlapCount)"
    }
  }

  @Test func `the same twice is no change`() {
    let jobs = [job("a", every(7), lasts: 3), job("b", every(.milliseconds(100)))]
    #expect(plan(jobs, jobs) == ["a kept +0 -0 >0 !0", "b kept +0 -0 >0 !0"])
  }

  @Test(arguments: [
    // every 10 s: 0, 10, ... 90
    (every(10), every(10, from: 3), "a changed +0 -0 >10 !0"),
    (every(10), every(5), "a changed +10 -0 >0 !0"),
    (every(5), every(10), "a changed +0 -10 >0 !0"),
    (at(10, 20, 30), at(10, 30), "a changed +0 -1 >0 !0"),
    (at(10, 20, 30), at(10, 21, 30), "a changed +0 -0 >1 !0"),
    (at(10, 20, 30), at(10, 14, 16, 20, 30), "a changed +2 -0 >0 !0"),
    (at(10), at(50, 60), "a changed +1 -0 >1 !0"),
    (every(.milliseconds(500)), every(.milliseconds(250)), "a changed +200 -0 >0 !0"),
  ])
  func `entries are added, removed and moved`(_ old: ScheduleRule, _ new: ScheduleRule, _ expected: String) {
    #expect(plan([job("a", old)], [job("a", new)]) == [expected])
  }

  @Test func `jobs come and go`() {
    #expect(
      plan(
        [job("old", every(50)), job("stays", every(50))], [job("stays", every(50)), job("new", every(20))])
        == ["stays kept +0 -0 >0 !0", "new added +5 -0 >0 !0", "old removed +0 -2 >0 !0"])
  }

  @Test func `a run that gets longer is in the way of entries that stay`() {
    #expect(
      plan([job("a", every(10), lasts: 5)], [job("a", every(10), lasts: 15)])
        == ["a changed +0 -0 >0 !5"])
  }

  @Test func `what a job does is a change, though its entries stay`() {
    var other = job("a", every(10))
    other.revision = 7
    #expect(plan([job("a", every(10))], [other]) == ["a changed +0 -0 >0 !0"])
  }
}
