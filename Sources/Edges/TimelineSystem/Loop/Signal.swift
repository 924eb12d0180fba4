internal import CTimelineSystem
internal import Glibc

/// A signal's number.
package struct Signal: RawRepresentable, Sendable, Hashable {
  package let rawValue: CInt

  package init(rawValue: CInt) { self.rawValue = rawValue }

  package static let terminate = Signal(rawValue: SIGTERM)
  /// SIGINT: Ctrl-C.
  package static let interrupt = Signal(rawValue: SIGINT)
  /// SIGHUP: read the configuration again.
  package static let hangUp = Signal(rawValue: SIGHUP)
  package static let kill = Signal(rawValue: SIGKILL)
  /// SIGSTOP: stop until SIGCONT.
  package static let stop = Signal(rawValue: SIGSTOP)
  package static let proceed = Signal(rawValue: SIGCONT)
  /// SIGXCPU: the limit of processor time is reached.
  package static let processorTime = Signal(rawValue: SIGXCPU)
  package static let child = Signal(rawValue: SIGCHLD)
  /// SIGTSTP: Ctrl-Z.
  package static let keyboardStop = Signal(rawValue: SIGTSTP)
  /// SIGWINCH: the terminal has another size.
  package static let windowChange = Signal(rawValue: SIGWINCH)
  /// SIGUSR1: free for a program's own use.
  package static let user1 = Signal(rawValue: SIGUSR1)
  /// SIGUSR2: free for a program's own use.
  package static let user2 = Signal(rawValue: SIGUSR2)
  /// Signals that end a process by default, signal(7), but have no meaning for a process without timers of setitimer(2),
  /// asynchronous input and output, or a power supply: SIGALRM, SIGVTALRM, SIGPROF, SIGIO and SIGPWR.
  package static let meaningless = [SIGALRM, SIGVTALRM, SIGPROF, SIGIO, SIGPWR].map(Signal.init(rawValue:))
}

extension Signal: CustomStringConvertible {
  /// The name, such as `SIGTERM`, or `signal 40` for a signal without a name.
  package var description: String {
    guard let name = unsafe timeline_signal_name(rawValue) else { return "signal \(rawValue)" }
    return "SIG" + (unsafe String(cString: name))
  }
}
