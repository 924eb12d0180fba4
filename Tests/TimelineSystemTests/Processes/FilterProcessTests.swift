import Testing
import TimelineCore
import TimelineSystem

/// A program that filters bytes.
@Suite struct `Programs that answer` {
  private func run(
    _ command: String, input: [UInt8] = [], outputMax: Int = 1 << 20, timeout: ElapsedTime = .seconds(20)
  ) throws(SystemError) -> (output: [UInt8], end: ProcessEnd) {
    try FilterProcess.run(
      executable: "/bin/sh", arguments: ["-c", command], input: input, outputMax: outputMax, timeout: timeout)
  }

  @Test func `a program reads all its input, and its output is read to the end`() throws {
    let input = (0..<300_000).map { UInt8(truncatingIfNeeded: $0) }
    let answer = try run("cat; exit 3", input: input)
    #expect(answer.output == input && answer.end == .exited(3))
    #expect(try run("kill -9 $$").end == .signalled(.kill))
    #expect(try run("echo $#$PATH$HOME", input: [1]).output.count < 100)
  }

  @Test func `a process that is being started may have any number, and a reaped one has none`() throws {
    let children = OwnChildren()
    #expect(!children.mayContain(1))
    let child = try children.start { () throws(SystemError) in
      #expect(children.mayContain(1))
      return try ChildProcess.spawn(executable: "/bin/true", arguments: [], descriptors: [])
    }
    #expect(children.mayContain(child.pid) && !children.mayContain(1))
    _ = child.wait()
    children.remove(child.pid)
    #expect(!children.mayContain(child.pid))
    #expect(throws: SystemError.self) {
      try children.start { () throws(SystemError) in
        try ChildProcess.spawn(executable: "/nowhere/program", arguments: [], descriptors: [])
      }
    }
    #expect(!children.mayContain(1))
  }

  @Test func `a program that runs too long or writes too much is refused`() throws {
    let late = #expect(throws: SystemError.self) {
      try run("while :; do :; done", timeout: .milliseconds(50))
    }
    #expect(late?.name == "ETIMEDOUT")
    let long = #expect(throws: SystemError.self) { try run("head -c 2000 /dev/zero", outputMax: 1_999) }
    #expect(long?.name == "EFBIG")
    #expect(try run("head -c 2000 /dev/zero", outputMax: 2_000).output.count == 2_000)
    let none = #expect(throws: SystemError.self) {
      try FilterProcess.run(
        executable: "/nowhere/program", arguments: [], input: [], outputMax: 1, timeout: .seconds(1))
    }
    #expect(none?.isMissing == true)
  }
}
