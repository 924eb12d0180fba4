import Glibc

/// A file that could not be executed, with the facts that show why: its kind and its beginning.
struct ProgramFile {
  private let path: String
  private let facts: stat
  /// Number of bytes of a file that are read: the same number that the kernel reads to detect the format.
  private static let headMax = 256

  /// Reads the facts and the beginning of the file at `path`; `nil` if the file does not exist or cannot be accessed.
  init?(_ path: String) {
    var facts = stat()
    guard stat(path, &facts) == 0 else { return nil }
    self.path = path
    self.facts = facts
  }

  var isRegular: Bool { facts.st_mode & S_IFMT == S_IFREG }
  var isDirectory: Bool { facts.st_mode & S_IFMT == S_IFDIR }
  var isEmpty: Bool { facts.st_size == 0 }
  /// Whether the file has any execute permission.
  var isExecutable: Bool { facts.st_mode & 0o111 != 0 }
  /// Whether the file has Linux's binary format, ELF.
  var isBinary: Bool { head.starts(with: [0x7F, 0x45, 0x4C, 0x46]) }

  /// The interpreter that the file's `#!` line names; `nil` for a file without such a line.
  var interpreter: String? {
    guard let line = firstLine, line.starts(with: "#!".utf8) else { return nil }
    let words = line.dropFirst(2).split { $0 == 0x20 || $0 == 0x09 }
    return words.first.map { String(decoding: $0, as: UTF8.self) }
  }

  /// Whether the file's `#!` line ends with a carriage return. The kernel treats it as a part of the last word.
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
