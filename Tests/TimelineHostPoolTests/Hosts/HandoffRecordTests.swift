import Testing
import TimelineCore

@testable import TimelineWire

@Suite struct `The hand-off record of a host` {
  static func memos() throws -> [HandoffRecord] {
    let job = try #require(JobName("report"))
    let longest = try #require(JobName(String(repeating: "j", count: JobName.lengthMax)))
    let run = HandoffRecord.Run(number: 7, job: job, nominal: .epoch, attempt: 1)
    let other = HandoffRecord.Run(number: .max, job: longest, nominal: .max, attempt: .max)
    var memos = [
      try HandoffRecord(process: 2, pluginPath: "/a.so", user: nil),
      try HandoffRecord(
        process: .max, pluginPath: String(repeating: "p", count: WireLimits.pathMax),
        user: String(repeating: "u", count: WireLimits.userMax), leftovers: .keep),
    ]
    for index in memos.indices {
      var memo = memos[index]
      memo.running = run
      memos.append(memo)
      memo.ending = HandoffRecord.Ending(
        run: other,
        end: try RunEnd(
          run: other.number, status: .succeeded, text: String(repeating: "é", count: 5_000),
          cursor: Array(repeating: 255, count: WireLimits.cursorMax), call: .init(began: -1, took: .max)))
      memos.append(memo)
      memo.running = nil
      memos.append(memo)
    }
    return memos
  }

  @Test func `decoding an encoded record returns the same record`() throws {
    for memo in try Self.memos() {
      let bytes = memo.encoded()
      #expect(bytes.count <= WireLimits.messageMax)
      let read = try HandoffRecord(decoding: bytes)
      #expect(read == memo && read.encoded() == bytes)
    }
  }

  @Test func `bytes that are shorter, longer or of another version are refused`() throws {
    for memo in try Self.memos() {
      let bytes = memo.encoded()
      for length in Set([0, 1, 2, 5, bytes.count / 2, bytes.count - 1]) {
        #expect(throws: WireError.self) { try HandoffRecord(decoding: Array(bytes.prefix(length))) }
      }
      #expect(throws: WireError.trailing(bytes: 1)) { try HandoffRecord(decoding: bytes + [0]) }
      #expect(throws: WireError.version(found: bytes[0] + 1)) {
        try HandoffRecord(decoding: [bytes[0] + 1] + bytes.dropFirst())
      }
    }
    #expect(throws: WireError.kind(71)) {
      try HandoffRecord(decoding: HostMessage.ended(RunEnd(run: 1, failure: "no")).encoded())
    }
    // Numbers up to 1 would signal process 1 or a whole set of processes.
    for process: Int32 in [-1, 0, 1] {
      let bytes = try HandoffRecord(process: process, pluginPath: "/a.so", user: nil).encoded()
      #expect(throws: WireError.malformed(field: "process")) { try HandoffRecord(decoding: bytes) }
    }
  }

  @Test func `a record whose ending has the number of another run is refused`() throws {
    var memo = try #require(try Self.memos().first { $0.ending != nil })
    memo.ending?.run.number -= 1
    #expect(throws: WireError.malformed(field: "end")) { try HandoffRecord(decoding: memo.encoded()) }
  }
}
