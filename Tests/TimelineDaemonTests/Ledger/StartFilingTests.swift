import Foundation
import Testing
import TimelineCore
import TimelineEngine
import TimelineLedger
import TimelineSystem
import TimelineTestSupport

@testable import TimelineDaemon

/// Notes of starts that the ledger has committed. They are kept for as long as the commit is only in the write-ahead log and
/// could be lost with it.
@Suite struct StartFilingTests {
  private let workshop: Workshop
  private let path: String
  private let log: StartLog

  init() throws {
    workshop = try Workshop()
    path = workshop.path + "/starts"
    log = StartLog(path: path, boot: "this")
  }

  private func note(_ numbers: UInt64..., hasRow: Bool = true) throws {
    for number in numbers { #expect(try log.note([StartNoteTests.attempt(number)], hasRow: { _ in hasRow })) }
  }

  /// The runs whose starts a ledger with this last commit may not have.
  private func left(_ commit: Int64) -> [UInt64] {
    StartLog(path: path, ledgerHas: commit).left.map(\.run.number)
  }

  private func byteCount() throws -> Int {
    StartNote.read(try [UInt8](Data(contentsOf: URL(filePath: path)))).byteCount
  }

  @Test func `a ledger that has lost commits gets the starts since the commit that it has`() throws {
    try note(1)
    log.noteFiling(CommitProgress(last: 5))
    try note(2)
    log.noteFiling(CommitProgress(last: 6))
    try note(3)
    for (commit, runs) in [(7, [3]), (6, [3]), (5, [2, 3]), (4, [1, 2, 3]), (0, [1, 2, 3])]
      as [(Int64, [UInt64])]
    {
      #expect(left(commit) == runs)
    }
    let next = StartLog(path: path, ledgerHas: 4)
    #expect(next.formerFiling == StartNote.Filing(commit: 6, boot: "this"))
    next.noteFiling(CommitProgress(last: 7))
    #expect(left(7) == [] && left(6) == [3])
  }

  @Test func `a commit that cannot be filed is noted, and no start counts as written by it`() throws {
    try note(1)
    log.noteFiling(CommitProgress(last: 5))
    try note(2)
    log.noteCommit(7)
    let length = try byteCount()
    log.noteCommit(8)
    log.noteCommit(8)
    #expect(try byteCount() == length, "commits alone do not make the file grow")
    let next = StartLog(path: path, ledgerHas: 6)
    #expect(next.formerFiling?.commit == 8, "the ledger has lost commits")
    #expect(left(6) == [2] && left(8) == [2] && left(4) == [1, 2])
    log.noteFiling(CommitProgress(last: 9))
    #expect(left(9) == [] && left(8) == [2])
  }

  @Test func `starts are dropped when a checkpoint has written them to the ledger's file`() throws {
    try note(1)
    log.noteFiling(CommitProgress(last: 5))
    try note(2)
    // A checkpoint wrote the first commit to the file; the second start was committed after it.
    log.noteFiling(CommitProgress(last: 7, inFile: 5))
    #expect(left(5) == [2] && left(7) == [])
    try note(3)
    log.noteFiling(CommitProgress(last: 8, inFile: 5))
    #expect(left(5) == [2, 3])
    log.noteFiling(CommitProgress(last: 10, inFile: 9))
    #expect(left(9) == [] && left(0) == [])
    #expect(StartLog(path: path, ledgerHas: 9).formerFiling?.commit == 10)
  }

  @Test func `a run without a row that has not ended stays noted`() throws {
    try note(1, 2, hasRow: false)
    log.noteEnd(of: RunID(number: 1))
    log.noteFiling(CommitProgress(last: 5))
    #expect(left(5) == [2])
    log.noteFiling(CommitProgress(last: 6, inFile: 5))
    #expect(left(6) == [2] && left(5) == [2])
    log.noteEnd(of: RunID(number: 2))
    #expect(StartLog(path: path, ledgerHas: 6).ended == [RunID(number: 2)])
    log.noteFiling(CommitProgress(last: 7, inFile: 5))
    #expect(left(7) == [])
    log.clear()
    #expect(StartLog(path: path, ledgerHas: 0).formerFiling == nil)
  }

  @Test func `ends are read only if the ledger lacks the commit that filed them`() throws {
    try note(1, 2)
    let attempt = try StartNoteTests.attempt(1)
    log.noteFiling(CommitProgress(last: 5))
    log.noteEnd(
      EntryRecord(
        entry: attempt.entry, outcome: .succeeded, run: attempt.run, startedAt: attempt.startedAt,
        endedAt: attempt.startedAt, attempts: 1))
    log.noteFiling(CommitProgress(last: 6))
    log.noteFiling(CommitProgress(last: 7))
    for (commit, ended) in [(7, []), (5, [1]), (4, [1])] as [(Int64, [UInt64])] {
      #expect(StartLog(path: path, ledgerHas: commit).ended == Set(ended.map(RunID.init(number:))))
    }
    log.noteFiling(CommitProgress(last: 8, inFile: 7))
    #expect(StartLog(path: path, ledgerHas: 0).ended == [])
  }

  @Test func `commits without starts do not make the file grow`() throws {
    try note(1)
    log.noteFiling(CommitProgress(last: 5))
    let length = try byteCount()
    for commit in 6...50 as ClosedRange<Int64> { log.noteFiling(CommitProgress(last: commit)) }
    #expect(try byteCount() == length)
    #expect(left(50) == [] && left(49) == [1])
    #expect(StartLog(path: path, ledgerHas: 49).formerFiling?.commit == 50)
  }

  @Test func `many notes request a checkpoint, once for each length`() throws {
    let block = try (1...512).map { try StartNoteTests.attempt($0) }
    #expect(!log.takeCheckpointWish())
    var count = 0
    while !log.takeCheckpointWish() {
      #expect(log.note(block[...]))
      count += 1
    }
    #expect(count * 512 > 10_000 && !log.takeCheckpointWish())
    log.noteFiling(CommitProgress(last: 5))
    for _ in 0..<count { #expect(log.note(block[...])) }
    #expect(log.takeCheckpointWish(), "the checkpoint has not come")
    log.noteFiling(CommitProgress(last: 7, inFile: 6))
    log.noteFiling(CommitProgress(last: 8, inFile: 7))
    #expect(try byteCount() < 1_000 && !log.takeCheckpointWish())
  }

  @Test func `notes that are kept for lack of room are filed as before`() throws {
    for number in 1...20 as ClosedRange<UInt64> { try note(number) }
    log.noteFiling(CommitProgress(last: 5))
    try note(21)
    #expect(log.makeRoom { _ in false })
    #expect(
      left(5) == [21] && left(4) == [21],
      "a later start of the job tells that the earlier entries are decided")
    #expect(StartLog(path: path, ledgerHas: 4).formerFiling?.commit == 5)
  }
}
