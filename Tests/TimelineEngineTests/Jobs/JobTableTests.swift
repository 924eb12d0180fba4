import Testing
import TimelineCore
import TimelineEngineTestSupport

@testable import TimelineEngine

@Suite struct `The table of jobs` {
  private func table(_ names: String...) -> JobTable {
    var table = JobTable(minimumCapacity: names.count)
    for text in names { table.append(JobState(job(text, every(10)), at: t(0), decided: nil)) }
    return table
  }

  @Test func `finds configured jobs by name, and keeps others by position`() {
    var table = table("a", "b")
    let retired = table.appendRetired(JobState(job("c", every(10)), at: t(0), decided: nil))
    #expect(retired == 2 && table.indices == 0..<3 && table.configured == 0..<2)
    #expect(table.index(named: name("b")) == 1 && table.index(named: name("c")) == nil)
    #expect(table.retiredIndex(named: name("c")) == 2 && table.retiredIndex(named: name("b")) == nil)
    #expect(table[2].isRetired && !table[1].isRetired)
  }

  @Test(arguments: [1, 0, 2, 9, -1] as [Int32])
  func `finds the job of an entry whose position is out of date`(_ position: Int32) {
    let key = EntryKey(job: name("b"), nominal: t(0), jobSlot: JobSlot(number: position))
    #expect(table("a", "b").index(of: key) == 1)
    #expect(table("a", "c").index(of: key) == nil)
  }

  @Test func `returns keys with the slot of their job`() {
    let key = table("a", "b").key(1, t(20))
    #expect(key == EntryKey(job: name("b"), nominal: t(20)) && key.jobSlot.index == 1)
  }

  @Test func `lists jobs that are inexact, and once each job with an entry that has waited`() {
    var table = table("a", "b")
    var jittered = job("j", every(10))
    jittered.timing.jitter = .seconds(1)
    table.append(JobState(jittered, at: t(0), decided: nil))
    #expect(table.inexact == [2])
    table.noteWaited(1)
    table.noteWaited(1)
    #expect(table.withPastWaits == [1])
    // In another table no entry has waited yet.
    var next = JobTable(minimumCapacity: 1)
    next.append(table[1])
    next.noteWaited(0)
    #expect(next.withPastWaits == [0])
  }
}
