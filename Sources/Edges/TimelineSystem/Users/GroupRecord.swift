internal import Glibc
internal import Synchronization

/// A group of the system's group database.
package struct GroupRecord: Sendable, Hashable {
  package var name: String
  /// The names of its members, without the users whose main group this is.
  package var members: [String]
}

extension GroupRecord {
  /// Looks up a group by number; `nil` if there is none or the database cannot be queried. The C function is `getgrgid_r`.
  package init?(numbered number: UInt32) {
    var buffer = [CChar](repeating: 0, count: SystemLimits.userRecordBytesMax)
    let record = unsafe buffer.withUnsafeMutableBufferPointer { bytes -> (String, [String])? in
      var record = unsafe Glibc.group()
      var found: UnsafeMutablePointer<Glibc.group>?
      guard let start = bytes.baseAddress,
        unsafe getgrgid_r(number, &record, start, bytes.count, &found) == 0,
        unsafe found != nil, let name = unsafe record.gr_name
      else { return nil }
      var members: [String] = []
      var next = unsafe record.gr_mem
      while let member = unsafe next?.pointee as UnsafeMutablePointer<CChar>? {
        members.append(unsafe String(cString: member))
        unsafe next = unsafe next?.successor()
      }
      return (unsafe String(cString: name), members)
    }
    guard let record else { return nil }
    self.init(name: record.0, members: record.1)
  }
}

extension GroupRecord {
  /// Whether the group has the user's name and no other member. Users with this main group are not checked.
  func isPrivate(to user: String) -> Bool { name == user && members.allSatisfy { $0 == user } }
}

extension UserRecord {
  /// A lock for the listing of users, because its position is shared by the whole process (getpwent(3)).
  private static let reading = Mutex(())

  /// Whether the group is the main group of a user with another number. Also true if the database lists
  /// ``SystemLimits/listedUsersMax`` users or more. The C function is `getpwent`.
  static func isMainGroup(_ group: UInt32, ofOthersThan user: UInt32) -> Bool {
    reading.withLock { _ in
      setpwent()
      defer { endpwent() }
      for _ in 0..<SystemLimits.listedUsersMax {
        guard let record = unsafe getpwent() else { return false }
        if unsafe record.pointee.pw_gid == group, unsafe record.pointee.pw_uid != user { return true }
      }
      return true
    }
  }
}

extension FileFacts {
  /// Whether the file's group is a private group, and no access list lets others write. Many systems make a private group for
  /// each user: it has the user's name and no other member, and is the main group of no other user.
  ///
  /// Waits for the name service.
  ///
  /// Always false for group 0, which containers give to users that are not in the database.
  package var isInOwnersPrivateGroup: Bool {
    guard group != 0, !isWritableByList, let owner = try? UserRecord(numbered: owner), owner.group == group,
      let record = GroupRecord(numbered: group), record.isPrivate(to: owner.name)
    else { return false }
    return !UserRecord.isMainGroup(group, ofOthersThan: owner.user)
  }
}
