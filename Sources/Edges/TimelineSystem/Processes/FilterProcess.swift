internal import CTimelineSystem
internal import Glibc
package import TimelineCore

/// A program that reads some bytes and writes others, such as a reader of a foreign format. It has only standard input and
/// output, no environment, and a time limit.
package enum FilterProcess {
  /// Runs `executable` with `input` on its standard input. Returns its output, at most `outputMax` bytes, and how it ended.
  ///
  /// Input and output are files in memory, so that neither side waits for the other. After `timeout` the process is killed and
  /// `ETIMEDOUT` is thrown. More output than `outputMax` throws `EFBIG`. Blocks until the process has ended, and keeps it in
  /// `children` until then.
  package static func run(
    executable: String, arguments: [String], input: [UInt8], outputMax: Int, timeout: ElapsedTime,
    among children: OwnChildren = OwnChildren()
  ) throws(SystemError) -> (output: [UInt8], end: ProcessEnd) {
    let (question, answer) = (try memory("input"), try memory("output"))
    try write(input, to: question.number)
    let child = try children.start { () throws(SystemError) in
      try ChildProcess.spawn(
        executable: executable, arguments: arguments,
        descriptors: [
          ChildProcess.Passing(question.number, as: 0), ChildProcess.Passing(answer.number, as: 1),
        ])
    }
    defer { children.remove(child.pid) }
    let hasEnded =
      try SystemCall.check("ppoll", about: executable) {
        timeline_wait_ready(child.handleRawValue, 0, timeout.nanoseconds)
      } == 1
    if !hasEnded { child.killTree() }
    let end = child.wait()
    guard hasEnded else {
      throw SystemError(
        code: ETIMEDOUT, call: "wait", subject: executable, remedy: "It may take \(timeout) at most.")
    }
    return try withExtendedLifetime((question, answer)) { () throws(SystemError) in
      (try read(answer.number, atMost: outputMax, of: executable), end)
    }
  }

  private static func memory(_ name: String) throws(SystemError) -> OwnedDescriptor {
    OwnedDescriptor(
      FileDescriptor(
        owning: try SystemCall.check("memfd_create", about: name) { unsafe timeline_memory_file(name) }))
  }

  /// Writes all of `bytes` at the beginning. The file offset, which the child shares, does not move.
  private static func write(_ bytes: [UInt8], to number: CInt) throws(SystemError) {
    var offset = 0
    while offset < bytes.count {
      let begin = offset
      offset += try SystemCall.check("pwrite", about: "a file in memory") {
        unsafe bytes.withUnsafeBytes {
          unsafe pwrite(number, $0.baseAddress?.advanced(by: begin), $0.count - begin, off_t(begin))
        }
      }
    }
  }

  private static func read(
    _ number: CInt, atMost limit: Int, of executable: String
  ) throws(SystemError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: limit + 1)
    var count = 0
    while count < bytes.count {
      let begin = count
      let more = try SystemCall.check("pread", about: "a file in memory") {
        unsafe bytes.withUnsafeMutableBytes {
          unsafe pread(number, $0.baseAddress?.advanced(by: begin), $0.count - begin, off_t(begin))
        }
      }
      if more == 0 { return Array(bytes.prefix(count)) }
      count += more
    }
    throw SystemError(
      code: EFBIG, call: "read", subject: executable, remedy: "Its output may have at most \(limit) bytes.")
  }
}
