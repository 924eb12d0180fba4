internal import Glibc

/// A group as the system's group database knows it.
package struct GroupRecord: Sendable, Hashable {
  /// The name.
  package var name: String
  /// The names of its members; users whose main group it is are not among them.
  package var members: [String]

  /// Looks a group up by number; `nil` when there is none or the database cannot be asked. The C function is `getgrgid_r`.
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
    (name, members) = record
  }
}

extension FileFacts {
  /// Whether the file's group is the one that many systems make for each user, with nobody but the file's owner in it.
  ///
  /// Never so of group 0, which containers give to users whom the database does not know.
  package var isInOwnersPrivateGroup: Bool {
    guard group != 0, let owner = try? UserRecord(numbered: owner), owner.group == group,
      let record = GroupRecord(numbered: group)
    else { return false }
    return record.name == owner.name && record.members.allSatisfy { $0 == owner.name }
  }
}
