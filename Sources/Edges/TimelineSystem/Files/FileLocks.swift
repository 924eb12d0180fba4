/// Locks on files, as `/proc/locks` lists them (proc_locks(5)).
package enum FileLocks {
  /// Largest number of bytes that are read of the list: a line has some 70 bytes, and thousands of locks are rare.
  private static let listMax = 1 << 20

  /// Returns the processes that hold a POSIX lock on the file at `path`, without duplicates; empty if the list cannot be read.
  package static func holders(of path: String) -> [Int32] {
    guard let facts = try? FileFacts(at: path),
      let list = try? FileContents.read("/proc/locks", limit: listMax)
    else { return [] }
    return holders(of: facts.inode, in: String(decoding: list.bytes, as: UTF8.self))
  }

  /// Reads lines like `3: POSIX  ADVISORY  READ 812 fe:01:8123 1073741826 1073742335`. A line of a waiting process has `->` after
  /// the number.
  static func holders(of inode: UInt64, in list: String) -> [Int32] {
    var found: [Int32] = []
    for line in list.split(separator: "\n") {
      let words = line.split(separator: " ")
      guard words.count == 8, words[1] == "POSIX", let process = Int32(words[4]), process > 0,
        words[5].split(separator: ":").last.flatMap({ UInt64($0) }) == inode, !found.contains(process)
      else { continue }
      found.append(process)
    }
    return found
  }
}
