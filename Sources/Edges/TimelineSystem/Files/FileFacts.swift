internal import Glibc
package import TimelineCore

/// Attributes of a file.
package struct FileFacts: Sendable, Hashable {
  /// The kind of a file.
  package enum Kind: Sendable, Hashable {
    case regular
    case directory
    case socket
    case link
    /// A device or a FIFO.
    case other
  }

  package var kind: Kind
  package var owner: UInt32
  package var group: UInt32
  /// The permission bits, set-id and sticky bits included.
  package var mode: UInt32
  /// The length in bytes.
  package var size: Int
  /// The instant at which the contents last changed.
  package var modified: WallInstant
  /// Whether an access list permits users other than root and the owner to write; the group's bits of the mode show it too.
  package var isWritableByList = false
  /// The number of names that the file has.
  package var linkCount: Int
  private var device: UInt64
  private(set) var inode: UInt64

  /// Whether the group or other users may write. Access lists count, because Linux shows their mask in the group's bits.
  package var isWritableByGroupOrOthers: Bool { mode & 0o022 != 0 }

  /// Whether every user may read the file, as far as its own permission bits go.
  package var isReadableByAll: Bool { mode & 0o004 != 0 }

  /// Whether both facts are about the same file, even under different names.
  package func isSameFile(as other: FileFacts) -> Bool {
    device == other.device && inode == other.inode
  }

  /// The facts of the file at `path`, links followed. The C function is `stat`.
  package init(at path: String) throws(SystemError) {
    var status = stat()
    try SystemCall.check("stat", about: path) { unsafe stat(path, &status) }
    self.init(status, path: path)
  }

  /// The facts of the file at `path`; a link is not followed. The C function is `lstat`.
  package init(ofLinkAt path: String) throws(SystemError) {
    var status = stat()
    try SystemCall.check("lstat", about: path) { unsafe lstat(path, &status) }
    self.init(status, path: path)
  }

  /// The facts of an open file. The C function is `fstat`.
  package init(of descriptor: borrowing FileDescriptor) throws(SystemError) {
    let number = descriptor.rawValue
    var status = stat()
    try SystemCall.check("fstat", about: "descriptor \(number)") { unsafe fstat(number, &status) }
    self.init(status, path: "/proc/self/fd/\(number)")
  }

  private init(_ status: stat, path: String) {
    kind =
      switch status.st_mode & S_IFMT {
      case S_IFREG: .regular
      case S_IFDIR: .directory
      case S_IFSOCK: .socket
      case S_IFLNK: .link
      default: .other
      }
    owner = status.st_uid
    group = status.st_gid
    mode = UInt32(status.st_mode) & 0o7777
    size = Int(status.st_size)
    modified =
      WallInstant(secondsSinceEpoch: Int64(status.st_mtim.tv_sec))
      + .nanoseconds(Int64(status.st_mtim.tv_nsec))
    device = UInt64(status.st_dev)
    inode = UInt64(status.st_ino)
    linkCount = Int(status.st_nlink)
    // The group's write bit is the mask of the list: without it no entry permits writing.
    guard mode & 0o020 != 0, kind == .regular || kind == .directory else { return }
    isWritableByList = AccessList(ofFileAt: path)?.gives(.writing, toOthersThan: owner) ?? false
  }
}
