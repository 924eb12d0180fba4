@unsafe @preconcurrency internal import Glibc
internal import TimelineSystem

// System calls by which a plugin host becomes the parent of leftovers and nothing else.
extension HostSystem {
  /// Gives up what the daemon and the job have opened here: the standard streams lead nowhere, and the process stands in the root
  /// directory. The C functions are `chdir`, `open` and `dup2`.
  static func leaveDescriptors() {
    _ = unsafe chdir("/")
    let nowhere = unsafe open("/dev/null", O_RDWR | O_CLOEXEC)
    guard nowhere >= 0 else { return }
    for number in CInt(0)...2 { dup2(nowhere, number) }
  }

  /// Executes this program again, with none but the standard descriptors; returns when that cannot be. The C function is
  /// `execv`, of the file that this process runs, wherever that is by now.
  static func executeSelf(arguments: [String]) {
    let words = unsafe arguments.map { unsafe strdup($0) } + [nil]
    CurrentProcess.closeOnExecution(from: STDERR_FILENO + 1)
    _ = unsafe execv("/proc/self/exe", words)
    unsafe words.forEach { unsafe free($0) }
  }

  /// Has SIGTERM end the process, as it does any other. The C function is `signal`.
  static func obeyTermination() { signal(SIGTERM, SIG_DFL) }
}
