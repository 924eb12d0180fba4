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

  /// Returns `path` itself if it begins with a slash, otherwise the path below the current directory. Links are not resolved.
  package static func absolutePath(_ path: String) -> String {
    if path.hasPrefix("/") { return path }
    guard let directory = unsafe getcwd(nil, 0) else { return path }
    defer { unsafe free(directory) }
    return unsafe String(cString: directory) + "/" + path
  }

  /// Returns `path` as an absolute path without `.` and `..`, for the present current directory and links.
  ///
  /// A `..` after a link leads out of the link's target, as in the kernel. Links after the last `..` are not resolved. If a
  /// directory before a `..` is missing, both names are dropped.
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

  /// Returns `path` with every link in it followed; `nil` if there is no such file. The C function is `realpath`.
  package static func realPath(_ path: String) -> String? {
    guard let resolved = unsafe realpath(path, nil) else { return nil }
    defer { unsafe free(resolved) }
    return unsafe String(cString: resolved)
  }

  package static var inputIsTerminal: Bool { isatty(STDIN_FILENO) == 1 }

  package static var outputIsTerminal: Bool { isatty(STDOUT_FILENO) == 1 }

  package static var errorIsTerminal: Bool { isatty(STDERR_FILENO) == 1 }

  /// Whether standard output shows colors: on a terminal, unless `NO_COLOR` is set and not empty (no-color.org).
  package static var outputShowsColors: Bool { showsColors(STDOUT_FILENO) }

  /// Whether standard error shows colors, by the same rule.
  package static var errorShowsColors: Bool { showsColors(STDERR_FILENO) }

  private static func showsColors(_ descriptor: CInt) -> Bool {
    isatty(descriptor) == 1 && environment["NO_COLOR", default: ""].isEmpty
  }

  /// Writes `text` to standard output. A failure is ignored.
  package static func print(_ text: String) {
    write(text, to: STDOUT_FILENO)
  }

  /// Writes `text` to standard error.
  package static func printError(_ text: String) {
    write(text, to: STDERR_FILENO)
  }

  /// Writes all of `bytes` to standard output. Returns `false` if its reader is gone.
  ///
  /// The C function is `write`.
  package static func write(_ bytes: RawSpan) throws(SystemError) -> Bool {
    let code = unsafe bytes.withUnsafeBytes { bytes in unsafe write(bytes, to: STDOUT_FILENO) }
    if code == 0 || code == EPIPE { return code == 0 }
    throw SystemError(code: code, call: "write", subject: "standard output")
  }

  private static func write(_ text: String, to descriptor: CInt) {
    var text = text
    // The reader is gone or the disk is full; there is no way to report it.
    _ = text.withUTF8 { bytes in unsafe write(UnsafeRawBufferPointer(bytes), to: descriptor) }
  }

  /// Returns 0 when all bytes have been written, otherwise an errno value.
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
  /// The use of a file for which a permission is checked.
  package enum Access: Sendable {
    case readingAndWriting
    /// Making and removing files in a directory.
    case changingDirectory

    fileprivate var mode: CInt {
      switch self {
      case .readingAndWriting: R_OK | W_OK
      case .changingDirectory: W_OK | X_OK
      }
    }
  }

  /// Throws the kernel's reason if the process may not use the file at `path` in this way now. The C function is `faccessat`.
  package static func checkAccess(to path: String, _ access: Access) throws(SystemError) {
    try SystemCall.check("access", about: path) { unsafe faccessat(AT_FDCWD, path, access.mode, AT_EACCESS) }
  }

  /// Makes the directory at `path` with permission bits `mode` unless it exists. Its parent directory must exist.
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
