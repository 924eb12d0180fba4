import Foundation
import Testing
import TimelineCore
import TimelineTestSupport

@testable import TimelineSystem

/// Parents and children; no process below another gets away.
@Suite struct ProcessTreeTests {
  @Test(
    arguments: [
      ("7 (sh) S 3 7 7 0 -1 4194304", ProcessTree.Entry(process: 7, parent: 3, isZombie: false, name: "sh")),
      (
        "7 (a) b) (c) Z 12 7 7 0 -1",
        ProcessTree.Entry(process: 7, parent: 12, isZombie: true, name: "a) b) (c")
      ),
      (
        "7 (\n \u{1}) R 1 2", ProcessTree.Entry(process: 7, parent: 1, isZombie: false, name: #"\u{a} \u{1}"#)
      ),
      ("7 (sh) S", nil), ("7 (sh", nil), ("", nil), ("7 (sh) S x 7", nil),
    ] as [(String, ProcessTree.Entry?)])
  func `a line of /proc is read whatever the process is called`(
    line: String, expected: ProcessTree.Entry?
  ) {
    #expect(ProcessTree.Entry(process: 7, facts: Array(line.utf8)[...]) == expected)
  }

  @Test func `descendants are all that lies below, in whatever order it is listed`() {
    //  1 ─┬─ 2 ─┬─ 4 ── 9
    //     │     └─ 5
    //     └─ 3 ── 6
    let parents: [(Int32, Int32)] = [(9, 4), (2, 1), (3, 1), (6, 3), (5, 2), (4, 2), (1, 0)]
    let entries = parents.map { ProcessTree.Entry(process: $0.0, parent: $0.1, isZombie: false) }
    func below(_ root: Int32) -> Set<Int32> {
      Set(ProcessTree.descendants(of: [root], in: entries).map(\.process))
    }
    #expect(below(2) == [4, 5, 9])
    #expect(below(3) == [6])
    #expect(below(9) == [])
    #expect(below(0) == [1, 2, 3, 4, 5, 6, 9])
    #expect(
      ProcessTree.descendants(of: [1], in: entries + [.init(process: 1, parent: 9, isZombie: false)]).count
        == 6
    )
    #expect(Set(ProcessTree.descendants(of: [2, 3], in: entries).map(\.process)) == [4, 5, 6, 9])
  }

  @Test func `a tree is killed with all that went to sessions of their own`() throws {
    // The middle one reports the number of the last, which is in another session and another group.
    let pipe = try ByteStream.pipe()
    let child = try ChildProcess.spawn(
      executable: "/bin/sh", arguments: ["-c", "setsid sh -c 'setsid sleep 1000 & echo $!; wait' & wait"],
      environment: ["PATH": "/usr/bin:/bin"], descriptors: [.init(pipe.writing.rawValue, as: 1)])
    pipe.writing.close()
    guard case .bytes(let bytes) = try readWaiting(pipe.reading),
      let last = Int32(String(decoding: bytes, as: UTF8.self).dropLast())
    else {
      Issue.record("no number came")
      return
    }
    let tree = ProcessTree.descendants(of: [child.pid], in: ProcessTree.entries())
    #expect(tree.contains { $0.process == last && !$0.isZombie })
    child.killTree()
    #expect(child.wait() == .signalled(.kill))
    // The pipe is at its end when the last of them is gone: they all hold it.
    #expect(try readWaiting(pipe.reading) == .endOfFile)
  }

  @Test func `a look at every process finds this one`() throws {
    let began = SystemTime.monotonic()
    let rounds = 20
    for _ in 0..<rounds { #expect(ProcessTree.entries().contains { $0.process == CurrentProcess.pid }) }
    let took = (SystemTime.monotonic() - began).nanoseconds / Int64(rounds)
    print("a look at \(ProcessTree.entries().count) processes: \(took / 1_000) us")
  }

  private func readWaiting(_ stream: ByteStream) throws -> ByteStream.Reading {
    _ = try stream.wait(toWrite: false, atMost: Patience.usual)
    return try stream.read(atMost: 100)
  }
}
