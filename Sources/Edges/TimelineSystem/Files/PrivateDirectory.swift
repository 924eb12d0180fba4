internal import CTimelineSystem
internal import Glibc

/// A directory of files that one user may read and only its maker may change.
///
/// The directory stays owned by its maker. So its reader can put nothing into it, and a process that clears it finds no links of
/// other users. The maker holds a lock on it as long as it lives; a directory without a lock is abandoned.
package struct PrivateDirectory: ~Copyable {
  private let path: String
  private let descriptor: FileDescriptor

  /// Makes the directory at `path`, which must not exist. Its parent directory must exist.
  package init(at path: String) throws(SystemError) {
    try SystemCall.check("mkdir", about: path) { unsafe mkdir(path, 0o700) }
    let descriptor = FileDescriptor(
      owning: try SystemCall.check("open", about: path) {
        unsafe open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
      })
    let number = descriptor.rawValue
    try SystemCall.check("flock", about: path) { flock(number, LOCK_SH | LOCK_NB) }
    self.path = path
    self.descriptor = descriptor
  }

  /// Adds a file that `user` of `group` may read.
  package borrowing func add(
    _ name: String, _ bytes: [UInt8], user: UInt32, group: UInt32
  ) throws(SystemError) {
    let directory = descriptor.rawValue
    let file = FileDescriptor(
      owning: try SystemCall.check("openat", about: "\(path)/\(name)") {
        unsafe timeline_create_file_at(directory, name)
      })
    let number = file.rawValue
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = try SystemCall.check("write", about: "\(path)/\(name)") {
        unsafe rest.withUnsafeBytes { unsafe write(number, $0.baseAddress, $0.count) }
      }
      rest = rest.dropFirst(count)
    }
    try Self.give(number, to: user, group, about: "\(path)/\(name)")
  }

  /// Lets `group` read the directory, and keeps it locked as long as this process lives. Returns its path.
  package consuming func seal(group: UInt32) throws(SystemError) -> String {
    let number = descriptor.rawValue
    let path = path
    try Self.give(number, to: CurrentProcess.effectiveUser, group, about: path)
    try SystemCall.check("fchmod", about: path) { fchmod(number, 0o550) }
    _ = descriptor.release()
    return path
  }

  /// Changes the owner if it differs. A service that may not change any owner can still keep the present one.
  private static func give(
    _ number: CInt, to user: UInt32, _ group: UInt32, about path: String
  ) throws(SystemError) {
    var status = stat()
    try SystemCall.check("fstat", about: path) { unsafe fstat(number, &status) }
    if status.st_uid == user && status.st_gid == group { return }
    try SystemCall.check("fchown", about: path) { fchown(number, user, group) }
  }

  /// Removes the files `names` and then the directory at `path`, without listing it. Returns `false` if the directory holds
  /// anything else, which ``remove(at:)`` removes. A missing directory counts as removed.
  package static func remove(
    files names: some Sequence<String>, at path: String
  ) throws(SystemError) -> Bool {
    // A user other than root needs write permission to empty a directory, even their own.
    guard unsafe chmod(path, 0o700) == 0 || errno != ENOENT else { return true }
    for name in names { _ = unsafe unlink("\(path)/\(name)") }
    do {
      try SystemCall.check("rmdir", about: path) { unsafe rmdir(path) }
    } catch {
      guard error.code == ENOTEMPTY || error.code == EEXIST else { throw error }
      return false
    }
    return true
  }

  /// Removes a directory and everything in it, which takes longer for more files. Links are not followed. A missing directory
  /// counts as removed.
  package static func remove(at path: String) throws(SystemError) {
    do {
      _ = unsafe chmod(path, 0o700)
      try SystemCall.check("unlinkat", about: path) { unsafe timeline_remove_tree(path) }
    } catch {
      if error.code != ENOENT { throw error }
    }
  }

  /// Makes the parent of private directories, unless it exists. Returns whether it belongs to this user and no other user
  /// may write to it.
  package static func makeRoot(at path: String) -> Bool {
    try? CurrentProcess.makeDirectory(path, mode: 0o711)
    return isOwn(path)
  }

  /// Removes the directories in `root` whose makers have ended. Only names that are numbers count, because makers use numbers as
  /// names.
  ///
  /// Does nothing if another user may write to `root`, and leaves directories of other users alone.
  package static func removeAbandoned(in root: String) throws(SystemError) {
    guard isOwn(root) else { return }
    for name in try DirectoryListing.names(in: root) where name.utf8.allSatisfy({ 0x30...0x39 ~= $0 }) {
      let path = "\(root)/\(name)"
      guard isOwn(path) else { continue }
      let number = unsafe open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
      guard number >= 0 else { continue }
      let directory = FileDescriptor(owning: number)
      if flock(directory.rawValue, LOCK_EX | LOCK_NB) == 0 { try remove(at: path) }
    }
  }

  /// Whether `path` is a directory of this process's user that no other user may write to.
  private static func isOwn(_ path: String) -> Bool {
    guard let facts = try? FileFacts(ofLinkAt: path) else { return false }
    return facts.kind == .directory && facts.owner == CurrentProcess.effectiveUser
      && !facts.isWritableByGroupOrOthers
  }
}
