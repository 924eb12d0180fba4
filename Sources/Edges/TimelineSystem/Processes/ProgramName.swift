/// The names of programs that run in other processes.
package enum ProgramName {
  /// Returns the name of the program in process `pid`, with control characters spelled out; `nil` if the process is gone or
  /// hidden.
  ///
  /// At most 15 bytes. A process can choose its own name, so use it for logs, not for decisions.
  package static func ofProcess(_ pid: Int32) -> String? {
    // The file has the name of a thread. Unlike the command line, it can be read without a wait for the memory of the process.
    guard pid > 0, let contents = try? FileContents.read("/proc/\(pid)/comm", limit: 64) else { return nil }
    let line = contents.bytes.prefix { $0 != UInt8(ascii: "\n") }
    return line.isEmpty ? nil : String(decoding: line, as: UTF8.self).printable
  }
}
