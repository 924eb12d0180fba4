import Glibc
import Testing

@testable import TimelineSystem

@Suite struct `Rights beside those of the mode` {
  private static let own: UInt32 = 1000

  /// The bytes of a list: a version, and for each entry its tag, its rights and a number.
  private static func bytes(_ entries: [(tag: UInt16, rights: UInt16, number: UInt32)], version: UInt32 = 2)
    -> [UInt8]
  {
    func little(_ value: some FixedWidthInteger) -> [UInt8] {
      stride(from: 0, to: value.bitWidth, by: 8).map { UInt8(truncatingIfNeeded: value >> $0) }
    }
    return little(version) + entries.flatMap { little($0.tag) + little($0.rights) + little($0.number) }
  }

  private static let (owner, user, owningGroup, group, mask, other) = (
    UInt16(1), UInt16(2), UInt16(4), UInt16(8), UInt16(16), UInt16(32)
  )
  private static let nobody = UInt32.max

  struct Row: Sendable {
    let entries: [(tag: UInt16, rights: UInt16, number: UInt32)]
    let reading: Bool
    let writing: Bool
    let groupReading: Bool
  }

  static let rows = [
    Row(
      entries: [
        (owner, 6, nobody), (user, 6, 1001), (owningGroup, 4, nobody), (mask, 6, nobody), (other, 0, nobody),
      ],
      reading: true, writing: true, groupReading: true),
    Row(
      entries: [
        (owner, 6, nobody), (user, 6, 1001), (owningGroup, 6, nobody), (mask, 4, nobody), (other, 0, nobody),
      ],
      reading: true, writing: false, groupReading: true),
    Row(
      entries: [
        (owner, 6, nobody), (group, 2, 50), (owningGroup, 0, nobody), (mask, 6, nobody), (other, 0, nobody),
      ],
      reading: false, writing: true, groupReading: false),
    // As systemd lets a service read its credentials.
    Row(
      entries: [
        (owner, 4, nobody), (user, 4, own), (owningGroup, 0, nobody), (mask, 4, nobody), (other, 0, nobody),
      ],
      reading: false, writing: false, groupReading: false),
    Row(
      entries: [
        (owner, 4, nobody), (user, 6, 0), (owningGroup, 0, nobody), (mask, 6, nobody), (other, 0, nobody),
      ],
      reading: false, writing: false, groupReading: false),
  ]

  @Test(arguments: rows.indices)
  func `an access list gives what its entries and its mask have`(index: Int) {
    let row = Self.rows[index]
    let list = AccessList(bytes: Self.bytes(row.entries)[...])
    #expect(list.gives(.reading, toOthersThan: Self.own) == row.reading)
    #expect(list.gives(.writing, toOthersThan: Self.own) == row.writing)
    #expect(list.givesToOwningGroup(.reading) == row.groupReading)
  }

  @Test(arguments: [[], [1, 0, 0, 0], [2, 0, 0, 0, 1], [2, 0, 0]] as [[UInt8]])
  func `a list of another form gives everything`(bytes: [UInt8]) {
    let list = AccessList(bytes: bytes[...])
    #expect(list.gives(.writing, toOthersThan: Self.own) && list.givesToOwningGroup(.reading))
  }

  @Test func `a file without a list has none`() throws {
    let directory = try TestDirectory()
    let path = directory.path + "/file"
    try WholeFile.writeNew([1], to: path, mode: 0o644)
    #expect(AccessList(ofFileAt: path) == nil)
  }

  /// Rights that others get from the list of a file whose mode is 0600 without it.
  @Test(arguments: [UInt16(4), 2])
  func `the list of a file counts where the file is judged`(rights: UInt16) throws {
    let directory = try TestDirectory()
    let path = try directory.file("listed", "x")
    let entries: [(tag: UInt16, rights: UInt16, number: UInt32)] = [
      (Self.owner, 6, Self.nobody), (Self.user, rights, CurrentProcess.effectiveUser + 1),
      (Self.owningGroup, 0, Self.nobody), (Self.mask, rights, Self.nobody), (Self.other, 0, Self.nobody),
    ]
    let error = setAccessList(Self.bytes(entries), ofFileAt: path)
    // Not every file system has lists.
    try #require([0, ENOTSUP].contains(error))
    guard error == 0 else { return #expect(AccessList(ofFileAt: path) == nil) }
    let facts = try FileFacts(at: path)
    #expect(facts.isWritableByList == (rights == 2) && !facts.isInOwnersPrivateGroup)
    let fault = #expect(throws: TrustedFileFault.self) { try TrustedFile.secret(at: path, limit: 9) }
    #expect(
      fault?.reason.hasPrefix(rights == 2 ? "others than its owner may change" : "others may read") == true)
    // It takes the mask away.
    unsafe chmod(path, 0o600)
    #expect(try TrustedFile.secret(at: path, limit: 9) == Array("x".utf8))
  }

  /// Calls `setxattr`, which is not in the Glibc module; its error number, or 0.
  private func setAccessList(_ bytes: [UInt8], ofFileAt path: String) -> CInt {
    typealias Function =
      @convention(c) (
        UnsafePointer<CChar>, UnsafePointer<CChar>, UnsafeRawPointer, Int, CInt
      ) -> CInt
    guard let symbol = unsafe dlsym(nil, "setxattr") else { return EINVAL }
    let function = unsafe unsafeBitCast(symbol, to: Function.self)
    return unsafe bytes.withUnsafeBytes { bytes in
      guard let start = bytes.baseAddress else { return EINVAL }
      return unsafe function(path, "system.posix_acl_access", start, bytes.count, 0) == 0 ? 0 : errno
    }
  }

  @Test(
    arguments: [
      (0o600, nil), (0o400, nil), (0o604, "others may read"), (0o644, "others may read"),
      (0o602, "others than its owner may change"),
    ] as [(mode_t, String?)])
  func `a secret is read and changed by its owner alone`(mode: mode_t, reason: String?) throws {
    let directory = try TestDirectory()
    let path = try directory.file("secret", "x")
    unsafe chmod(path, mode)
    try expect(path, refusedFor: reason)
  }

  @Test(
    arguments: [
      (0o640, 0, 65534, "others may read"), (0o620, 0, 65534, "others than its owner may change"),
      (0o640, 0, 0, "others may read"), (0o600, 65534, 0, "belongs to user 65534"), (0o600, 0, 65534, nil),
    ] as [(mode_t, uid_t, gid_t, String?)])
  func `a secret of root is of no group and of no other user`(
    mode: mode_t, owner: uid_t, group: gid_t, reason: String?
  ) throws {
    guard CurrentProcess.effectiveUser == 0 else { return }
    let directory = try TestDirectory()
    let path = try directory.file("secret", "x")
    #expect(unsafe chmod(path, mode) == 0 && chown(path, owner, group) == 0)
    try expect(path, refusedFor: reason)
  }

  private func expect(_ path: String, refusedFor reason: String?) throws {
    guard let reason else {
      #expect(try TrustedFile.secret(at: path, limit: 9) == Array("x".utf8))
      return
    }
    let fault = #expect(throws: TrustedFileFault.self) { try TrustedFile.secret(at: path, limit: 9) }
    #expect(fault?.reason.contains(reason) == true, "\(String(describing: fault))")
    #expect(fault?.remedy.hasPrefix("run ch") == true, "\(String(describing: fault))")
  }

  @Test func `a private group has its owner's name and no other member`() {
    for (name, members, isPrivate) in [
      ("alice", [], true), ("alice", ["alice"], true), ("alice", ["bob"], false), ("staff", [], false),
    ] as [(String, [String], Bool)] {
      #expect(
        GroupRecord(name: name, members: members).isPrivate(to: "alice") == isPrivate, "\(name) \(members)")
    }
  }

  @Test func `a main group that users share is found`() throws {
    // Root's group is root's main group in every database.
    #expect(UserRecord.isMainGroup(0, ofOthersThan: 4_000_000_000))
    #expect(!UserRecord.isMainGroup(4_000_000_000, ofOthersThan: 0))
  }
}
