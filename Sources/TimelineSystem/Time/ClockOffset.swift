internal import Glibc
package import TimelineCore

/// A file that says how far a clock is to stand from the system's, so that clock steps can be rehearsed on one program alone.
///
/// It holds a length of time such as `1h` or `-2.5s`, and nothing beside it but white space.
package enum ClockOffset {
  /// Longer than any length of time in all its units.
  private static let lengthMax = 128

  /// The length that the file at `path` holds; throws `EINVAL` when it holds none, and what reading reports.
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
