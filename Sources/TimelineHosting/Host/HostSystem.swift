// Standard output is a variable of C's, which Swift cannot know to be left alone.
@unsafe @preconcurrency internal import Glibc
internal import TimelineSystem
internal import TimelineWire

/// The system calls that only a host makes, in one place; everything else goes through TimelineSystem.
enum HostSystem {
  /// Makes the process fit for plugins: no signal is blocked, SIGTERM and SIGPIPE are caught and do nothing, the end of a child
  /// is noted whatever the parent of this process made of SIGCHLD, what plugins print leaves line by line, and processors are
  /// shared as usual, whatever the daemon has chosen for itself.
  ///
  /// The two are caught and not ignored, because an ignored signal stays ignored in the programs that a plugin
  /// executes, and a caught one does not (execve(2)). The C functions are `sigprocmask`, `signal` and `setvbuf`.
  static func prepare() {
    var none = sigset_t()
    unsafe sigemptyset(&none)
    unsafe sigprocmask(SIG_SETMASK, &none, nil)
    signal(SIGTERM) { _ in }
    signal(SIGPIPE) { _ in }
    // It may be inherited as ignored, and then the kernel keeps no status of a child for whoever waits for it.
    signal(SIGCHLD, SIG_DFL)
    unsafe setvbuf(stdout, nil, _IOLBF, 0)
    TimeSlice.usual.begin()
  }

  /// Calls `body` on a new thread that lives as long as the process. The C function is `pthread_create`.
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

  /// Whether this process leads a process group, so that what it starts can be signalled with it.
  static var leadsGroup: Bool { getpgrp() == getpid() }

  /// Asks all that the plugin started to end, whatever group or session it went to; this process catches the signal. The C
  /// function is `kill`.
  ///
  /// Each is asked once, because many programs take a second time for an order to leave everything as it is. Those whom the
  /// group's signal does not reach are looked up before anybody is asked: what one starts to put its things in order is left
  /// alone.
  static func terminateDescendants() {
    guard leadsGroup else { return }
    let elsewhere = ProcessTree.descendantsElsewhere()
    kill(0, SIGTERM)
    for process in elsewhere { kill(process, SIGTERM) }
  }

  /// Ends all that this process has started, whatever group or session it went to.
  static func killDescendants() { ProcessTree.killDescendants(of: [getpid()]) }

  /// Ends all that a run has left that was asked to stop: what does not follow soon is killed.
  static func endDescendants() {
    var waited: CInt = 0
    while ProcessTree.reapEndedChildren(), waited < descendantsGraceMilliseconds {
      pause(milliseconds: descendantsPauseMilliseconds)
      waited += descendantsPauseMilliseconds
    }
    killDescendants()
  }

  /// The time that descendants have to end after the run that started them. It delays the run's end, so it is far
  /// less than a job's grace mostly is, and enough to put something in order.
  private static let descendantsGraceMilliseconds: CInt = 1_000

  /// Pause between two checks of the descendants: short compared to the time that a process takes to end.
  private static let descendantsPauseMilliseconds: CInt = 5

  /// Ends this process, all that it has started, and, when it leads a group, all in it. The C function is `kill`.
  static func killGroup() -> Never {
    killDescendants()
    if leadsGroup { kill(0, SIGKILL) }
    _exit(EX_UNAVAILABLE)
  }

  /// Ends this process and all that it has started, because a plugin has closed descriptors that are not its own: the daemon cannot be
  /// reached any more.
  static func endWithoutDescriptors() -> Never {
    complain("timeline-host: the plugin has closed descriptors of timeline-host")
    killDescendants()
    _exit(HostExitStatus.descriptorsClosed)
  }

  /// Waits without using the processor. The C function is `poll`, without descriptors.
  static func pause(milliseconds: CInt) {
    _ = poll(nil, 0, milliseconds)
  }

  /// The directory in which relative paths begin; empty when it has no name. The C function is `getcwd`.
  static var workingDirectory: String {
    guard let name = unsafe getcwd(nil, 0) else { return "" }
    defer { unsafe free(name) }
    return unsafe String(cString: name)
  }

  /// Sets a variable of the environment. The C function is `setenv`.
  static func setEnvironment(_ name: String, _ value: String) {
    _ = unsafe setenv(name, value, 1)
  }

  /// Calls `hook` with the status when the process exits by exit(3) or by returning from main. The C function is
  /// `on_exit`, which alone tells the status.
  static func whenExiting(_ hook: @escaping @convention(c) (CInt, UnsafeMutableRawPointer?) -> Void) {
    _ = unsafe on_exit(hook, nil)
  }

  /// Sends what is written to standard output to standard error; returns what ``restoreOutput(_:)`` needs. The C
  /// function is `dup2`.
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

  /// Writes what a plugin has printed without ending the line: a host is mostly killed and does not exit. Costs no system
  /// call when there is nothing. The C function is `fflush`, on standard output alone: the lock of another stream may be held
  /// by a thread that waits for input.
  static func flushOutput() { unsafe fflush(stdout) }

  /// Ends the process without calling hooks. The C function is `_exit`.
  static func exitNow(_ status: CInt) -> Never { _exit(status) }

  /// Ends the process by exit(3), so that what plugins buffer is written.
  static func exit(_ status: CInt) -> Never { Glibc.exit(status) }

  /// Writes a line to standard error, whole or not at all.
  static func complain(_ line: String) {
    let bytes = Array("\(line)\n".utf8)
    _ = unsafe bytes.withUnsafeBytes { unsafe write(STDERR_FILENO, $0.baseAddress, $0.count) }
  }
}

extension HostSystem {
  /// Maps the library behind `path` into the process, with its symbols its own; dlerror's text on failure.
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

  /// A loaded library; it is never unloaded.
  @safe struct LibraryHandle {
    fileprivate let pointer: UnsafeMutableRawPointer
  }

  /// The error text of the dynamic linker.
  struct ErrorText: Error {
    let text: String
    init(_ text: String) { self.text = text }
  }
}
