internal import CTimelineSystem
internal import Glibc

/// The attributes of this process that programs started from this thread inherit, recorded at one time: umask, environment,
/// signal mask, ignored signals, niceness, scheduling, disk priority, resource limits, standard streams, users and root
/// directory.
///
/// Foreign code that is called repeatedly may change them and leave them changed. The memory of this value is never freed.
@safe package struct ProcessState: ~Copyable {
  private let pointer: OpaquePointer

  /// Records the attributes of this thread and its process. `output` is a copy of standard output that the caller owns. It
  /// replaces standard output and standard error if these are closed.
  package init(output: CInt) throws(SystemError) {
    guard let pointer = unsafe timeline_state_take(output) else {
      throw SystemError(code: ENOMEM, call: "calloc", subject: "the state of the process")
    }
    unsafe self.pointer = pointer
  }

  /// Restores umask, environment, signal mask and niceness, in half a microsecond if nothing has changed. Returns the name of an
  /// attribute that cannot be restored; `nil` if all are restored.
  package func restoreFirst() -> String? {
    unsafe timeline_state_restore_first(pointer).map { unsafe String(cString: $0) }
  }

  /// Restores the other attributes, which takes twenty times as long. Returns whether one of them had changed, and the name of an
  /// attribute that cannot be restored. A new signal handler stays, because programs do not inherit handlers; a handler that was
  /// there before is restored.
  package func restoreRest() -> (hasFound: Bool, fault: String?) {
    var hasFound: CInt = 0
    let fault = unsafe timeline_state_restore_rest(pointer, &hasFound)
    return (hasFound != 0, unsafe fault.map { unsafe String(cString: $0) })
  }
}
