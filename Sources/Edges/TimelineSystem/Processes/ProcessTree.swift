internal import Glibc

/// Parents and descendants of processes, as `/proc` lists them.
package enum ProcessTree {
  /// One process.
  package struct Entry: Equatable, Sendable {
    package var process: Int32
    var parent: Int32
    /// Whether the process has ended and was not reaped by its parent.
    package var isZombie: Bool
    /// The name of its program, at most 15 bytes.
    package var name = ""
    /// The time of its start, in ticks of the kernel. It differs between two processes with the same number.
    var startedAt: UInt64 = 0
  }

  /// Kills everything below `roots`, but not `roots` themselves.
  ///
  /// Processes are found by their parents. So a process in a session of its own is found, and so is a process whose parent has
  /// ended below a root that is a subreaper. Processes started during a round are found in the next round. The last round finds
  /// nothing new, because a process that was sent SIGKILL starts nothing more. Numbers are used microseconds after they were
  /// read, which is safe because Linux assigns them in a circle.
  package static func killDescendants(of roots: Set<Int32>) {
    var known = roots
    for _ in 0..<SystemLimits.killRoundsMax {
      let count = known.count
      for entry in descendants(of: known, in: entries()) where !entry.isZombie {
        known.insert(entry.process)
        _ = kill(entry.process, SIGKILL)
      }
      if known.count == count { return }
    }
  }

  /// Returns everything below `root`.
  static func descendants(of root: Int32) -> [Entry] { descendants(of: [root], in: entries()) }

  /// Kills the processes `found` and everything below them. Their common ancestor was killed after they were found.
  static func killAll(_ found: [Entry]) {
    var numbers: Set<Int32> = []
    for entry in found where !entry.isZombie {
      numbers.insert(entry.process)
      _ = kill(entry.process, SIGKILL)
    }
    if !numbers.isEmpty { killDescendants(of: numbers) }
  }

  /// Ends the children of this process for which `isKnown` is false: they became its children when their own parents ended.
  ///
  /// Ended children are reaped, running children are killed. Returns the number of children left for a further call to reap, and
  /// the killed children.
  package static func endOrphans(except isKnown: (Int32) -> Bool) -> (left: Int, killed: [Entry]) {
    let here = getpid()
    var left = 0
    var killed: [Entry] = []
    for entry in entries() where entry.parent == here && !isKnown(entry.process) {
      if !entry.isZombie, kill(entry.process, SIGKILL) == 0 { killed.append(entry) }
      if waitpid(entry.process, nil, WNOHANG) != entry.process { left += 1 }
    }
    return (left, killed)
  }

  /// Returns everything below this process that has not ended, except `others` and what is below them.
  package static func descendants(except others: [Entry]) -> [Entry] {
    let all = entries()
    let known = Set(others.map(\.identity))
    let rest = all.filter { !known.contains($0.identity) }
    return descendants(of: [getpid()], in: rest).filter { !$0.isZombie }
  }

  /// Sends a signal to one process. Returns the error if it cannot be sent; a process that is gone is no error.
  package static func signal(_ entry: Entry, _ signal: Signal) -> SystemError? {
    guard kill(entry.process, signal.rawValue) != 0, errno != ESRCH else { return nil }
    return SystemError(code: errno, call: "kill", subject: "process \(entry.process)")
  }

  /// Waits for children and reaps them until none are left. If this process is a subreaper, that includes all processes
  /// that they started and left behind.
  package static func awaitAllChildren() {
    while waitpid(-1, nil, 0) > 0 || errno == EINTR {}
  }

  /// Returns the numbers of all processes below this one that are outside its process group and have not ended.
  package static func descendantsElsewhere() -> [Int32] {
    let (here, group) = (getpid(), getpgrp())
    return descendants(of: [here], in: entries()).filter { !$0.isZombie && getpgid($0.process) != group }
      .map(\.process)
  }

  /// Whether this process has children, including ended ones that were not reaped.
  package static var hasChildren: Bool {
    var found = unsafe siginfo_t()
    return unsafe waitid(P_ALL, 0, &found, WEXITED | WNOHANG | WNOWAIT | __WALL) == 0 || errno != ECHILD
  }

  /// The children of this process, including ended ones that were not reaped.
  package static func children() -> Set<Int32> {
    // Usually there are none, which one system call shows; reading every process takes milliseconds.
    guard hasChildren else { return [] }
    let here = getpid()
    return Set(entries().filter { $0.parent == here }.map(\.process))
  }

  /// Reaps all ended children, including those that other parts of the process started; only for a process that waits for
  /// no child any more. Returns whether running children are left.
  @discardableResult
  package static func reapEndedChildren() -> Bool {
    while true {
      let ended = waitpid(-1, nil, WNOHANG)
      if ended <= 0 { return ended == 0 }
    }
  }

  /// Returns everything below `roots`, each process after its parent.
  static func descendants(of roots: Set<Int32>, in entries: [Entry]) -> [Entry] {
    var (seen, found, count) = (roots, [Entry](), -1)
    // One round for each generation, and one that finds nothing more. There are few generations.
    while found.count > count {
      count = found.count
      for entry in entries where seen.contains(entry.parent) && seen.insert(entry.process).inserted {
        found.append(entry)
      }
    }
    return found
  }

  /// Returns every process that `/proc` shows now; an empty array if `/proc` cannot be listed.
  static func entries() -> [Entry] { (try? entries(below: "")) ?? [] }

  /// Returns every process that `/proc` shows now. Throws the errors of `opendir` and `readdir`.
  ///
  /// - Parameter root: Prefix of the path; empty except in tests.
  package static func entries(below root: String) throws(SystemError) -> [Entry] {
    let path = "\(root)/proc"
    guard let directory = unsafe opendir(path) else {
      throw SystemError(code: errno, call: "opendir", subject: path)
    }
    defer { unsafe _ = closedir(directory) }
    var entries: [Entry] = []
    var buffer = [UInt8](repeating: 0, count: SystemLimits.processFactsBytesMax)
    while true {
      errno = 0
      guard let item = unsafe readdir(directory) else {
        if errno == 0 { return entries }
        throw SystemError(code: errno, call: "readdir", subject: path)
      }
      let process = unsafe withUnsafeBytes(of: &item.pointee.d_name) { unsafe number(of: $0) }
      guard let process else { continue }
      let file = unsafe open("\(path)/\(process)/stat", O_RDONLY | O_CLOEXEC)
      guard file >= 0 else { continue }
      let count = unsafe read(file, &buffer, buffer.count)
      close(file)
      if count > 0, let entry = Entry(process: process, facts: buffer[..<count]) { entries.append(entry) }
    }
  }

  private static func number(of name: UnsafeRawBufferPointer) -> Int32? {
    var number: Int32 = 0
    for index in 0..<name.count {
      let byte = unsafe name[index]
      if byte == 0 { break }
      guard (0x30...0x39).contains(byte) else { return nil }
      number = number &* 10 &+ Int32(byte - 0x30)
    }
    return number > 0 ? number : nil
  }
}

extension ProcessTree.Entry {
  /// Reads `12 (name) S 7 ...`; the name may hold spaces and parentheses (proc_pid_stat(5)).
  init?(process: Int32, facts: ArraySlice<UInt8>) {
    guard let end = facts.lastIndex(of: UInt8(ascii: ")")) else { return nil }
    let words = facts[facts.index(after: end)...].split(separator: 0x20, maxSplits: Self.startPosition + 1)
    guard words.count >= 2, let parent = Int32(String(decoding: words[1], as: UTF8.self)) else { return nil }
    let name = facts[..<end].drop { $0 != UInt8(ascii: "(") }.dropFirst()
    self.init(
      process: process, parent: parent,
      isZombie: words[0].first == UInt8(ascii: "Z") || words[0].first == UInt8(ascii: "X"),
      name: String(decoding: name, as: UTF8.self).printable,
      startedAt: words.count > Self.startPosition
        ? UInt64(String(decoding: words[Self.startPosition], as: UTF8.self)) ?? 0 : 0)
  }

  /// The place of the start time among the words after the name.
  private static let startPosition = 19

  /// Identity of a process: no other process has the same number and start time.
  fileprivate var identity: [UInt64] { [UInt64(process), startedAt] }
}
