internal import Glibc

/// A file that is written as a whole: a reader finds the former contents or the new ones, never a part of them.
package enum WholeFile {
  /// Writes `bytes` to the file at `path`, in place of any former contents. The permission bits become `mode`; without `mode`
  /// they are kept. The owner becomes the user of this process.
  ///
  /// The bytes go to a new file beside `path`, which is renamed to `path` once they are on disk. A failure leaves the file at
  /// `path` as it was, and no new file. Anything but a regular file, such as a terminal or a FIFO, is written to directly.
  package static func write(_ bytes: [UInt8], to path: String, mode: UInt32? = nil) throws(SystemError) {
    guard !path.isEmpty else {
      throw SystemError(code: ENOENT, call: "open", subject: "the empty path", remedy: "Name a file.")
    }
    let former = try? FileFacts(at: path)
    if let former, former.kind != .regular { return try overwrite(path, bytes) }
    // A link to an existing file stays a link, and its target is replaced. A dangling link is replaced itself.
    let target = CurrentProcess.realPath(path) ?? path
    let beside = Self.beside(target)
    let file = try create(beside, mode: 0o666, about: path)
    do throws(SystemError) {
      let number = file.rawValue
      try append(bytes, to: number, about: path)
      if let mode = mode ?? former?.mode {
        try SystemCall.check("fchmod", about: path) { fchmod(number, mode_t(mode)) }
      }
      try SystemCall.check("fsync", about: path) { fsync(number) }
      try SystemCall.check("rename", about: path) { unsafe rename(beside, target) }
    } catch {
      _ = unsafe unlink(beside)
      throw error
    }
  }

  /// Writes `bytes` to a new file at `path`, with permission bits `mode` less the bits of the umask.
  ///
  /// Throws `EEXIST` if the name is taken. The file gets its name last, so that no process finds a part of it.
  package static func writeNew(_ bytes: [UInt8], to path: String, mode: UInt32) throws(SystemError) {
    let beside = Self.beside(path)
    let file = try create(beside, mode: mode, about: path)
    defer { _ = unsafe unlink(beside) }
    try append(bytes, to: file.rawValue, about: path)
    try SystemCall.check("fsync", about: path) { fsync(file.rawValue) }
    try SystemCall.check("link", about: path) { unsafe link(beside, path) }
  }

  /// Renames the complete file at `beside` to `path` once it is on disk. Replaces any file at `path`.
  package static func publish(_ beside: String, as path: String) throws(SystemError) {
    let file = FileDescriptor(
      owning: try SystemCall.check("open", about: beside) { unsafe open(beside, O_RDWR | O_CLOEXEC) })
    let number = file.rawValue
    try SystemCall.check("fsync", about: beside) { fsync(number) }
    try SystemCall.check("rename", about: path) { unsafe rename(beside, path) }
  }

  /// Removes the incomplete file at `beside`.
  package static func discard(_ beside: String) { _ = unsafe unlink(beside) }

  /// Returns the name under which a file is written before it is renamed to `path`.
  private static func beside(_ path: String) -> String {
    let name = "\(path).new-\(CurrentProcess.pid)"
    // A file with this name was left over by a killed process with the same number.
    _ = unsafe unlink(name)
    return name
  }

  /// Makes a new file. The process's umask applies.
  private static func create(
    _ path: String, mode: UInt32, about subject: String
  ) throws(SystemError) -> FileDescriptor {
    FileDescriptor(
      owning: try SystemCall.check("open", about: subject) {
        unsafe open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode_t(mode))
      })
  }

  private static func overwrite(_ path: String, _ bytes: [UInt8]) throws(SystemError) {
    let file = FileDescriptor(
      owning: try SystemCall.check("open", about: path) {
        unsafe open(path, O_WRONLY | O_NOCTTY | O_CLOEXEC)
      })
    try append(bytes, to: file.rawValue, about: path)
  }

  private static func append(_ bytes: [UInt8], to number: CInt, about path: String) throws(SystemError) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = try SystemCall.check("write", about: path) {
        unsafe rest.withUnsafeBytes { unsafe Glibc.write(number, $0.baseAddress, $0.count) }
      }
      rest = rest.dropFirst(count)
    }
  }
}
