import Foundation
import Testing
import TimelineCore
import TimelineEngine
import TimelineSystem
import TimelineTestSupport

@testable import TimelineDaemon

/// Notes of a daemon about its starts, and what the next one reads of them.
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

  @Test func `a block holds the starts that are about to be made`() throws {
    let causes: [RunCause] = [.schedule, .missed, .trigger, .rerun, .reaction, .recovery]
    let attempts = try causes.enumerated().map { try Self.attempt(UInt64($0 + 1), cause: $1) }
    let block = StartNote.block(attempts, generation: 7)
    #expect(StartNote.read(block).attempts == attempts)
    #expect(StartNote.read(block + [UInt8](repeating: 0, count: 100)).generation == 7)
  }

  @Test func `reading continues over blocks of one generation, and ends at another`() throws {
    let first = try StartNote.block([Self.attempt(1)], generation: 2)
    let second = try StartNote.block([Self.attempt(2)], generation: 2)
    let old = try StartNote.block([Self.attempt(3)], generation: 1)
    #expect(
      try StartNote.read(first + second + old).attempts == [Self.attempt(1), Self.attempt(2)])
  }

  @Test func `a block that was not written whole, or has one bit changed, is invalid`() throws {
    let first = try StartNote.block([Self.attempt(1)], generation: 2)
    let second = try StartNote.block([Self.attempt(2), Self.attempt(3)], generation: 2)
    for length in 0..<second.count {
      #expect(try StartNote.read(first + second.prefix(length)).attempts == [Self.attempt(1)])
    }
    for place in second.indices {
      for bit in 0..<8 {
        var damaged = second
        damaged[place] ^= 1 << UInt8(bit)
        #expect(try StartNote.read(first + damaged).attempts == [Self.attempt(1)])
      }
    }
  }

  @Test func `the next daemon finds the notes until they are removed`() throws {
    let workshop = try Workshop()
    let path = workshop.path + "/starts"
    let first = StartLog(path: path)
    #expect(first.left.isEmpty && first.readFault == nil && first.writeFault == nil)
    #expect(try first.note([Self.attempt(1)]))
    #expect(try first.note([Self.attempt(2)]))
    let second = StartLog(path: path)
    #expect(try second.left == [Self.attempt(1), Self.attempt(2)])
    #expect(try second.note([Self.attempt(3)]), "there is room behind what is there")
    #expect(try StartLog(path: path).left == [Self.attempt(1), Self.attempt(2), Self.attempt(3)])
    second.clear()
    #expect(StartLog(path: path).left.isEmpty)
    #expect(try second.note([Self.attempt(4)]))
    #expect(try StartLog(path: path).left == [Self.attempt(4)])
  }

  @Test func `runs without a row stay noted until they have ended`() throws {
    let workshop = try Workshop()
    let path = workshop.path + "/starts"
    let first = StartLog(path: path)
    let attempts = try [Self.attempt(1), Self.attempt(2), Self.attempt(3)]
    #expect(first.note(attempts[...], hasRow: { $0.run.number == 3 }))
    first.noteEnd(of: RunID(number: 2))
    let second = StartLog(path: path)
    #expect(second.left == attempts && second.ended == [RunID(number: 2)])
    first.clear()
    #expect(StartLog(path: path).left == [attempts[0]])
    first.noteEnd(of: RunID(number: 1))
    let third = StartLog(path: path)
    #expect(third.left == [attempts[0]] && third.ended == [RunID(number: 1)])
    first.clear()
    #expect(StartLog(path: path).left.isEmpty)

    second.adopt([attempts[0]])
    second.clear()
    #expect(StartLog(path: path).left == [attempts[0]], "one that was taken over is noted too")
  }

  @Test func `a start that was taken back does not count, and the attempt before it does`() throws {
    let workshop = try Workshop()
    let path = workshop.path + "/starts"
    let notes = StartLog(path: path)
    var (first, second) = (try Self.attempt(1), try Self.attempt(2))
    first.number = 1
    #expect(notes.note([first, second]))
    notes.unstart(first)
    #expect(StartLog(path: path).left == [second])
    #expect(notes.note([first]), "its plugin is called after all")
    #expect(StartLog(path: path).left == [second, first])

    notes.clear()
    second.number = 2
    #expect(notes.note([first, second], hasRow: { _ in false }))
    notes.unstart(first)
    notes.unstart(second)
    notes.clear()
    second.number = 1
    #expect(StartLog(path: path).left == [second], "a run without a row is between two attempts")
  }

  @Test func `notes that can be read and not written are read`() throws {
    let workshop = try Workshop()
    let path = workshop.path + "/starts"
    #expect(try StartLog(path: path).note([Self.attempt(1)]))
    // The file of a running program cannot be written, not even by root.
    let program = workshop.path + "/sleep"
    try FileManager.default.copyItem(atPath: "/bin/sleep", toPath: program)
    let child = try ChildProcess.spawn(executable: program, arguments: ["60"], environment: [:])
    defer {
      _ = try? child.signal(.kill)
      _ = child.wait()
    }
    let notes = StartLog(path: program)
    #expect(notes.readFault == nil && notes.writeFault?.name == "ETXTBSY")
    #expect(try !notes.note([Self.attempt(2)]))
  }

  @Test func `a directory in place of the notes can be neither read nor written`() throws {
    let workshop = try Workshop()
    let notes = StartLog(path: workshop.path)
    #expect(notes.readFault?.name == "EISDIR" && notes.writeFault?.name == "EISDIR")
    #expect(try !notes.note([Self.attempt(1)]))
  }

  @Test func `a missing file that cannot be created counts as no notes`() throws {
    let notes = StartLog(path: "/proc/self/task/starts")
    #expect(notes.readFault == nil && notes.writeFault != nil && notes.left.isEmpty)
  }

  @Test func `without room the last start of each job, and each start under way, is kept`() throws {
    let workshop = try Workshop()
    let path = workshop.path + "/starts"
    let notes = StartLog(path: path)
    for number in UInt64(1)...2_000 {
      let job = number % 2 == 0 ? "backup" : "mail"
      #expect(try notes.note([Self.attempt(number, of: job)], isOpen: { $0.run.number == 500 }))
    }
    #expect(notes.makeRoom { $0.run.number == 500 })
    #expect(StartLog(path: path).left.map(\.run.number) == [500, 1_999, 2_000])
    #expect(try notes.note([Self.attempt(2_001)]))
    #expect(StartLog(path: path).left.map(\.run.number) == [500, 1_999, 2_000, 2_001])
  }
}
