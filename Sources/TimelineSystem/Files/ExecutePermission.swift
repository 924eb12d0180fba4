internal import CTimelineSystem
internal import Glibc

/// Whether somebody may execute a file, or enter a directory and all above it, as the kernel decides it: access lists and mounts
/// without execution included.
package enum ExecutePermission {
  /// The reason why this process may not; `nil` when it may. The C function is `faccessat`.
  package static func objection(to path: String) -> SystemError? {
    do {
      try SystemCall.check("faccessat", about: path) { unsafe faccessat(AT_FDCWD, path, X_OK, AT_EACCESS) }
      return nil
    } catch {
      return error
    }
  }

  /// The reason why `user` may not; `nil` when they may, or nobody can tell. For root alone, in a process with one thread.
  package static func objection(to path: String, as user: UserRecord) -> SystemError? {
    let code = unsafe timeline_access_as(user.name, user.user, user.group, path, X_OK)
    return code > 0 ? SystemError(code: code, call: "faccessat", subject: path) : nil
  }
}
