internal import CTimelineSystem
internal import Glibc
package import TimelineCore

// Setup of a process before it runs foreign code.
extension CurrentProcess {
  /// A resource of a process that can be limited.
  package enum Limit: Sendable, Hashable, CaseIterable {
    /// Bytes of address space (RLIMIT_AS).
    case addressSpace
    /// Seconds of processor time (RLIMIT_CPU): SIGXCPU at the soft limit, SIGKILL at the hard one.
    case processorSeconds
    /// Open descriptors (RLIMIT_NOFILE).
    case openFiles
    /// Processes and threads of its user, in all (RLIMIT_NPROC).
    case processes
  }

  /// Limits this process and what it starts; `EPERM` if `hard` is above the present hard limit. The C function is `setrlimit`.
  package static func setLimit(_ limit: Limit, soft: UInt64, hard: UInt64) throws(SystemError) {
    try SystemCall.check("setrlimit", about: "\(limit)") { timeline_set_limit(limit.number, soft, hard) }
  }

  /// Sets the niceness, -20 to 19, of this thread and of what it starts; `EACCES` if the process may not lower it.
  ///
  /// The C function is `setpriority`.
  package static func setNiceness(_ niceness: Int) throws(SystemError) {
    try SystemCall.check("setpriority", about: "niceness \(niceness)") {
      timeline_set_niceness(CInt(clamping: niceness))
    }
  }

  /// Sets the I/O priority of this thread and of what it starts. The system call is `ioprio_set`.
  package static func setIOPriority(_ priority: HostSetup.IOPriority) throws(SystemError) {
    try SystemCall.check("ioprio_set", about: "\(priority)") {
      switch priority {
      case .bestEffort(let level): timeline_set_io_priority(2, CInt(clamping: level))
      case .idle: timeline_set_io_priority(3, 0)
      }
    }
  }

  /// Sets the permissions that new files lack. The C function is `umask`.
  package static func setFileModeMask(_ mask: UInt16) {
    _ = umask(mode_t(mask))
  }

  /// Makes `path` the directory where relative paths begin. The C function is `chdir`.
  package static func enterDirectory(_ path: String) throws(SystemError) {
    try SystemCall.check("chdir", about: path) { unsafe chdir(path) }
  }

  /// Makes this process, instead of process 1, the parent of its descendants whose own parent has ended.
  package static func becomeSubreaper() throws(SystemError) {
    try SystemCall.check("prctl", about: "child subreaper") { timeline_become_subreaper() }
  }

  /// Sends this process SIGTERM once, after `length`. Processes that it starts do not inherit the timer. The C function is
  /// `timer_create`.
  package static func terminate(after length: ElapsedTime) throws(SystemError) {
    try SystemCall.check("timer_create", about: "SIGTERM") { timeline_terminate_after(length.nanoseconds) }
  }

  /// Closes descriptors from `lowest` on when this process executes another program. The system call is `close_range`.
  package static func closeOnExecution(from lowest: CInt) { timeline_close_on_exec(lowest) }

  /// Names the process for `ps`, up to 15 bytes. The C call is `prctl(PR_SET_NAME)`.
  package static func setName(_ name: String) { _ = unsafe timeline_set_name(name) }

  /// Bytes of address space that this process has now; `nil` when `/proc` is not there.
  package static var addressSpaceBytes: UInt64? { ProcessUsage.memory(of: "self").map { UInt64($0[0]) } }

  /// Bytes of memory that this process occupies now; `nil` when `/proc` is not there.
  package static var residentBytes: UInt64? { ProcessUsage.memory(of: "self").map { UInt64($0[1]) } }
}

extension CurrentProcess.Limit {
  fileprivate var number: CInt {
    switch self {
    case .addressSpace: CInt(TIMELINE_LIMIT_ADDRESS_SPACE)
    case .processorSeconds: CInt(TIMELINE_LIMIT_PROCESSOR_SECONDS)
    case .openFiles: CInt(TIMELINE_LIMIT_OPEN_FILES)
    case .processes: CInt(TIMELINE_LIMIT_PROCESSES)
    }
  }
}
