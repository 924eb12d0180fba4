import Glibc

/// A file that was to be executed, as far as its kind and its beginning say why it was not.
struct ProgramFile {
  private let path: String
  private let facts: stat
  /// Bytes of a file that are looked at: as many as the kernel itself reads to find out how to execute it.
  private static let headMax = 256

  /// Looks at the file behind `path`; `nil` when there is none, or it cannot be seen.
  init?(_ path: String) {
    var facts = stat()
    guard stat(path, &facts) == 0 else { return nil }
    self.path = path
    self.facts = facts
  }

  var isRegular: Bool { facts.st_mode & S_IFMT == S_IFREG }
  var isDirectory: Bool { facts.st_mode & S_IFMT == S_IFDIR }
  var isEmpty: Bool { facts.st_size == 0 }
  /// Whether anybody may execute it.
  var isExecutable: Bool { facts.st_mode & 0o111 != 0 }
  /// Whether it is in the binary format of Linux.
  var isBinary: Bool { head.starts(with: [0x7F, 0x45, 0x4C, 0x46]) }

  /// The interpreter that a `#!` line names; `nil` for a file without one.
  var interpreter: String? {
    guard let line = firstLine, line.starts(with: "#!".utf8) else { return nil }
    let words = line.dropFirst(2).split { $0 == 0x20 || $0 == 0x09 }
    return words.first.map { String(decoding: $0, as: UTF8.self) }
  }

  /// Whether its `#!` line ends with a carriage return, which the kernel takes for a part of its last word.
  var hasCarriageReturn: Bool {
    guard let line = firstLine else { return false }
    return line.starts(with: "#!".utf8) && line.last == 0x0D
  }

  private var firstLine: ArraySlice<UInt8>? { head.split(separator: 0x0A, maxSplits: 1).first }

  private var head: [UInt8] {
    guard isRegular else { return [] }
    let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard file >= 0 else { return [] }
    defer { close(file) }
    return [UInt8](unsafeUninitializedCapacity: Self.headMax) { buffer, count in
      count = max(0, read(file, buffer.baseAddress, buffer.count))
    }
  }
}
