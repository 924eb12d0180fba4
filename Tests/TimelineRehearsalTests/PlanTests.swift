import Testing
import TimelineCore
import TimelineEngine
import TimelineEngineTestSupport
import TimelineRehearsal

@Suite struct `A plan` {
  /// Changes over [0, `until`) seconds, a line for each job: its change, then added, removed, moved, newly overlapping.
  private func plan(_ old: [JobDefinition], _ new: [JobDefinition], until: Int64 = 100) -> [String] {
    var plan = Plan(
      from: old, DryRun(jobs: old, from: t(0), until: t(until)), to: new,
      DryRun(jobs: new, from: t(0), until: t(until)))
    return plan.run().map {
      "\($0.name) \($0.change.rawValue) +\($0.addedCount) -\($0.removedCount) >\($0.movedCount) !\($0.newOverlapCount)"
    }
  }

  @Test func `two equal configurations have no change`() {
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

  @Test func `jobs are added and removed`() {
    #expect(
      plan(
        [job("old", every(50)), job("stays", every(50))], [job("stays", every(50)), job("new", every(20))])
        == ["stays kept +0 -0 >0 !0", "new added +5 -0 >0 !0", "old removed +0 -2 >0 !0"])
  }

  @Test func `a longer run newly overlaps unchanged entries`() {
    #expect(
      plan([job("a", every(10), lasts: 5)], [job("a", every(10), lasts: 15)])
        == ["a changed +0 -0 >0 !5"])
  }

  @Test func `a change of a job's work is a change, although its entries stay`() {
    var other = job("a", every(10))
    other.revision = 7
    #expect(plan([job("a", every(10))], [other]) == ["a changed +0 -0 >0 !0"])
  }

  /// Old windows, new ones, and how many entries of a day come, go, move or end otherwise.
  private static let windows: [(old: [String], new: [String], expected: String)] = [
    ([], ["12:00-13:00"], "+0 -0 >0 ~12"),
    (["12:00-13:00"], [], "+0 -0 >0 ~12"),
    (["12:00-13:00"], ["12:00-13:00"], "+0 -0 >0 ~0"),
    (["12:00-13:00"], ["12:00-14:00"], "+0 -0 >0 ~12"),
    (["12:00-13:00"], ["11:00-13:00"], "+0 -0 >0 ~12"),
    (["11:00-13:00"], ["12:00-14:00"], "+0 -0 >0 ~24"),
    (["11:00-14:00"], ["12:00-13:00"], "+0 -0 >0 ~24"),
    (["12:00-13:00"], ["14:00-15:00"], "+0 -0 >0 ~24"),
    (["12:00-13:00"], ["01:00-23:59"], "+0 -0 >0 ~264"),
  ]

  @Test(arguments: windows) func `entries that windows exclude together are compared one by one`(
    row: (old: [String], new: [String], expected: String)
  ) throws {
    func job(_ windows: [String]) throws -> JobDefinition {
      var conditions = ComposedSchedule.Conditions()
      conditions.except = try windows.map { try CivilWindow(parsing: $0) }
      return TimelineEngineTestSupport.job(
        "a", .composed(try ComposedSchedule([every(300)], conditions: conditions, zone: .utc)))
    }
    #expect(try counts(job(row.old), job(row.new), until: 86_400) == row.expected)
  }

  private func counts(_ old: JobDefinition, _ new: JobDefinition, until: Int64) -> String {
    var plan = Plan(
      from: [old], DryRun(jobs: [old], from: t(0), until: t(until)), to: [new],
      DryRun(jobs: [new], from: t(0), until: t(until)))
    return plan.run().map {
      "+\($0.addedCount) -\($0.removedCount) >\($0.movedCount) ~\($0.otherEndCount)"
    }.joined()
  }

  @Test func `an excluded entry that the old rule did not have is added`() throws {
    var conditions = ComposedSchedule.Conditions()
    conditions.except = [try CivilWindow(parsing: "00:10-00:20")]
    let rarer = job("a", .composed(try ComposedSchedule([every(300)], conditions: conditions, zone: .utc)))
    // Minutes 10 and 15 are excluded; the old rule has 12 too.
    #expect(counts(job("a", at(0, 300, 600, 720, 900, 1_200)), rarer, until: 1_500) == "+0 -1 >0 ~2")
    #expect(counts(job("a", at(0, 300, 900, 1_200)), rarer, until: 1_500) == "+1 -0 >0 ~1")
  }

  @Test func `entries that are counted by the minute are compared by their number`() {
    var slow = job("a", every(.milliseconds(500)))
    slow.policies.expect = .milliseconds(700)
    // Every second entry of two minutes is overlapped.
    #expect(counts(job("a", every(.milliseconds(500))), slow, until: 120) == "+0 -0 >0 ~120")
  }
}
