internal import CTimelineSystem
internal import Glibc

/// Permission to execute a file, or to enter a directory and all directories above it, as the kernel decides it: access
/// lists and mounts without execution included.
package enum ExecutePermission {
  /// Returns the reason why this process lacks the permission; `nil` if it has it. The C function is `faccessat`.
  package static func objection(to path: String) -> SystemError? {
    do {
      try SystemCall.check("faccessat", about: path) { unsafe faccessat(AT_FDCWD, path, X_OK, AT_EACCESS) }
      return nil
    } catch {
      return error
    }
  }

  /// Returns the reason why `user` lacks the permission; `nil` if they have it, or if this cannot be determined. Only for root,
  /// in a process with one thread.
  package static func objection(to path: String, as user: UserRecord) -> SystemError? {
    let code = unsafe timeline_access_as(user.name, user.user, user.group, path, X_OK)
    return code > 0 ? SystemError(code: code, call: "faccessat", subject: path) : nil
  }
}
