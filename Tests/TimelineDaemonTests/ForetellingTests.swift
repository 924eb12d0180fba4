import Testing
import TimelineConfiguration
import TimelineCore
import TimelineEngine
import TimelineLedger
import TimelineSystem
import TimelineTestSupport

@testable import TimelineDaemon

/// What the next daemon can know of starts before they are made, and what that costs.
@Suite struct ForetellingTests {
  private let workshop: Workshop
  private let book: LedgerBook

  init() throws {
    workshop = try Workshop()
    book = try LedgerBook(
      directory: workshop.path, settings: LedgerSettings(),
      announcer: Announcer(usesJournal: false, now: { .epoch }, write: { _ in }), loop: EventLoop(),
      now: { .epoch })
    try book.ledger.adopt(
      jobs: [
        LedgerJob(name: try #require(JobName("backup")), schedule: "s", isCounted: true),
        LedgerJob(name: try #require(JobName("mail")), schedule: "s", delivery: .atLeastOnce),
      ], at: .epoch)
  }

  /// The runs whose starts a daemon would find noted that came now.
  private func noted() -> [UInt64] {
    StartNotes(path: workshop.path + "/starts").left.map(\.run.number)
  }

  private func start(_ number: UInt64, of job: String = "backup", _ cause: RunCause = .schedule) throws {
    let attempt = try StartNoteTests.attempt(number, of: job, cause: cause)
    #expect(book.foretell([.start(attempt)], from: 0) == 1)
    book.note(attempt)
  }

  @Test func `of a job that is counted each start is noted until it is filed where the job stands`() throws {
    for number: UInt64 in 1...3 {
      try start(number)
      book.endTurn(nextDeadline: nil)
      #expect(noted() == Array(1...number))
    }
    for number: UInt64 in 1...2 { book.settle(try end(number), cursor: nil) }
    #expect(try book.ledger.fileStands() == false)
    book.forgetNotes()
    #expect(noted() == [3], "it runs, and has no row that says so")
    book.settle(try end(3), cursor: nil)
    #expect(try book.ledger.fileStands() == false)
    book.forgetNotes()
    #expect(noted() == [])
  }

  private func end(_ number: UInt64) throws -> EntryRecord {
    let attempt = try StartNoteTests.attempt(number)
    return EntryRecord(
      entry: attempt.entry, disposition: .succeeded, run: attempt.run, startedAt: attempt.startedAt,
      endedAt: attempt.startedAt, attempts: 1)
  }

  @Test func `a start of which the ledger keeps more than its number is noted`() throws {
    try start(1)
    book.endTurn(nextDeadline: nil)
    try start(2, .trigger)
    #expect(noted() == [1, 2])
  }

  @Test func `a start of a job that is not counted is noted`() throws {
    try start(1)
    book.endTurn(nextDeadline: nil)
    try start(2, of: "mail")
    #expect(noted() == [1, 2])
  }
}
