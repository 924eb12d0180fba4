internal import CTimelineSystem
internal import Glibc

/// A failed system call: the call, its object, the reason, and the remedy if there is one.
package struct SystemError: Error, Hashable, Sendable {
  /// The kernel's reason: an errno value such as `ENOENT`.
  package var code: CInt
  /// The C function that failed, such as `open`.
  package var call: String
  /// The object of the call in readable form: a path, a user, `descriptor 7`; may be empty.
  package var subject: String
  /// Remedy, as a sentence; replaces the usual one of ``code``.
  package var remedy: String?

  package init(code: CInt, call: String, subject: String = "", remedy: String? = nil) {
    self.code = code
    self.call = call
    self.subject = subject
    self.remedy = remedy
  }
}

extension SystemError: CustomStringConvertible {
  /// `subject: reason: remedy`. If there is no subject, the call replaces it. If there is no remedy, it is left out.
  package var description: String {
    let text = "\(subject.isEmpty ? call : subject): \(plainReason)"
    return remedyText.map { "\(text): \($0)" } ?? text
  }

  /// The kernel's reason in words, without a full stop.
  package var reason: String {
    guard let text = unsafe timeline_error_text(code) else { return "unknown error \(code)" }
    return unsafe String(cString: text)
  }

  /// The reason in lower case, for use after a colon: `no such file or directory`.
  package var plainReason: String { reason.prefix(1).lowercased() + reason.dropFirst() }

  /// The symbol of ``code``, such as `ENOENT`.
  package var name: String {
    guard let text = unsafe timeline_error_name(code) else { return "errno \(code)" }
    return unsafe String(cString: text)
  }

  /// Whether a resource is exhausted that other processes will release again: processes, descriptors or memory.
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
  /// Remedy as a clause, in lower case and without a full stop; `nil` if there is none.
  package var remedyText: String? {
    guard let text = remedy ?? Self.remedy(of: code), let first = text.first else { return nil }
    return first.lowercased() + (text.hasSuffix(".") ? text.dropFirst().dropLast() : text.dropFirst())
  }
}

extension SystemError {
  /// Returns the error for a peer that passes descriptors with its message. The descriptors are closed already.
  static func passedDescriptors(on subject: String) -> SystemError {
    SystemError(
      code: EPROTO, call: "recvmsg", subject: subject,
      remedy: "Descriptors were passed along, which nobody takes here; send none.")
  }

  /// Whether the object does not exist.
  package var isMissing: Bool { code == ENOENT || code == ENOTDIR }
  /// Whether a file has more bytes than may be read.
  package var isTooLarge: Bool { code == EFBIG }
  /// Whether the file system is read-only.
  package var isReadOnly: Bool { code == EROFS }
  /// Whether this process lacks the permission.
  package var isForbidden: Bool { code == EACCES || code == EPERM }
}
