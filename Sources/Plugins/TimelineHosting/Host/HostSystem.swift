// Glibc is imported with `@preconcurrency` because `stdout` is a mutable global variable of C, whose use Swift cannot
// check.
@unsafe @preconcurrency internal import Glibc
internal import TimelineSystem
internal import TimelineWire

/// The system calls that only a host makes, in one place; all others are in TimelineSystem.
enum HostSystem {
  /// Prepares the process for plugins: no signal is blocked, SIGTERM and SIGPIPE are caught without an effect, and standard
  /// output is line-buffered. The end of a child is recorded even if the parent of this process ignored SIGCHLD. The
  /// scheduling policy is the usual one, regardless of the daemon's own.
  ///
  /// SIGTERM and SIGPIPE are caught and not ignored, because an ignored signal stays ignored in the programs that a plugin
  /// executes, and a caught one does not (execve(2)). The C functions are `sigprocmask`, `signal` and `setvbuf`.
  static func prepare() {
    var none = sigset_t()
    unsafe sigemptyset(&none)
    unsafe sigprocmask(SIG_SETMASK, &none, nil)
    signal(SIGTERM) { _ in }
    signal(SIGPIPE) { _ in }
    // SIGCHLD may be inherited as ignored. Then the kernel keeps no status of a child for `waitpid`.
    signal(SIGCHLD, SIG_DFL)
    unsafe setvbuf(stdout, nil, _IOLBF, 0)
    TimeSlice.usual.begin()
  }

  /// Calls `body` on a new thread that exists as long as the process. Returns false if the thread cannot be started. The C
  /// function is `pthread_create`.
  static func startThread(_ body: @escaping @Sendable () -> Void) -> Bool {
    final class Start {
      let body: @Sendable () -> Void
      init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }
    let start = unsafe Unmanaged.passRetained(Start(body))
    var thread = pthread_t()
    let code = unsafe pthread_create(
      &thread, nil,
      { raw in
        if let raw = unsafe raw { unsafe Unmanaged<Start>.fromOpaque(raw).takeRetainedValue().body() }
        return nil
      }, start.toOpaque())
    if code != 0 { unsafe start.release() }
    return code == 0
  }

  /// Whether this process leads a process group, so that a signal to the group reaches its child processes.
  static var leadsGroup: Bool { getpgrp() == getpid() }

  /// Sends SIGTERM to all descendants of the plugin, in any group or session; this process catches the signal. The C
  /// function is `kill`.
  ///
  /// Each descendant gets one signal, because many programs abort their cleanup on a second one. Descendants that the
  /// group's signal does not reach are looked up before any signal is sent, so that processes that are started for a
  /// cleanup get no signal.
  static func terminateDescendants() {
    guard leadsGroup else { return }
    let elsewhere = ProcessTree.descendantsElsewhere()
    kill(0, SIGTERM)
    for process in elsewhere { kill(process, SIGTERM) }
  }

  /// Kills all descendants of this process, in any group or session.
  static func killDescendants() { ProcessTree.killDescendants(of: [getpid()]) }

  /// Ends all processes of a run that was asked to stop: processes that do not end within the grace are killed.
  static func endDescendants() {
    var waited: CInt = 0
    while ProcessTree.reapEndedChildren(), waited < descendantsGraceMilliseconds {
      pause(milliseconds: descendantsPauseMilliseconds)
      waited += descendantsPauseMilliseconds
    }
    killDescendants()
  }

  /// The time for descendants to end after the run that started them. It delays the run's end, so it is much shorter than
  /// the usual grace of a job, but long enough for a cleanup.
  private static let descendantsGraceMilliseconds: CInt = 1_000

  /// Pause between two checks of the descendants: short compared to the time that a process needs to end.
  private static let descendantsPauseMilliseconds: CInt = 5

  /// Kills this process, all its descendants, and its group if it leads one. The C function is `kill`.
  static func killGroup() -> Never {
    killDescendants()
    if leadsGroup { kill(0, SIGKILL) }
    _exit(EX_UNAVAILABLE)
  }

  /// Ends this process and all its descendants, because a plugin has closed descriptors of the host, and the host can no
  /// longer reach the daemon.
  static func endWithoutDescriptors() -> Never {
    complain("timeline-host: the plugin has closed descriptors of timeline-host")
    killDescendants()
    _exit(HostExitStatus.descriptorsClosed)
  }

  /// Waits without using the processor. The C function is `poll`, without descriptors.
  static func pause(milliseconds: CInt) {
    _ = poll(nil, 0, milliseconds)
  }

  /// The working directory of the process; empty when it has no name. The C function is `getcwd`.
  static var workingDirectory: String {
    guard let name = unsafe getcwd(nil, 0) else { return "" }
    defer { unsafe free(name) }
    return unsafe String(cString: name)
  }

  /// Sets a variable of the environment. The C function is `setenv`.
  static func setEnvironment(_ name: String, _ value: String) {
    _ = unsafe setenv(name, value, 1)
  }

  /// Calls `hook` with the status when the process exits by exit(3) or by returning from main. The C function is `on_exit`,
  /// because `atexit` does not pass the status.
  static func whenExiting(_ hook: @escaping @convention(c) (CInt, UnsafeMutableRawPointer?) -> Void) {
    _ = unsafe on_exit(hook, nil)
  }

  /// Redirects standard output to standard error; returns the argument for ``restoreOutput(_:)``. The C function is `dup2`.
  static func redirectOutputToErrors() -> CInt {
    let saved = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3)
    dup2(STDERR_FILENO, STDOUT_FILENO)
    return saved
  }

  /// Undoes ``redirectOutputToErrors()``.
  static func restoreOutput(_ saved: CInt) {
    unsafe fflush(stdout)
    dup2(saved, STDOUT_FILENO)
    close(saved)
  }

  /// Writes buffered output of a plugin, for example a line without a line end, because a host is usually killed and does
  /// not exit. Makes no system call when there is no output. The C function is `fflush`, on standard output alone: the lock
  /// of another stream may be held by a thread that waits for input.
  static func flushOutput() { unsafe fflush(stdout) }

  /// Ends the process without calling hooks. The C function is `_exit`.
  static func exitNow(_ status: CInt) -> Never { _exit(status) }

  /// Ends the process by exit(3), so that buffered output of plugins is written.
  static func exit(_ status: CInt) -> Never { Glibc.exit(status) }

  /// Writes a line to standard error, whole or not at all.
  static func complain(_ line: String) {
    let bytes = Array("\(line)\n".utf8)
    _ = unsafe bytes.withUnsafeBytes { unsafe write(STDERR_FILENO, $0.baseAddress, $0.count) }
  }
}

extension HostSystem {
  /// Maps the library at `path` into the process, with local symbols. Returns the text of `dlerror` on failure.
  static func loadLibrary(_ path: String) -> Result<LibraryHandle, ErrorText> {
    guard let handle = unsafe dlopen(path, RTLD_NOW | RTLD_LOCAL) else {
      return .failure(ErrorText(unsafe dlerror().map { unsafe String(cString: $0) } ?? "dlopen failed"))
    }
    return .success(unsafe LibraryHandle(pointer: handle))
  }

  /// Returns the address of the function `name` in the library; `nil` when the library has none.
  static func symbol(_ name: String, in library: LibraryHandle) -> UnsafeMutableRawPointer? {
    unsafe dlsym(library.pointer, name)
  }

  /// A loaded library, which is never unloaded.
  @safe struct LibraryHandle {
    fileprivate let pointer: UnsafeMutableRawPointer
  }

  /// The error text of the dynamic linker.
  struct ErrorText: Error {
    let text: String
    init(_ text: String) { self.text = text }
  }
}
