internal import CSystemd
internal import Glibc

/// The priority of an entry; syslog's levels.
package enum JournalPriority: Int, Sendable, Hashable, CaseIterable, Comparable {
  /// The system is unusable.
  case emergency
  /// Immediate action is required.
  case alert
  /// A critical condition.
  case critical
  /// Something failed.
  case error
  /// Something may be wrong.
  case warning
  /// Normal but significant.
  case notice
  /// Normal.
  case information
  /// For debugging.
  case debug

  /// Orders priorities by number, from the most to the least urgent.
  package static func < (left: JournalPriority, right: JournalPriority) -> Bool {
    left.rawValue < right.rawValue
  }
}

/// The journal's native protocol: entries with fields of their own.
package enum Journal {
  /// Whether standard error goes to the journal. If so, native entries replace plain lines, which would appear as duplicates.
  ///
  /// Compares `$JOURNAL_STREAM` with the file of standard error, because a child may have inherited the variable but not the
  /// stream (systemd.exec(5)). There is no other evidence: sending succeeds even if no journal listens.
  package static func isConnected(environment: [String: String]) -> Bool {
    guard let stream = environment["JOURNAL_STREAM"] else { return false }
    var status = stat()
    guard unsafe fstat(STDERR_FILENO, &status) == 0 else { return false }
    return stream == "\(status.st_dev):\(status.st_ino)"
  }

  /// Sends one entry. Returns whether the kernel accepted it. (sd_journal_sendv(3))
  ///
  /// `fields` have names like `TIMELINE_JOB`: A to Z, 0 to 9 and `_`, beginning with a letter, at most 64 bytes. A field
  /// with another name is left out, because the journal would drop it anyhow. Values may have any bytes.
  @discardableResult
  package static func send(
    _ message: String, priority: JournalPriority, fields: [(name: String, value: String)] = []
  ) -> Bool {
    var all = [(name: "MESSAGE", value: message), (name: "PRIORITY", value: "\(priority.rawValue)")]
    all += fields.filter { isValidName($0.name) }
    var bytes: [UInt8] = []
    var ends: [Int] = []
    for field in all {
      bytes += field.name.utf8
      bytes.append(UInt8(ascii: "="))
      bytes += field.value.utf8
      ends.append(bytes.count)
    }
    return unsafe bytes.withUnsafeMutableBytes { buffer in
      var start = 0
      var vectors: [iovec] = unsafe []
      for end in ends {
        unsafe vectors.append(
          iovec(iov_base: buffer.baseAddress.map { unsafe $0 + start }, iov_len: end - start))
        start = end
      }
      return unsafe sd_journal_sendv(vectors, CInt(vectors.count)) == 0
    }
  }

  static func isValidName(_ name: String) -> Bool {
    guard let first = name.utf8.first, (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(first) else {
      return false
    }
    return name.utf8.count <= 64
      && name.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
          true
        default: false
        }
      }
  }
}
