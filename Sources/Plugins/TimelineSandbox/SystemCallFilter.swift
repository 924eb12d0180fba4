internal import CSeccomp
internal import Glibc
internal import TimelineSystem

/// A filter for system calls in the kernel (seccomp).
enum SystemCallFilter {
  /// Makes the calls of `rules` fail; with `denyingNewer` also all calls that are newer than the rules. The filter applies
  /// permanently to this thread and its descendants.
  static func enter(_ rules: [SystemCallRule], denyingNewer: Bool = false) throws(SystemError) {
    if denyingNewer {
      let code = timeline_filter_enter_below(SystemCallRule.newerNumbersStart)
      if code != 0 { throw error(code) }
    }
    guard let filter = unsafe timeline_filter_make() else { throw error(ENOMEM) }
    defer { unsafe timeline_filter_free(filter) }
    for rule in rules {
      let code = unsafe timeline_filter_deny(
        filter, rule.name, rule.argument, rule.mask, rule.value, rule.error)
      if code != 0 { throw error(code, rule.name) }
    }
    let code = unsafe timeline_filter_enter(filter)
    if code != 0 { throw error(code) }
  }

  private static func error(_ code: CInt, _ subject: String = "system calls") -> SystemError {
    SystemError(code: code, call: "seccomp", subject: subject)
  }
}
