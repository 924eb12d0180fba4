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
  private let boot: String

  init() throws {
    workshop = try Workshop()
    boot = try #require(Machine.bootIdentity)
    book = try LedgerBook(
      folder: workshop.path, settings: LedgerSettings(),
      announcer: Announcer(usesJournal: false, now: { .epoch }, write: { _ in }), loop: EventLoop(),
      now: { .epoch })
    try book.ledger.adopt(
      jobs: [
        LedgerJob(name: try #require(JobName("backup")), schedule: "s", isCounted: true),
        LedgerJob(name: try #require(JobName("mail")), schedule: "s", delivery: .atLeastOnce),
      ], at: .epoch)
  }

  /// The runs whose starts a daemon would find noted that came now.
  private func noted() throws -> [UInt64] {
    try StartNotes(path: workshop.path + "/starts", boot: boot).left.map(\.run.number)
  }

  private func start(_ number: UInt64, of job: String = "backup", _ cause: RunCause = .schedule) throws {
    let attempt = try StartNoteTests.attempt(number, of: job, cause: cause)
    #expect(book.foretell([.start(attempt)], from: 0) == 1)
  }

  @Test func `of a job that is counted a start is noted whose number is not filed, and none after it`() throws
  {
    try start(1)
    #expect(try noted() == [1])
    book.endTurn(nextDeadline: nil)
    #expect(try noted() == [])
    for number: UInt64 in 2...1001 {
      try start(number)
      #expect(try noted() == [], "run \(number)")
    }
    try start(1002)
    #expect(try noted() == [1002], "the numbers that were filed at once are given")
  }

  @Test func `a start of which the ledger keeps more than its number is noted`() throws {
    try start(1)
    book.endTurn(nextDeadline: nil)
    try start(2, .trigger)
    #expect(try noted() == [2])
  }

  @Test func `a start of a job that is not counted is noted`() throws {
    try start(1)
    book.endTurn(nextDeadline: nil)
    try start(2, of: "mail")
    #expect(try noted() == [2])
  }
}
