import Testing
import TimelineConfiguration
import TimelineCore
import TimelineEngine
import TimelineLedger
import TimelineSystem
import TimelineTestSupport

@testable import TimelineDaemon

/// Starts that are recorded for the next daemon before they are made, and the cost of that.
@Suite struct StartRecordingTests {
  private let workshop: Workshop
  private let writer: LedgerWriter

  init() throws {
    workshop = try Workshop()
    writer = try LedgerWriter(
      directory: workshop.path, settings: LedgerSettings(),
      announcer: Announcer(usesJournal: false, now: { .epoch }, write: { _ in }), loop: EventLoop(),
      now: { .epoch })
    try writer.ledger.adopt(
      jobs: [
        LedgerJob(name: try #require(JobName("backup")), schedule: "s", isCounted: true),
        LedgerJob(name: try #require(JobName("mail")), schedule: "s", delivery: .atLeastOnce),
      ], at: .epoch)
  }

  /// Runs whose starts a new daemon would find noted now.
  private func noted() -> [UInt64] {
    StartLog(path: workshop.path + "/starts").left.map(\.run.number)
  }

  private func start(_ number: UInt64, of job: String = "backup", _ cause: RunCause = .schedule) throws {
    let attempt = try StartNoteTests.attempt(number, of: job, cause: cause)
    #expect(writer.recordStartsAhead([.start(attempt)], from: 0) == 1)
    writer.note(attempt)
  }

  @Test func `each start of a counted job is noted until the watermark of its job is saved`() throws {
    for number: UInt64 in 1...3 {
      try start(number)
      writer.endIteration(nextDeadline: nil)
      #expect(noted() == Array(1...number))
    }
    for number: UInt64 in 1...2 { writer.settle(try end(number), cursor: nil) }
    #expect(try writer.ledger.saveWatermarks() == false)
    writer.fileStartLog()
    #expect(noted() == [3], "it runs, and has no row that says so")
    writer.settle(try end(3), cursor: nil)
    #expect(try writer.ledger.saveWatermarks() == false)
    writer.fileStartLog()
    #expect(noted() == [])
  }

  private func end(_ number: UInt64) throws -> EntryRecord {
    let attempt = try StartNoteTests.attempt(number)
    return EntryRecord(
      entry: attempt.entry, outcome: .succeeded, run: attempt.run, startedAt: attempt.startedAt,
      endedAt: attempt.startedAt, attempts: 1)
  }

  @Test func `a start with more than a number in the ledger is noted`() throws {
    try start(1)
    writer.endIteration(nextDeadline: nil)
    try start(2, .trigger)
    #expect(noted() == [1, 2])
  }

  @Test func `a start of a job that is not counted is noted`() throws {
    try start(1)
    writer.endIteration(nextDeadline: nil)
    try start(2, of: "mail")
    #expect(noted() == [1, 2])
  }
}
