/// How a host process ended.
package enum HostExit: Sendable, Hashable, CustomStringConvertible {
  /// It called `exit`, or returned from `main`.
  case exited(code: Int32)
  /// A signal ended it.
  case signalled(number: Int32)

  /// `exit(3)` or the signal's name, as in `SIGSEGV`.
  package var description: String {
    switch self {
    case .exited(let code): "exit(\(code))"
    case .signalled(let number): Self.signalName(number)
    }
  }

  /// The name of a signal of Linux, which are the same on x86-64 and arm64; `signal 40` for one without a name.
  package static func signalName(_ number: Int32) -> String {
    let names = [
      "SIGHUP", "SIGINT", "SIGQUIT", "SIGILL", "SIGTRAP", "SIGABRT", "SIGBUS", "SIGFPE", "SIGKILL", "SIGUSR1",
      "SIGSEGV", "SIGUSR2", "SIGPIPE", "SIGALRM", "SIGTERM", "SIGSTKFLT", "SIGCHLD", "SIGCONT", "SIGSTOP",
      "SIGTSTP", "SIGTTIN", "SIGTTOU", "SIGURG", "SIGXCPU", "SIGXFSZ", "SIGVTALRM", "SIGPROF", "SIGWINCH",
      "SIGIO", "SIGPWR", "SIGSYS",
    ]
    guard number >= 1, Int(number) <= names.count else { return "signal \(number)" }
    return names[Int(number) - 1]
  }
}
