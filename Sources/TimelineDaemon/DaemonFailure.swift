/// How the daemon's process ends (sysexits.h).
package enum DaemonExit: Int32, Sendable {
  /// It drained.
  case success = 0
  /// It cannot do its work for now; trying again may help.
  case cannotStart = 70
  /// Its configuration is wrong: trying again without a change is pointless.
  case configuration = 78
}

/// Why the daemon does not start: the exit status and a sentence with what, on what, and what to do.
struct DaemonFailure: Error, CustomStringConvertible {
  let exit: DaemonExit
  let description: String

  init(_ exit: DaemonExit, _ description: String) {
    self.exit = exit
    self.description = description
  }
}
