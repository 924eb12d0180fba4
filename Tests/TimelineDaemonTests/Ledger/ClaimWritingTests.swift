import Testing
import TimelineConfiguration
import TimelineCore
import TimelineEngine
import TimelineLedger
import TimelineSystem
import TimelineTestSupport

@testable import TimelineDaemon

/// Claims of at-most-once jobs reach the disk before their entries fall due, also when the clock is set.
@Suite struct ClaimWritingTests {
  private final class Clock {
    var now = WallInstant(secondsSinceEpoch: 1_000)
  }

  private let workshop: Workshop
  private let loop: EventLoop
  private let clock: Clock
  private let writer: LedgerWriter
  private let entry: EntryKey

  /// Claims an entry that is due in an hour.
  init() throws {
    workshop = try Workshop()
    loop = try EventLoop()
    let clock = Clock()
    self.clock = clock
    writer = try LedgerWriter(
      directory: workshop.path, settings: LedgerSettings(),
      announcer: Announcer(usesJournal: false, now: { clock.now }, write: { _ in }), loop: loop,
      now: { clock.now })
    let job = try #require(JobName("backup"))
    try writer.ledger.adopt(jobs: [LedgerJob(name: job, schedule: "s", delivery: .atMostOnce)], at: clock.now)
    entry = EntryKey(job: job, nominal: clock.now + .hours(1))
    #expect(writer.claim([entry], at: clock.now).map(\.verdict) == [.granted])
    writer.endIteration(nextDeadline: entry.nominal)
    #expect(loop.run(atMost: Patience.usual) { !writer.ledger.isSyncing }, "the disk has the new file")
  }

  private var needsDisk: Bool {
    writer.ledger.needsDisk(
      before: Attempt(run: RunID(number: 1), entry: entry, cause: .schedule, startedAt: entry.nominal))
  }

  @Test(arguments: [-400, 0] as [Int64])
  func `a claim is written when the clock is set to just before its entry`(milliseconds: Int64) throws {
    #expect(needsDisk)
    clock.now = entry.nominal + .milliseconds(milliseconds)
    writer.clockWasStepped()
    #expect(loop.run(atMost: Patience.usual) { !needsDisk })
  }

  @Test func `clock steps that make no entry due soon keep one timer, however many there are`() throws {
    let count = loop.delayCount
    for hours in 1...10 {
      clock.now = clock.now - .hours(Int64(hours))
      writer.clockWasStepped()
    }
    #expect(loop.delayCount == count && needsDisk)
    clock.now = entry.nominal - .milliseconds(400)
    writer.clockWasStepped()
    #expect(loop.run(atMost: Patience.usual) { !needsDisk })
  }
}
