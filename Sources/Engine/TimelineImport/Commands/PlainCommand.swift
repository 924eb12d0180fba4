/// Commands that have the same meaning with and without a shell.
enum PlainCommand {
  /// Returns the words of a command that begins with an absolute path and has no character with a meaning in a shell;
  /// `nil` for any other command.
  static func words(_ text: String) -> [String]? {
    let isPlain = text.utf8.allSatisfy { byte in
      byte.isLetterOrDigit || byte.isBlank || "_/.,:=+@%-".utf8.contains(byte)
    }
    let words = text.split { $0 == " " || $0 == "\t" }.map(String.init)
    guard isPlain, let program = words.first, program.hasPrefix("/"), !program.contains("=") else {
      return nil
    }
    return words
  }

  /// Returns the last part of the path of a command's main program, for the name of a job. For example `logrotate`
  /// for `test -x /usr/sbin/logrotate && logrotate -s /var/lib/x`.
  static func programName(_ text: String) -> String {
    let plain = text.filter { !"\"'\\(){}[];&|".contains($0) }
    let words = plain.split { $0 == " " || $0 == "\t" || $0 == "\n" }
    let passed: Set<Substring> = [
      "cd", "test", "if", "then", "exec", "nice", "ionice", "chronic", "sudo", "env", "root", "command",
      "eval", "sh", "bash", "/",
      "/bin/sh", "/bin/bash", "sleep", "time", "flock", "-", "!",
    ]
    let program = words.first { word in
      !passed.contains(word) && !word.hasPrefix("-") && !word.contains { "=<>".contains($0) }
        && !word.allSatisfy(\.isNumber) && word.split(separator: "/").last?.contains("$") == false
    }
    let name = program?.split(separator: "/").last.map(String.init) ?? "job"
    for suffix in [".sh", ".py", ".pl", ".php", ".rb"]
    where name.hasSuffix(suffix) && name.count > suffix.count {
      return String(name.dropLast(suffix.count))
    }
    return name
  }
}
