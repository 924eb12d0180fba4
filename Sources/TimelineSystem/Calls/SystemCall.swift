internal import Glibc

/// The one place where a C call's -1 becomes an error.
enum SystemCall {
  /// Calls `body` until a signal no longer interrupts it, and throws when it returns -1.
  ///
  /// `EBADF` and `EFAULT` can only be bugs of ours and trap: carrying on would act on another's descriptor.
  @discardableResult
  static func check<Result: SignedInteger & FixedWidthInteger>(
    _ call: StaticString, about subject: @autoclosure () -> String = "", _ body: () -> Result
  ) throws(SystemError) -> Result {
    while true {
      let result = body()
      if result != -1 { return result }
      let code = errno
      switch code {
      case EINTR: continue
      case EBADF, EFAULT: fatalError("\(call) was given a descriptor or a pointer that is not valid.")
      default: throw SystemError(code: code, call: "\(call)", subject: subject())
      }
    }
  }

  /// Like ``check(_:about:_:)``, with `nil` where a non-blocking call would have had to wait.
  static func attempt<Result: SignedInteger & FixedWidthInteger>(
    _ call: StaticString, about subject: @autoclosure () -> String = "", _ body: () -> Result
  ) throws(SystemError) -> Result? {
    do {
      return try check(call, about: subject(), body)
    } catch {
      if error.code == EAGAIN || error.code == EWOULDBLOCK { return nil }
      throw error
    }
  }

  /// Like ``check(_:about:_:)``, for calls that can fail only through a bug of ours; failure traps.
  @discardableResult
  static func mustSucceed<Result: SignedInteger & FixedWidthInteger>(
    _ call: StaticString, _ body: () -> Result
  ) -> Result {
    do {
      return try check(call, body)
    } catch {
      fatalError("\(error)")
    }
  }

  /// Throws when `code`, the answer of a call that returns its errno value, is not 0.
  static func checkCode(
    _ call: StaticString, about subject: @autoclosure () -> String = "", _ code: CInt
  ) throws(SystemError) {
    if code != 0 { throw SystemError(code: code, call: "\(call)", subject: subject()) }
  }
}
