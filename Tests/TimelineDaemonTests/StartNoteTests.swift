import Testing
import TimelineCore
import TimelineEngine
import TimelineSystem
import TimelineTestSupport

@testable import TimelineDaemon

/// What a daemon notes of its starts, and what the next one reads of it.
@Suite struct StartNoteTests {
  static func attempt(_ number: UInt64, of job: String = "backup", cause: RunCause = .schedule) throws
    -> Attempt
  {
    let nominal = WallInstant(secondsSinceEpoch: 1_800_000_000 + Int64(number))
    return Attempt(
      run: RunID(number: number), entry: EntryKey(job: try #require(JobName(job)), nominal: nominal),
      cause: cause,
      number: Int(number % 3) + 1, startedAt: nominal + .nanoseconds(7), entryCount: Int(number % 5) + 1)
  }

  @Test func `a block says what was about to be started`() throws {
    let causes: [RunCause] = [.schedule, .missed, .trigger, .reaction, .recovery]
    let attempts = try causes.enumerated().map { try Self.attempt(UInt64($0 + 1), cause: $1) }
    let block = StartNote.block(attempts, generation: 7, boot: "b")
    #expect(StartNote.read(block, boot: "b").attempts == attempts)
    #expect(StartNote.read(block + [UInt8](repeating: 0, count: 100), boot: "b").generation == 7)
  }

  @Test func `blocks of one generation follow each other, and those of another end them`() throws {
    let first = try StartNote.block([Self.attempt(1)], generation: 2, boot: "b")
    let second = try StartNote.block([Self.attempt(2)], generation: 2, boot: "b")
    let old = try StartNote.block([Self.attempt(3)], generation: 1, boot: "b")
    #expect(
      try StartNote.read(first + second + old, boot: "b").attempts == [Self.attempt(1), Self.attempt(2)])
  }

  @Test func `another boot's notes count for nothing`() throws {
    let block = try StartNote.block([Self.attempt(1)], generation: 2, boot: "b")
    #expect(StartNote.read(block, boot: "c").attempts.isEmpty)
  }

  @Test func `a block that was not written whole, or has one bit changed, is none`() throws {
    let first = try StartNote.block([Self.attempt(1)], generation: 2, boot: "b")
    let second = try StartNote.block([Self.attempt(2), Self.attempt(3)], generation: 2, boot: "b")
    for length in 0..<second.count {
      #expect(try StartNote.read(first + second.prefix(length), boot: "b").attempts == [Self.attempt(1)])
    }
    for place in second.indices {
      for bit in 0..<8 {
        var damaged = second
        damaged[place] ^= 1 << UInt8(bit)
        #expect(try StartNote.read(first + damaged, boot: "b").attempts == [Self.attempt(1)])
      }
    }
  }

  @Test func `notes are found by who comes next, until they are cleared away`() throws {
    let workshop = try Workshop()
    let path = workshop.path + "/starts"
    let first = try StartNotes(path: path, boot: "b")
    #expect(first.left.isEmpty)
    #expect(try first.note([Self.attempt(1)]))
    #expect(try first.note([Self.attempt(2)]))
    let second = try StartNotes(path: path, boot: "b")
    #expect(try second.left == [Self.attempt(1), Self.attempt(2)])
    #expect(try !second.note([Self.attempt(3)]), "what is there has not been taken over")
    second.clear()
    #expect(try second.note([Self.attempt(3)]))
    let third = try StartNotes(path: path, boot: "b")
    #expect(try third.left == [Self.attempt(3)])
    third.clear()
    #expect(try StartNotes(path: path, boot: "b").left.isEmpty)
    #expect(try StartNotes(path: path, boot: "other").left.isEmpty)
  }
}
