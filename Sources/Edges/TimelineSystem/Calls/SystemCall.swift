internal import Glibc

/// Conversion of the result -1 of a C call into an error; no other code does this.
enum SystemCall {
  /// Calls `body` until a signal no longer interrupts it, and throws when it returns -1.
  ///
  /// `EBADF` and `EFAULT` are always bugs of this program, so they trap: otherwise the next call might use the descriptor of
  /// another owner.
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

  /// Like ``check(_:about:_:)``, but returns `nil` if a non-blocking call would have to wait.
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

  /// Like ``check(_:about:_:)``, for calls that fail only through a bug of this program; failure traps.
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

  /// Throws if `code`, the result of a call that returns its errno value, is not 0.
  static func checkCode(
    _ call: StaticString, about subject: @autoclosure () -> String = "", _ code: CInt
  ) throws(SystemError) {
    if code != 0 { throw SystemError(code: code, call: "\(call)", subject: subject()) }
  }
}
