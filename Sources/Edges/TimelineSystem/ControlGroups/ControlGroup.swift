internal import Glibc
package import TimelineCore

/// A control group of the kernel (cgroup v2), identified by its directory.
///
/// Its files are opened for each access and never kept open. A group that another process has removed is treated like one
/// that never existed.
package struct ControlGroup: Sendable, Hashable {
  /// The group's directory, an absolute path; it need not exist.
  package let directory: String

  package init(at directory: String) {
    self.directory = directory
  }

  /// Makes the group if it does not exist.
  package func make() throws(SystemError) {
    guard unsafe mkdir(directory, 0o755) != 0, errno != EEXIST else { return }
    throw SystemError(code: errno, call: "mkdir", subject: directory)
  }

  /// Moves this process, with all its threads, into the group. Removes the group if that fails.
  ///
  /// The kernel may need some milliseconds to move a process. So a process moves itself, and no event loop waits for it.
  package func enter() throws(SystemError) {
    do {
      try write("0", to: "cgroup.procs")
    } catch {
      remove()
      throw error
    }
  }

  /// Kills all processes in the group and in the groups below it, including those that start meanwhile. Returns `false` if
  /// there is no such group, or the kernel is older than Linux 5.14.
  package func kill() -> Bool {
    (try? write("1", to: "cgroup.kill")) != nil
  }

  /// Removes the group, which must have no process. Returns whether it is gone.
  @discardableResult
  package func remove() -> Bool {
    unsafe rmdir(directory) == 0 || errno == ENOENT
  }

  /// The processor time of all processes that are or were in the group; `nil` if there is no such group.
  package var processorTime: ElapsedTime? {
    contents(of: "cpu.stat").flatMap(Self.processorTime)
  }

  /// Reads the line `usage_usec 1234` of `cpu.stat`.
  static func processorTime(in text: String) -> ElapsedTime? {
    for line in text.split(separator: "\n") {
      let words = line.split(separator: " ")
      guard words.count == 2, words[0] == "usage_usec", let microseconds = Int64(words[1]), microseconds >= 0
      else { continue }
      return .microseconds(microseconds)
    }
    return nil
  }

  /// Largest number of bytes that are read of a file of the group; the longest file, `memory.stat`, has about 2 kB.
  private static let factsMax = 16_384

  /// Returns the text of one of the group's files; `nil` if the file cannot be read.
  func contents(of file: String) -> String? {
    let contents = try? FileContents.read("\(directory)/\(file)", limit: Self.factsMax)
    return contents.map { String(decoding: $0.bytes, as: UTF8.self) }
  }

  /// Writes to one of the group's files.
  func write(_ text: String, to file: String) throws(SystemError) {
    let path = "\(directory)/\(file)"
    let descriptor = FileDescriptor(
      owning: try SystemCall.check("open", about: path) { unsafe open(path, O_WRONLY | O_CLOEXEC) })
    let (number, bytes) = (descriptor.rawValue, Array(text.utf8))
    try SystemCall.check("write", about: path) {
      unsafe bytes.withUnsafeBytes { unsafe Glibc.write(number, $0.baseAddress, $0.count) }
    }
  }
}
