@unsafe @preconcurrency internal import Glibc
internal import TimelineSystem

// System calls that turn a plugin host into a process that is only the parent of leftovers.
extension HostSystem {
  /// Disconnects the process from the files of the daemon and the job: redirects the standard streams to `/dev/null`, and
  /// makes the root directory the working directory. The C functions are `chdir`, `open` and `dup2`.
  static func leaveDescriptors() {
    _ = unsafe chdir("/")
    let nowhere = unsafe open("/dev/null", O_RDWR | O_CLOEXEC)
    guard nowhere >= 0 else { return }
    for number in CInt(0)...2 { dup2(nowhere, number) }
  }

  /// Executes this program again, with only the standard descriptors; returns if that fails. The C function is `execv`. The
  /// program is the file that this process runs, even if the file was moved.
  static func executeSelf(arguments: [String]) {
    let words = unsafe arguments.map { unsafe strdup($0) } + [nil]
    CurrentProcess.closeOnExecution(from: STDERR_FILENO + 1)
    _ = unsafe execv("/proc/self/exe", words)
    unsafe words.forEach { unsafe free($0) }
  }

  /// Restores the default action of SIGTERM, which ends the process. The C function is `signal`.
  static func obeyTermination() { signal(SIGTERM, SIG_DFL) }
}
