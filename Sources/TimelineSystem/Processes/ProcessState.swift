internal import CTimelineSystem
internal import Glibc

/// The attributes of this process that programs started from this thread inherit, as they were at one time: umask, environment, signal
/// mask, ignored signals, niceness, scheduling, disk priority, resource limits, standard streams, users and root directory.
///
/// Foreign code that is called again and again may change them and leave them changed. The memory stays with the process.
@safe package struct ProcessState: ~Copyable {
  private let pointer: OpaquePointer

  /// Takes the attributes of this thread and its process. `output` is a copy of standard output, which stays the caller's; it replaces
  /// standard output and error where they have been closed.
  package init(output: CInt) throws(SystemError) {
    guard let pointer = unsafe timeline_state_take(output) else {
      throw SystemError(code: ENOMEM, call: "calloc", subject: "the state of the process")
    }
    unsafe self.pointer = pointer
  }

  /// Restores umask, environment, signal mask and niceness, in half a microsecond where nothing has changed; returns the name of one
  /// that cannot be restored, `nil` when they are as they were.
  package func restoreFirst() -> String? {
    unsafe timeline_state_restore_first(pointer).map { unsafe String(cString: $0) }
  }

  /// Restores the rest, which takes twenty times as long; returns whether any of it had changed, and the name of something that cannot
  /// be restored. Handlers of signals stay, because programs do not inherit them, but for those that were there.
  package func restoreRest() -> (hasFound: Bool, fault: String?) {
    var hasFound: CInt = 0
    let fault = unsafe timeline_state_restore_rest(pointer, &hasFound)
    return (hasFound != 0, unsafe fault.map { unsafe String(cString: $0) })
  }
}
