internal import Glibc
package import TimelineCore

/// A file with the offset of a clock from the system's, so that clock steps can be rehearsed on one program alone.
///
/// It holds a length of time such as `1h` or `-2.5s`, and otherwise only white space.
package enum ClockOffset {
  /// Limit in bytes, longer than any length of time written with all its units.
  private static let lengthMax = 128

  /// Returns the length of time in the file at `path`. Throws `EINVAL` if the file has none, and the errors of reading.
  package static func read(_ path: String) throws(SystemError) -> ElapsedTime {
    let bytes = try FileContents.read(path, limit: lengthMax).bytes
    let words = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isWhitespace)
    guard words.count == 1, let offset = try? ElapsedTime(parsing: String(words[0])) else {
      throw SystemError(
        code: EINVAL, call: "read", subject: path,
        remedy: "Write one length of time into it, such as 0s, 1h or -2.5s.")
    }
    return offset
  }
}
