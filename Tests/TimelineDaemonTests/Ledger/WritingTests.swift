import Foundation
import Testing
import TimelineConfiguration
import TimelineCore
import TimelineEngine
import TimelineSystem
import TimelineTestSupport

@testable import TimelineDaemon
@testable import TimelineLedger

/// Choice of the moment at which the ledger is written: at the end of a loop iteration or a little later.
@Suite struct WritingTests {
  private final class Clock {
    var instant = SystemTime.monotonic()
  }

  private let workshop: Workshop
  private let loop: EventLoop
  private let clock: Clock
  private let writer: LedgerWriter
  private let job: JobName

  init() throws {
    workshop = try Workshop()
    loop = try EventLoop()
    let clock = Clock()
    self.clock = clock
    writer = try LedgerWriter(
      directory: workshop.path, settings: LedgerSettings(),
      announcer: Announcer(usesJournal: false, now: { .epoch }, write: { _ in }), loop: loop,
      now: { .epoch }, monotonic: { clock.instant })
    job = try #require(JobName("backup"))
    try writer.ledger.adopt(jobs: [LedgerJob(name: job, schedule: "s")], at: .epoch)
  }

  /// Ends an iteration in which an entry was settled, and returns whether the outcome is written.
  private func isWritten(_ second: Int64) -> Bool {
    settle(second)
    writer.endIteration(nextDeadline: nil)
    return writer.ledger.isUpToDate
  }

  private func settle(_ second: Int64, _ reason: String = "") {
    let nominal = WallInstant(secondsSinceEpoch: second)
    writer.settle(
      EntryRecord(
        entry: EntryKey(job: job, nominal: nominal), outcome: .missed, reason: reason, endedAt: nominal),
      cursor: nil)
  }

  @Test func `an outcome right after a transaction waits for a little while, and is written with later ones`()
  {
    #expect(isWritten(1))
    #expect(!isWritten(2) && !isWritten(3))
    #expect(loop.run(atMost: Patience.usual) { writer.ledger.isUpToDate })
    #expect(!isWritten(4), "by this clock no time has passed")
    clock.instant = clock.instant + .milliseconds(5)
    #expect(isWritten(5))
  }

  @Test func `a pause, whose caller waits, is written at once`() {
    #expect(isWritten(1))
    writer.pause(job, since: .epoch)
    #expect(isWritten(2))
  }

  /// Number and reason of outcomes that make the log long.
  private static let endsOfLongLog: Int64 = 4_000
  private static let longReason = String(repeating: "the machine was off; ", count: 20)

  @Test func `a log that a late transaction has made long is put into the file without another iteration`() {
    #expect(isWritten(1))
    #expect(loop.run(atMost: Patience.usual) { !writer.ledger.isSyncing }, "the disk has the new file")
    for second in 2...Self.endsOfLongLog { settle(second, Self.longReason) }
    writer.endIteration(nextDeadline: nil)
    #expect(!writer.ledger.isUpToDate)
    #expect(loop.run(atMost: Patience.usual) { writer.ledger.isUpToDate })
    #expect(writer.ledger.isSyncing)
  }

  @Test func `a query finds outcomes that are not yet written, and a close loses none`() throws {
    #expect(isWritten(1))
    #expect(!isWritten(2))
    #expect(try writer.ledger.history(HistoryQuery()).count == 2)
    #expect(!isWritten(3))
    writer.close()
    let memory = try Ledger(path: workshop.path + "/ledger.sqlite", boot: nil)
    #expect(try memory.history(HistoryQuery()).count == 3)
  }

  @Test func `a ledger whose file was removed has a fault from the next tidying on, and logs it once`() throws
  {
    let told = Told()
    let writer = try otherWriter(telling: told)
    writer.endIteration(nextDeadline: nil)
    #expect(loop.run(atMost: Patience.usual) { !writer.ledger.isSyncing }, "the disk has the new file")
    writer.tidy()
    #expect(writer.fault == nil)
    try FileManager.default.removeItem(atPath: workshop.path + "/other/ledger.sqlite")
    writer.tidy()
    #expect(loop.run(atMost: Patience.usual) { writer.fault != nil })
    #expect(writer.fault?.contains("the ledger's file was removed or replaced") == true)
    writer.commit()
    writer.tidy()
    writer.close()
    #expect(writer.fault != nil)
    #expect(told.lines.count { $0.contains("removed or replaced") } == 1, "\(told.lines)")
    #expect(!told.lines.contains { $0.contains("can be written again") })
  }

  @Test func `a failed wait for the disk is repeated after a second, and its recovery is reported`()
    throws
  {
    let told = Told()
    let writer = try otherWriter(telling: told)
    writer.ledger.database.syncFailure = 1_034
    writer.endIteration(nextDeadline: nil)
    #expect(loop.run(atMost: Patience.usual) { writer.fault != nil })
    let waitCount = writer.ledger.database.waitCount
    writer.ledger.database.syncFailure = nil
    #expect(loop.run(atMost: Patience.usual) { writer.fault == nil })
    #expect(writer.ledger.database.waitCount > waitCount, "the disk was waited for")
    #expect(told.lines.count { $0.contains("error: ") } == 1, "\(told.lines)")
    #expect(told.lines.last?.contains("can be written again, and nothing is missing from it") == true)
  }

  /// Makes a writer of another ledger, whose messages are kept.
  private func otherWriter(telling told: Told) throws -> LedgerWriter {
    let directory = workshop.path + "/other"
    try StateDirectory.prepare(directory)
    let writer = try LedgerWriter(
      directory: directory, settings: LedgerSettings(),
      announcer: Announcer(usesJournal: false, now: { .epoch }, write: { told.lines.append($0) }), loop: loop,
      now: { .epoch }, monotonic: { [clock] in clock.instant })
    try writer.ledger.adopt(jobs: [LedgerJob(name: job, schedule: "s")], at: .epoch)
    return writer
  }

  private final class Told {
    var lines: [String] = []
  }
}
