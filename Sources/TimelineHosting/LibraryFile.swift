internal import TimelineSystem
internal import TimelineWire

/// An open library file that nobody but root, its owner and the owners of its folders can have changed.
///
/// What is checked is what is loaded: the file is opened once, judged by its descriptor, and loaded through
/// `/proc/self/fd`, so that nothing can be put in its place in between. The price is that `$ORIGIN` in the library's
/// run path means nothing. Groups and others may write neither the file nor any folder above it, where the name
/// leads and where the file lies, because who may write a folder may replace what is in it. Two exceptions: a folder
/// with the sticky bit (/tmp), in which only owners replace, and a group that is its owner's alone.
struct LibraryFile: ~Copyable {
  private let descriptor: FileDescriptor

  private init(descriptor: consuming FileDescriptor) {
    self.descriptor = descriptor
  }

  /// Opens and judges the file at `path`, an absolute path.
  static func open(at path: String) throws(Refusal) -> LibraryFile {
    guard path.utf8.first == UInt8(ascii: "/") else {
      throw Refusal(
        file: path, reason: "the path of a plugin must be absolute, and this is not",
        remedy: "give the whole path, beginning with a slash")
    }
    let file: LibraryFile
    switch HostSystem.openForReading(path) {
    case .success(let number): file = LibraryFile(descriptor: FileDescriptor(owning: number))
    case .failure(let error):
      let failure = SystemError(code: error.code, call: "open", subject: path)
      throw Refusal(
        file: path, reason: "the file cannot be opened: \(failure.reason)",
        remedy: failure.isMissing
          ? "install the plugin, or correct the job's `plugin`" : "let the job's user read it")
    }
    try file.judgeFile(path)
    try judgeFolders(of: path, in: path)
    guard let place = HostSystem.path(ofDescriptor: file.descriptor.rawValue) else {
      throw Refusal(
        file: path, reason: "where it lies cannot be read from /proc/self/fd", remedy: "mount /proc")
    }
    try judgeFolders(of: place, in: path)
    return file
  }

  /// A name for the open file itself, for as long as this value lives.
  var path: String { "/proc/self/fd/\(descriptor.rawValue)" }

  /// Keeps the file open for as long as the process lives: the loader knows the library by this name.
  consuming func keepOpen() {
    _ = descriptor.release()
  }

  private borrowing func judgeFile(_ path: String) throws(Refusal) {
    let facts: FileFacts
    do {
      facts = try FileFacts(of: descriptor)
    } catch {
      throw Refusal(file: path, reason: "\(error)", remedy: "check the file system that it lies on")
    }
    guard facts.kind == .regular else {
      throw Refusal(
        file: path, reason: "a plugin must be a regular file, and this is something else",
        remedy: "correct the job's `plugin`")
    }
    if facts.isWritableByStrangers {
      throw Refusal(
        file: path,
        reason: "others than root and its owner may change it: its mode is \(facts.octalMode)",
        remedy: "run chmod go-w \(path)")
    }
  }

  private static func judgeFolders(of place: String, in path: String) throws(Refusal) {
    var folder = place[...]
    while let slash = folder.lastIndex(of: "/") {
      folder = folder[..<slash]
      let name = folder.isEmpty ? "/" : String(folder)
      let facts: FileFacts
      do {
        facts = try FileFacts(at: name)
      } catch {
        throw Refusal(
          file: path, reason: "the folder \(name) cannot be judged: \(error.reason)", remedy: "mend it")
      }
      let isSticky = facts.mode & 0o1000 != 0
      if facts.isWritableByStrangers && !isSticky {
        throw Refusal(
          file: path,
          reason: "others than root and its owner may replace it: the mode of \(name) is \(facts.octalMode)",
          remedy: "run chmod go-w \(name), or install the plugin elsewhere")
      }
    }
  }
}

extension FileFacts {
  /// Whether others than root, the owner, and a group that is the owner's alone may write.
  fileprivate var isWritableByStrangers: Bool {
    if mode & 0o002 != 0 { return true }
    return mode & 0o020 != 0 && !belongsToOwnersOwnGroup
  }

  /// Whether the group is the one that many systems make for each user, with nobody else in it.
  private var belongsToOwnersOwnGroup: Bool {
    guard group != 0, let owner = try? UserRecord(numbered: owner), owner.group == group,
      let group = HostSystem.group(group)
    else { return false }
    return group.name == owner.name && group.members.allSatisfy { $0 == owner.name }
  }

  fileprivate var octalMode: String { "0" + String(mode, radix: 8) }
}
