internal import CTimelineSystem
internal import Glibc

// Paths, terminals and output of the process, and access to files.
extension CurrentProcess {
  /// The path of the program that runs, links resolved; empty when `/proc` is not there.
  package static var executablePath: String {
    // PATH_MAX of Linux; a longer path cannot be executed.
    var buffer = [CChar](repeating: 0, count: 4096)
    let count = unsafe buffer.withUnsafeMutableBufferPointer { bytes in
      unsafe bytes.baseAddress.map { unsafe readlink("/proc/self/exe", $0, bytes.count) } ?? 0
    }
    guard count > 0 else { return "" }
    return String(decoding: buffer.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// `path` as it is when it begins with a slash, otherwise below the current directory. Links are not resolved.
  package static func absolutePath(_ path: String) -> String {
    if path.hasPrefix("/") { return path }
    guard let directory = unsafe getcwd(nil, 0) else { return path }
    defer { unsafe free(directory) }
    return unsafe String(cString: directory) + "/" + path
  }

  /// `path` as an absolute path without `.` and `..`, for the current directory and the links as they are now.
  ///
  /// A `..` after a link leads out of the link's target, as it does for the kernel; what comes after the last `..` is not looked at.
  /// If a directory before a `..` is missing, the two cancel each other out.
  package static func normalizedPath(_ path: String) -> String {
    let names = absolutePath(path).split(separator: "/").filter { $0 != "." }
    guard let last = names.lastIndex(of: "..") else { return "/" + names.joined(separator: "/") }
    var result: [Substring] = []
    if let start = realPath("/" + names[...last].joined(separator: "/")) {
      result = start.split(separator: "/") + names[(last + 1)...]
    } else {
      for name in names {
        if name == ".." { _ = result.popLast() } else { result.append(name) }
      }
    }
    return "/" + result.joined(separator: "/")
  }

  /// `path` with every link in it followed; `nil` when there is nothing of that name. The C function is `realpath`.
  package static func realPath(_ path: String) -> String? {
    guard let resolved = unsafe realpath(path, nil) else { return nil }
    defer { unsafe free(resolved) }
    return unsafe String(cString: resolved)
  }

  /// Whether standard input is a terminal, where a person types.
  package static var inputIsTerminal: Bool { isatty(STDIN_FILENO) == 1 }

  /// Whether standard output is a terminal, where a person reads.
  package static var outputIsTerminal: Bool { isatty(STDOUT_FILENO) == 1 }

  /// Whether standard error is a terminal, where a person reads.
  package static var errorIsTerminal: Bool { isatty(STDERR_FILENO) == 1 }

  /// Whether standard output shows colors: on a terminal, and not where `NO_COLOR` says something (no-color.org).
  package static var outputShowsColors: Bool { showsColors(STDOUT_FILENO) }

  /// Whether standard error shows colors, by the same rule.
  package static var errorShowsColors: Bool { showsColors(STDERR_FILENO) }

  private static func showsColors(_ descriptor: CInt) -> Bool {
    isatty(descriptor) == 1 && environment["NO_COLOR", default: ""].isEmpty
  }

  /// Writes `text` to standard output, for programs that do not depend on its being read.
  package static func print(_ text: String) {
    write(text, to: STDOUT_FILENO)
  }

  /// Writes `text` to standard error.
  package static func printError(_ text: String) {
    write(text, to: STDERR_FILENO)
  }

  /// Writes all of `bytes` to standard output; `false` when its reader is gone.
  ///
  /// The C function is `write`.
  package static func write(_ bytes: RawSpan) throws(SystemError) -> Bool {
    let code = unsafe bytes.withUnsafeBytes { bytes in unsafe write(bytes, to: STDOUT_FILENO) }
    if code == 0 || code == EPIPE { return code == 0 }
    throw SystemError(code: code, call: "write", subject: "standard output")
  }

  private static func write(_ text: String, to descriptor: CInt) {
    var text = text
    // Nobody reads any more, or the disk is full: there is no one to tell.
    _ = text.withUTF8 { bytes in unsafe write(UnsafeRawBufferPointer(bytes), to: descriptor) }
  }

  /// 0 when all has been written, otherwise the reason why not.
  private static func write(_ bytes: UnsafeRawBufferPointer, to descriptor: CInt) -> CInt {
    var written = 0
    while written < bytes.count {
      let count = unsafe Glibc.write(
        descriptor, bytes.baseAddress.map { unsafe $0 + written }, bytes.count - written)
      if count < 0 && errno == EINTR { continue }
      // Another process that shares the descriptor has made it non-blocking.
      if count < 0 && errno == EAGAIN {
        _ = timeline_wait_ready(descriptor, 1, -1)
        continue
      }
      guard count > 0 else { return count < 0 ? errno : EIO }
      written += count
    }
    return 0
  }
}

extension CurrentProcess {
  /// A way in which a process means to use a file.
  package enum Access: Sendable {
    /// Reads and writes it.
    case readingAndWriting
    /// Makes and removes files in it.
    case changingDirectory

    fileprivate var mode: CInt {
      switch self {
      case .readingAndWriting: R_OK | W_OK
      case .changingDirectory: W_OK | X_OK
      }
    }
  }

  /// Throws the kernel's reason when the process may not do that with the file at `path`, as of now. The C function is `faccessat`.
  package static func checkAccess(to path: String, _ access: Access) throws(SystemError) {
    try SystemCall.check("access", about: path) { unsafe faccessat(AT_FDCWD, path, access.mode, AT_EACCESS) }
  }

  /// Makes the directory at `path` with permission bits `mode` unless it is there; what it stands in must be there.
  ///
  /// The C function is `mkdir`.
  package static func makeDirectory(_ path: String, mode: UInt32) throws(SystemError) {
    do {
      try SystemCall.check("mkdir", about: path) { unsafe mkdir(path, mode) }
    } catch {
      if error.code != EEXIST { throw error }
    }
  }
}
