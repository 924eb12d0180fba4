internal import CSeccomp
internal import Glibc
internal import TimelineSystem

/// A filter of the kernel for system calls (seccomp).
enum SystemCallFilter {
  /// Has the calls of `rules` fail, and with `denyingNewer` those that are newer than all rules, for this thread and what it starts, for
  /// good.
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
