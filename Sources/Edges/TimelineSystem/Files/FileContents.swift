internal import CTimelineSystem
internal import Glibc

/// The bytes of a file, with the facts of the same open file.
package struct FileContents: Sendable, Hashable {
  package var bytes: [UInt8]
  /// Owner, mode and the rest, from the same open file, so that no process can replace the file in between.
  package var facts: FileFacts

  /// Reads the regular file at `path`, links followed.
  ///
  /// Throws `EFBIG` if the file is longer than `limit` bytes, `EISDIR` if it is a directory, `EINVAL` if it is another file that
  /// is not regular, and the errors of `open` and `read`.
  package static func read(_ path: String, limit: Int) throws(SystemError) -> FileContents {
    let descriptor = FileDescriptor(
      owning: try SystemCall.check("open", about: path) { unsafe timeline_open_reading(path) })
    let facts = try FileFacts(of: descriptor)
    guard facts.kind == .regular else {
      throw SystemError(
        code: facts.kind == .directory ? EISDIR : EINVAL, call: "open", subject: path,
        remedy: "Name a regular file.")
    }
    let stream = ByteStream(owning: descriptor)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(min(facts.size, limit) + 1)
    while bytes.count <= limit {
      // Requests one byte more than the limit, so that a file that grew is noticed as well.
      guard case .bytes(let more) = try stream.read(atMost: min(limit + 1 - bytes.count, 65_536)) else {
        break
      }
      bytes += more
    }
    guard bytes.count <= limit else {
      throw SystemError(
        code: EFBIG, call: "read", subject: path, remedy: "It may have at most \(limit) bytes.")
    }
    return FileContents(bytes: bytes, facts: facts)
  }
}

extension FileContents {
  /// Reads the first bytes of the regular file at `path`, links followed; fewer than `count` at its end.
  ///
  /// Throws the errors of `open` and `read`.
  package static func beginning(of path: String, count: Int) throws(SystemError) -> [UInt8] {
    let descriptor = FileDescriptor(
      owning: try SystemCall.check("open", about: path) { unsafe timeline_open_reading(path) })
    guard case .bytes(let bytes) = try ByteStream(owning: descriptor).read(atMost: count) else { return [] }
    return bytes
  }
}

/// The names in a directory.
package enum DirectoryListing {
  /// Returns the names of all files in the directory at `path` except `.` and `..`, sorted by their bytes.
  ///
  /// Throws the errors of `opendir` and `readdir`, and `EOVERFLOW` if there are more than 10,000 names. A name that is not UTF-8
  /// is repaired, and then names no file; this program makes no such file.
  package static func names(in path: String) throws(SystemError) -> [String] {
    guard let directory = unsafe opendir(path) else {
      throw SystemError(code: errno, call: "opendir", subject: path)
    }
    defer { unsafe _ = closedir(directory) }
    var names: [String] = []
    while true {
      errno = 0
      guard let entry = unsafe readdir(directory) else {
        if errno == 0 { break }
        throw SystemError(code: errno, call: "readdir", subject: path)
      }
      let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { raw in
        unsafe String(decoding: raw.prefix(while: { $0 != 0 }), as: UTF8.self)
      }
      if name != "." && name != ".." { names.append(name) }
      guard names.count <= SystemLimits.directoryEntriesMax else {
        throw SystemError(
          code: EOVERFLOW, call: "readdir", subject: path,
          remedy: "A directory may have at most \(SystemLimits.directoryEntriesMax) entries here.")
      }
    }
    return names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }
}
