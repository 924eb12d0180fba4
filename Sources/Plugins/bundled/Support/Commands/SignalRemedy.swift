import Glibc

/// The cause of a signal that killed a command, and the remedy.
enum SignalRemedy {
  /// Returns the cause of the signal as text. `memoryLimit` is the number of bytes of address space that the job may use.
  static func text(_ signal: Int32, memoryLimit: UInt?) -> String {
    switch signal {
    case SIGKILL:
      "another process sent it, most often the kernel when memory ran out: see `journalctl -k`"
    case SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTRAP:
      if let memoryLimit, signal != SIGFPE {
        "the program crashed, perhaps for lack of the \(memoryLimit >> 20) MiB of memory that the job may have: "
          + "raise `limits.memory`, or see coredumpctl"
      } else {
        "the program crashed: see coredumpctl, if core dumps are kept"
      }
    case SIGSYS: "it made a system call that is forbidden: see SystemCallFilter= of timelined's service"
    case SIGXCPU:
      "it used up the job's limit of processor time: raise `limits.cpu-time`, or see what it computes"
    case SIGXFSZ: "a file reached the limit on the size of files: see LimitFSIZE= of timelined's service"
    case SIGPIPE: "it wrote to a pipe or socket that nobody read any more"
    default: "another process sent it, or the command itself"
    }
  }
}
