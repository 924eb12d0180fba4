internal import CTimelineSystem
internal import Glibc

/// The access list of a file (acl(5)): rights of named users and groups beside the rights of the mode.
///
/// The group's bits of the mode are the mask of the list: an upper bound of the rights of all its entries except the owner and
/// others.
package struct AccessList: Sendable, Hashable {
  /// A right, by its bit.
  package enum Right: UInt16, Sendable {
    case reading = 4
    case writing = 2
  }

  private struct Entry: Sendable, Hashable {
    var tag: UInt16
    var rights: UInt16
    var number: UInt32
  }

  // Tags of <linux/posix_acl.h>.
  private static let (namedUser, owningGroup, namedGroup, mask) = (
    UInt16(0x02), UInt16(0x04), UInt16(0x08), UInt16(0x10)
  )
  /// Largest list in bytes: some five hundred entries. A longer list is not read, and counts as a list that grants all rights.
  private static let byteCountMax = 4_096

  private var entries: [Entry]
  private var isUnreadable = false

  /// Reads the list of the file at `path`, links followed; `nil` when it has none.
  package init?(ofFileAt path: String) {
    var buffer = [UInt8](repeating: 0, count: Self.byteCountMax)
    let count = unsafe buffer.withUnsafeMutableBytes { bytes in
      unsafe timeline_access_list(path, bytes.baseAddress, bytes.count)
    }
    if count < 0, [ENODATA, ENOTSUP].contains(errno) { return nil }
    self.init(bytes: buffer.prefix(max(0, count)))
  }

  /// Reads the kernel's bytes: the version 2, then entries of a tag, rights and a number, little-endian. Bytes of another form
  /// count as a list that grants all rights.
  init(bytes: ArraySlice<UInt8>) {
    func number(_ offset: Int, _ count: Int) -> UInt32 {
      (0..<count).reduce(0) { $0 | UInt32(bytes[bytes.startIndex + offset + $1]) << UInt32(8 * $1) }
    }
    guard bytes.count >= 4, number(0, 4) == 2, bytes.count % 8 == 4 else {
      (entries, isUnreadable) = ([], true)
      return
    }
    entries = stride(from: 4, to: bytes.count, by: 8).map { offset in
      Entry(
        tag: UInt16(number(offset, 2)), rights: UInt16(number(offset + 2, 2)), number: number(offset + 4, 4))
    }
  }

  /// Whether the list grants the right to a named user other than root and `user`, or to a named group.
  package func gives(_ right: Right, toOthersThan user: UInt32) -> Bool {
    isUnreadable
      || entries.contains { entry in
        let isOther =
          entry.tag == Self.namedGroup || entry.tag == Self.namedUser && ![0, user].contains(entry.number)
        return isOther && has(entry, right)
      }
  }

  /// Whether the list grants the right to the file's own group.
  package func givesToOwningGroup(_ right: Right) -> Bool {
    isUnreadable || entries.contains { $0.tag == Self.owningGroup && has($0, right) }
  }

  private func has(_ entry: Entry, _ right: Right) -> Bool {
    let most = entries.first { $0.tag == Self.mask }?.rights ?? 7
    return entry.rights & most & right.rawValue != 0
  }
}
