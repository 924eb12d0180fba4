/// The names of programs that run in other processes.
package enum ProgramName {
  /// The name of the program in process `pid`, control characters spelled out; `nil` when the process is gone or hidden.
  ///
  /// At most 15 bytes, which a process may choose for itself: good for a log, not for a decision.
  package static func ofProcess(_ pid: Int32) -> String? {
    // The kernel writes the name of a thread; unlike the command line it never waits for the memory of the process.
    guard pid > 0, let contents = try? FileContents.read("/proc/\(pid)/comm", limit: 64) else { return nil }
    let line = contents.bytes.prefix { $0 != UInt8(ascii: "\n") }
    return line.isEmpty ? nil : String(decoding: line, as: UTF8.self).printable
  }
}
