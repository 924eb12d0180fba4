internal import Glibc

/// A user of the system's user database.
package struct UserRecord: Sendable, Hashable {
  package var name: String
  package var user: UInt32
  /// The number of the user's main group.
  package var group: UInt32
  package var home: String
  package var shell: String

  /// Looks up a user by name; throws `ENOENT` if there is none. The C function is `getpwnam_r`.
  package init(named name: String) throws(SystemError) {
    self = try unsafe Self.lookUp(call: "getpwnam_r", about: "user '\(name)'") {
      record, buffer, size, found in
      unsafe getpwnam_r(name, record, buffer, size, found)
    }
  }

  /// Looks up a user by number; throws `ENOENT` if there is none. The C function is `getpwuid_r`.
  package init(numbered user: UInt32) throws(SystemError) {
    self = try unsafe Self.lookUp(call: "getpwuid_r", about: "user \(user)") { record, buffer, size, found in
      unsafe getpwuid_r(user, record, buffer, size, found)
    }
  }

  /// Returns the number of the group called `name`; throws `ENOENT` if there is none. The C function is `getgrnam_r`.
  package static func group(named name: String) throws(SystemError) -> UInt32 {
    try unsafe withRecord(call: "getgrnam_r", about: "group '\(name)'", Glibc.group.init) {
      record, buffer, size, found in
      unsafe getgrnam_r(name, record, buffer, size, found)
    } read: {
      unsafe $0.gr_gid
    }
  }

  /// Whether there certainly is no group called `name`; false if the database cannot be queried.
  package static func isGroupMissing(_ name: String) -> Bool {
    do {
      _ = try group(named: name)
      return false
    } catch {
      return error.isMissing
    }
  }

  /// Whether the user is in the group with that number, as their main group or another. The C function is `getgrouplist`.
  package func isMember(of number: UInt32) -> Bool {
    // One more than the largest number of groups of a process (NGROUPS_MAX).
    var groups = [gid_t](repeating: 0, count: 65_537)
    var count = CInt(groups.count)
    let found = unsafe groups.withUnsafeMutableBufferPointer { groups in
      unsafe groups.baseAddress.map { unsafe getgrouplist(name, group, $0, &count) } ?? -1
    }
    return found >= 0 && groups.prefix(Int(count)).contains(number)
  }

  private static func lookUp(
    call: StaticString, about subject: String,
    _ body: (
      UnsafeMutablePointer<passwd>, UnsafeMutablePointer<CChar>, Int,
      UnsafeMutablePointer<UnsafeMutablePointer<passwd>?>
    ) -> CInt
  ) throws(SystemError) -> UserRecord {
    try unsafe withRecord(call: call, about: subject, passwd.init, body) { unsafe UserRecord($0) }
  }

  private init(_ record: passwd) {
    name = unsafe Self.text(record.pw_name)
    user = unsafe record.pw_uid
    group = unsafe record.pw_gid
    home = unsafe Self.text(record.pw_dir)
    shell = unsafe Self.text(record.pw_shell)
  }

  private static func text(_ pointer: UnsafeMutablePointer<CChar>?) -> String {
    guard let pointer = unsafe pointer else { return "" }
    return unsafe String(cString: pointer)
  }

  /// Calls `body` with larger and larger buffers until the record fits, then `read` while the buffer lives.
  private static func withRecord<Record, Result>(
    call: StaticString, about subject: String, _ empty: () -> Record,
    _ body: (
      UnsafeMutablePointer<Record>, UnsafeMutablePointer<CChar>, Int,
      UnsafeMutablePointer<UnsafeMutablePointer<Record>?>
    ) -> CInt, read: (Record) -> Result
  ) throws(SystemError) -> Result {
    var size = 1024
    while true {
      var record = empty()
      var found: UnsafeMutablePointer<Record>?
      var buffer = [CChar](repeating: 0, count: size)
      var result: Result?
      // The record points into the buffer, so it is read before the buffer is released.
      let code = unsafe buffer.withUnsafeMutableBufferPointer { bytes -> CInt in
        guard let start = bytes.baseAddress else { return ENOMEM }
        let code = unsafe body(&record, start, size, &found)
        if unsafe code == 0 && found != nil { result = read(record) }
        return code
      }
      if code == ERANGE && size < SystemLimits.userRecordBytesMax {
        size *= 2
        continue
      }
      if code == EINTR { continue }
      if let result { return result }
      // The manual allows several codes for "no such user"; all of them are treated alike.
      let isUnknown = [0, ENOENT, ESRCH, EPERM].contains(code)
      throw SystemError(
        code: isUnknown ? ENOENT : code, call: "\(call)", subject: subject,
        remedy: isUnknown ? "There is none of that name; check the spelling or create it." : nil)
    }
  }
}
