internal import Glibc

/// The resources that another process holds at a moment, by `/proc`.
package struct ProcessUsage: Sendable, Hashable {
  /// Bytes of memory in use that belong to no file: heap, stacks and changed data.
  package var anonymousBytes: Int
  /// Open descriptors.
  package var descriptors: Int
  /// Threads.
  package var threads: Int

  /// Limit of `/proc/PID/statm`: seven numbers in a line.
  private static let factsMax = 1024

  /// Looks at the process with this number; `nil` if it is gone, or `/proc` does not show it to this user.
  package init?(of process: CInt) {
    let place = "/proc/\(process)"
    guard let contents = try? FileContents.read("\(place)/statm", limit: Self.factsMax),
      let descriptors = try? DirectoryListing.names(in: "\(place)/fd"),
      let threads = try? DirectoryListing.names(in: "\(place)/task")
    else { return nil }
    // "size resident shared ...", in pages (proc_pid_statm(5)).
    let numbers = contents.bytes.split(separator: 0x20).compactMap {
      Int(String(decoding: $0, as: UTF8.self))
    }
    guard numbers.count > 2 else { return nil }
    anonymousBytes = (numbers[1] - numbers[2]) * sysconf(CInt(_SC_PAGESIZE))
    self.descriptors = descriptors.count
    self.threads = threads.count
  }
}
