/// A shell command and its guard, a condition at its beginning without which the command has no effect.
///
/// `[ -x F ] && F` ends with status 1 if the package of F has been removed. This status is no failure of the job, so
/// the guard becomes the job's condition.
struct GuardedCommand: Equatable {
  /// `nil` for a command without a guard.
  var condition: String?
  /// Without the guard.
  var command: String

  /// Splits the guards off a command `GUARD && REST`. REST is one pipeline or another list of `&&`, so that the
  /// command has the status of REST.
  init(_ text: String) {
    self.init(condition: nil, command: text)
    let line = ShellLine(text)
    guard line.isBalanced, line.operators.allSatisfy({ ["&&", "|"].contains($0.text) }) else { return }
    var start = text.startIndex
    var end: String.Index?
    for mark in line.operators {
      guard mark.text == "&&", Self.isGuard(text[start..<mark.range.lowerBound]) else { break }
      end = mark.range.lowerBound
      start = mark.range.upperBound
    }
    guard let end else { return }
    condition = text[..<end].trimmed
    command = text[start...].trimmed
  }

  private init(condition: String?, command: String) {
    (self.condition, self.command) = (condition, command)
  }

  private static func isGuard(_ text: Substring) -> Bool {
    let words = text.split(separator: " ")
    switch words.first {
    case "[": return words.last == "]"
    case "[[": return words.last == "]]"
    case "test", "/usr/bin/test", "/bin/test": return true
    case "command", "which", "type": return words.count > 1 && (words[0] != "command" || words[1] == "-v")
    case "!": return words.count > 1 && isGuard(text.drop { $0 == " " || $0 == "!" })
    default: return false
    }
  }
}

extension GuardedCommand {
  /// The directory that exists while systemd is the init system (sd_booted(3)).
  static let systemdDirectory = "/run/systemd/system"

  /// Whether a command has no effect under systemd, because a timer does its work there.
  static func isLeftToTimer(_ text: String) -> Bool {
    let plain = text.filter { !"\"'\\".contains($0) }.split(separator: " ").joined(separator: " ")
    let path = systemdDirectory
    let isThere = ["-d \(path)", "-e \(path)"]
    for test in isThere {
      guard let range = plain.firstRange(of: test) else { continue }
      let before = plain[..<range.lowerBound]
      if before.hasSuffix("! ") || before.hasSuffix("! test ") || before.hasSuffix("! [ ") { return true }
      let after = plain[range.upperBound...].drop { " /]".contains($0) }
      if after.hasPrefix("||") { return true }
    }
    return false
  }
}
