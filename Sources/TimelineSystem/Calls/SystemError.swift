internal import CTimelineSystem
internal import Glibc

/// A system call that failed: what was tried, on what, why, and what to do where there is something to do.
package struct SystemError: Error, Hashable, Sendable {
  /// The kernel's reason, an errno value such as `ENOENT`.
  package var code: CInt
  /// The C function that failed, such as `open`.
  package var call: String
  /// The object of the call, as a person would write it: a path, a user, `descriptor 7`; may be empty.
  package var subject: String
  /// A sentence that says what to do; replaces the usual one of ``code``.
  package var remedy: String?

  /// Makes an error of `call` about `subject`.
  package init(code: CInt, call: String, subject: String = "", remedy: String? = nil) {
    self.code = code
    self.call = call
    self.subject = subject
    self.remedy = remedy
  }
}

extension SystemError: CustomStringConvertible {
  /// The subject, or the call where there is none, the reason, and the remedy where there is one, separated by colons.
  package var description: String {
    let text = "\(subject.isEmpty ? call : subject): \(plainReason)"
    return remedyText.map { "\(text): \($0)" } ?? text
  }

  /// The kernel's reason in words, without a full stop.
  package var reason: String {
    guard let text = unsafe timeline_error_text(code) else { return "unknown error \(code)" }
    return unsafe String(cString: text)
  }

  /// The reason as it stands after a colon: `no such file or directory`.
  package var plainReason: String { reason.prefix(1).lowercased() + reason.dropFirst() }

  /// The symbol of ``code``, such as `ENOENT`.
  package var name: String {
    guard let text = unsafe timeline_error_name(code) else { return "errno \(code)" }
    return unsafe String(cString: text)
  }

  /// Whether something was short that others give back by and by: processes, descriptors or memory.
  package var isShortage: Bool { [EAGAIN, EMFILE, ENFILE, ENOMEM, ENOBUFS].contains(code) }

  private static func remedy(of code: CInt) -> String? {
    switch code {
    case EACCES, EPERM: "Run as a user that may do this, or change the permissions."
    case EMFILE: "Raise the limit of open files (LimitNOFILE= of the service, or ulimit -n)."
    case ENFILE: "The whole system is out of open files; raise fs.file-max."
    case ENOMEM: "The machine is short of memory; give it more or run less."
    case ENOSPC: "A file system or a kernel limit is full; make room."
    case EAGAIN: "A limit of processes or a busy peer stood in the way; try again later."
    case ENAMETOOLONG: "Use a shorter path."
    case ENOEXEC: "Give it a #! line, or build it for this machine."
    default: nil
    }
  }
}

extension SystemError {
  /// The sentence that says what to do, within another one; `nil` where there is nothing special.
  package var remedyText: String? {
    guard let text = remedy ?? Self.remedy(of: code), let first = text.first else { return nil }
    return first.lowercased() + (text.hasSuffix(".") ? text.dropFirst().dropLast() : text.dropFirst())
  }
}

extension SystemError {
  /// Returns the error for a peer that passes descriptors with its message; they are closed already.
  static func passedDescriptors(on subject: String) -> SystemError {
    SystemError(
      code: EPROTO, call: "recvmsg", subject: subject,
      remedy: "Descriptors were passed along, which nobody takes here; send none.")
  }

  /// Whether the thing asked for does not exist.
  package var isMissing: Bool { code == ENOENT || code == ENOTDIR }
  /// Whether a file has more bytes than may be read.
  package var isTooLarge: Bool { code == EFBIG }
  /// Whether the file system can only be read.
  package var isReadOnly: Bool { code == EROFS }
  /// Whether this process has not the right to it.
  package var isForbidden: Bool { code == EACCES || code == EPERM }
}
