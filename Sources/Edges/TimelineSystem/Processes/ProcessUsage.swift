internal import Glibc

/// The resources that another process has at a moment, from `/proc`.
package struct ProcessUsage: Sendable, Hashable {
  /// Bytes of memory in use that belong to no file: heap, stacks and changed data.
  package var anonymousBytes: Int
  package var descriptors: Int
  package var threads: Int

  /// Largest number of bytes that are read of `/proc/PID/statm`: seven numbers in a line.
  private static let factsMax = 1024

  /// Reads the usage of a process by its number; `nil` if it is gone, or `/proc` does not show it to this user.
  package init?(of process: CInt) {
    guard let memory = Self.memory(of: "\(process)"),
      let descriptors = try? DirectoryListing.names(in: "/proc/\(process)/fd"),
      let threads = try? DirectoryListing.names(in: "/proc/\(process)/task")
    else { return nil }
    anonymousBytes = memory[1] - memory[2]
    self.descriptors = descriptors.count
    self.threads = threads.count
  }

  /// Returns the numbers "size resident shared ..." (proc_pid_statm(5)) in bytes, for a process by its name in `/proc`; `nil` if
  /// it is not there.
  static func memory(of name: String) -> [Int]? {
    guard let text = try? FileContents.read("/proc/\(name)/statm", limit: factsMax).bytes else { return nil }
    let pages = text.split(separator: 0x20).compactMap { Int(String(decoding: $0, as: UTF8.self)) }
    return pages.count > 2 ? pages.map { $0 * sysconf(CInt(_SC_PAGESIZE)) } : nil
  }
}
