internal import CTimelineSystem
internal import Glibc

/// The way in which a process ended.
package enum ProcessEnd: Sendable, Hashable, CustomStringConvertible {
  /// The process exited with this status; 0 is success.
  case exited(CInt)
  case signalled(Signal)
  /// The process ended, and other code has taken its status.
  case unobserved

  /// A phrase such as `exited with status 1` or `was killed by SIGSEGV`.
  package var description: String {
    switch self {
    case .exited(let status): "exited with status \(status)"
    case .signalled(let signal): "was killed by \(signal)"
    case .unobserved: "ended, and its status went to another process"
    }
  }
}

/// A process that this process has started and must reap. It is the leader of a session and of a process group of its own.
///
/// It has no controlling terminal, so its child processes are not stopped when they read from the terminal of this process.
///
/// If the value is released while the child runs, the child is neither killed nor reaped.
package final class ChildProcess {
  /// A descriptor of this process and the number that it gets in the child.
  package struct Passing: Sendable, Hashable {
    /// The descriptor in this process, where it stays open.
    package var descriptor: CInt
    /// The number of its copy in the child.
    package var number: CInt

    package init(_ descriptor: CInt, as number: CInt) {
      self.descriptor = descriptor
      self.number = number
    }
  }

  /// Also the number of its process group.
  package let pid: CInt
  private let handle: FileDescriptor
  /// The end of the process, once ``reap(killingGroup:)`` or ``wait()`` has seen it.
  package private(set) var status: ProcessEnd?

  /// A descriptor that becomes readable when the process has ended; watch it and then call ``reap(killingGroup:)``.
  package var handleRawValue: CInt { handle.rawValue }

  private init(pid: CInt, handle: consuming FileDescriptor) {
    self.pid = pid
    self.handle = handle
  }

  /// Starts `executable`, a path, with no signal blocked or ignored. `PATH` is not searched.
  ///
  /// `arguments` does not contain the program's name, which is `name` or the path. The child gets `environment` and no variable
  /// of this process, and only the passed descriptors; of 0, 1 and 2 those not passed are `/dev/null`. Throws at once if the file
  /// cannot be executed. The C function is `posix_spawn`: its cost does not grow with the memory of this process.
  package static func spawn(
    executable: String, arguments: [String] = [], name: String? = nil, environment: [String: String] = [:],
    descriptors: [Passing] = [], directory: String? = nil
  ) throws(SystemError) -> ChildProcess {
    let variables = environment.map { "\($0.key)=\($0.value)" }.sorted()
    guard arguments.count + variables.count + descriptors.count <= SystemLimits.spawnItemsMax else {
      throw SystemError(code: E2BIG, call: "posix_spawn", subject: executable)
    }
    guard ([executable, directory ?? ""] + arguments + variables).allSatisfy({ !$0.utf8.contains(0) }) else {
      throw SystemError(
        code: EINVAL, call: "posix_spawn", subject: executable,
        remedy: "Take the NUL character out of its arguments.")
    }
    let null = FileDescriptor(
      owning: try SystemCall.check("open", about: "/dev/null") {
        unsafe open("/dev/null", O_RDWR | O_CLOEXEC)
      })
    var pid: pid_t = 0
    var passings = descriptors
    for number in CInt(0)...2 where !descriptors.contains(where: { $0.number == number }) {
      passings.append(Passing(null.rawValue, as: number))
    }
    let lowest = (passings.map(\.number).max() ?? 2) + 1
    // A number up to the highest target could be overwritten before it is copied, so every source is first duplicated to a number
    // above.
    let lifted = try passings.map { passing throws(SystemError) in
      OwnedDescriptor(try FileDescriptor.duplicate(passing.descriptor, atLeast: lowest))
    }
    let request = SpawnArguments(
      path: executable, arguments: [name ?? executable] + arguments, variables: variables,
      directory: directory,
      sources: lifted.map(\.number), targets: passings.map(\.number))
    let code = withExtendedLifetime(lifted) { request.spawn(&pid) }
    try SystemCall.checkCode("posix_spawn", about: executable, code)
    return try adopt(pid)
  }

  /// Gets a handle for a new child. If that fails, ends the child, because nothing could watch or reap it.
  private static func adopt(_ pid: pid_t) throws(SystemError) -> ChildProcess {
    do {
      let number = try SystemCall.check("pidfd_open", about: "process \(pid)") { timeline_pidfd_open(pid) }
      return ChildProcess(pid: pid, handle: FileDescriptor(owning: number))
    } catch {
      timeline_discard_child(pid)
      throw error
    }
  }

  /// Checks whether the process has ended, and reaps it if so. Returns `nil` while it runs.
  ///
  /// The result is ``ProcessEnd/unobserved`` if other code in this process has reaped it or ignores SIGCHLD.
  ///
  /// If `killingGroup` is true, all other processes of its group are killed before it is reaped, while the group's number cannot
  /// be reused. After the end of the process, every call returns the same result.
  package func reap(killingGroup: Bool) -> ProcessEnd? {
    if let status { return status }
    guard let ended = look(block: false, keep: true) else { return nil }
    if ended == .unobserved {
      // Its number may belong to another process now.
      status = ended
    } else {
      if killingGroup { _ = Glibc.kill(-pid, SIGKILL) }
      status = look(block: false, keep: false)
    }
    return status
  }

  /// Whether the process has ended.
  package var hasEnded: Bool { status != nil || look(block: false, keep: true) != nil }

  /// Waits until the process has ended; for tests and for programs that have nothing else to do.
  package func wait() -> ProcessEnd {
    if let status { return status }
    let ended = look(block: true, keep: false) ?? .unobserved
    status = ended
    return ended
  }

  /// Sends a signal to the process alone. Returns whether the process still existed. Throws `EPERM` if it may not be signaled.
  @discardableResult
  package func signal(_ signal: Signal) throws(SystemError) -> Bool {
    guard status == nil else { return false }
    let number = handle.rawValue
    return try Self.reached(about: "process \(pid)", call: "pidfd_send_signal") {
      timeline_pidfd_signal(number, signal.rawValue)
    }
  }

  /// Sends a signal to the process and to all processes that are still in its group. Returns whether there were any.
  ///
  /// Nothing is sent once the process was reaped, because its number may belong to another process then.
  @discardableResult
  package func signalGroup(_ signal: Signal) throws(SystemError) -> Bool {
    guard status == nil else { return false }
    return try Self.reached(about: "process group \(pid)", call: "kill") {
      Glibc.kill(-pid, signal.rawValue)
    }
  }

  /// Kills the process, all processes in its group, and its descendants in any group or session.
  ///
  /// The process dies first, so that it starts nothing more. It is not stopped before, because it would stay stopped for good if
  /// this process died in between. A process that is started during the search, outside the group, is not killed here; it becomes
  /// a child of the next subreaper above. Does nothing if the process was reaped.
  package func killTree() {
    guard status == nil else { return }
    let below = ProcessTree.descendants(of: pid)
    // The kernel refuses a group only if all members have changed to users that this process may not signal.
    _ = try? signalGroup(.kill)
    _ = try? signal(.kill)
    ProcessTree.killAll(below)
  }

  private static func reached(
    about subject: String, call: StaticString, _ body: () -> CInt
  ) throws(SystemError) -> Bool {
    do {
      try SystemCall.check(call, about: subject, body)
      return true
    } catch  where error.code == ESRCH {
      return false
    }
  }

  private func look(block: Bool, keep: Bool) -> ProcessEnd? {
    let number = handle.rawValue
    var (status, signal): (CInt, CInt) = (0, 0)
    let ended: CInt
    do {
      ended = try SystemCall.check("waitid") {
        unsafe timeline_pidfd_wait(number, block ? 1 : 0, keep ? 1 : 0, &status, &signal)
      }
    } catch {
      // It has ended and is no child of this process any more.
      return .unobserved
    }
    guard ended == 1 else { return nil }
    return signal == 0 ? .exited(status) : .signalled(Signal(rawValue: signal))
  }
}
