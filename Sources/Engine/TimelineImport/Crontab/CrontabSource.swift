/// A crontab: its text and its format.
package struct CrontabSource: Sendable {
  /// Formats of crontabs.
  package enum Format: Sendable, Equatable {
    /// The crontab of one user. Its lines name no user.
    case user(String)
    /// `/etc/crontab` or a file of `/etc/cron.d`. Its lines have a column for the user.
    case system
    /// `/etc/anacrontab`. Its lines have a period, a delay and a name, and run as root.
    case anacron
  }

  /// Path in messages.
  package var path: String
  /// Absolute path, which decides whether cron reads the file.
  package var place: String
  package var bytes: [UInt8]
  /// Also determines the user.
  package var format: Format

  /// Makes a source. If `place` is `nil`, the place is `path`.
  package init(path: String, bytes: [UInt8], format: Format, place: String? = nil) {
    (self.path, self.bytes, self.format, self.place) = (path, bytes, format, place ?? path)
  }

  /// Largest number of lines that cron accepts (config.h, `MAX_TAB_LINES`).
  static let lineCountMax = 10_000

  /// Largest size of a file that is read. Lines of cron have at most 1,000 bytes.
  package static let byteCountMax = 10_000_000

  /// Returns the format of a file by its place; `nil` if cron does not read files there. A file in cron's spool
  /// directory is the crontab of the user with the file's name.
  package static func format(ofFileAt path: String) -> Format? {
    let parts = path.split(separator: "/")
    guard let name = parts.last else { return nil }
    switch (parts.dropLast().last, name) {
    case (_, "anacrontab"): return .anacron
    case ("crontabs", _): return .user(String(name))
    // The spools of Fedora and SUSE.
    case ("cron", _), ("tabs", _): return path.hasPrefix("/var/spool/cron") ? .user(String(name)) : nil
    case ("etc", "crontab"), ("cron.d", _): return .system
    default: return nil
    }
  }

  /// The reason why cron does not read the file; `nil` if cron reads the file.
  ///
  /// Names in cron.d follow the rule of run-parts(8): letters, digits, `_` and `-` (Debian's cron(8)).
  var reasonNotRead: String? {
    let parts = place.split(separator: "/")
    guard parts.count > 1, parts[parts.count - 2] == "cron.d", let name = parts.last else { return nil }
    let isValid = name.utf8.allSatisfy { byte in
      byte.isLetterOrDigit || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "-")
    }
    return isValid
      ? nil
      : "cron reads no file of cron.d whose name has other characters than letters, digits, `_` and `-`: rename it"
  }

  /// First part of the names of the crontab's jobs.
  var stem: String {
    switch format {
    case .user(let name): name
    case .system, .anacron: path.split(separator: "/").last.map(String.init) ?? path
    }
  }
}

extension UInt8 {
  /// Whether the byte is a letter or a digit in ASCII.
  var isLetterOrDigit: Bool {
    switch self {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: false
    }
  }

  /// Whether the byte separates fields of a crontab.
  var isBlank: Bool { self == UInt8(ascii: " ") || self == UInt8(ascii: "\t") }

  /// Whether C's `isspace` accepts the byte.
  var isSpace: Bool { self == UInt8(ascii: " ") || (0x09...0x0D).contains(self) }
}
