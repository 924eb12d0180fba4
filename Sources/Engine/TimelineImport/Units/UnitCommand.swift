import TimelineConfiguration

/// A command of `ExecStart=` or of a similar setting.
struct UnitCommand: Equatable {
  /// Program and arguments as TOML.
  var text: String
  /// A shell command line, used in conditions.
  var shellText: String
  /// Whether a failure of the command is ignored (`-`).
  var mayFail = false

  /// The reason why a command cannot run without systemd.
  struct Obstacle: Error, Equatable {
    var text: String
  }

  /// Parses the commands of one setting, which are separated by `;`.
  ///
  /// - Parameter runsAsRoot: Whether the service has no user, so that `+` has no effect.
  static func commands(_ value: String, runsAsRoot: Bool) throws(Obstacle) -> [UnitCommand] {
    guard let words = UnitWords.split(value), !words.isEmpty else {
      throw Obstacle(text: "a command that cannot be read")
    }
    var result: [UnitCommand] = []
    for part in words.split(separator: UnitWords.separator) {
      result.append(try command(Array(part), runsAsRoot: runsAsRoot))
    }
    return result
  }

  private static func command(_ words: [String], runsAsRoot: Bool) throws(Obstacle) -> UnitCommand {
    var words = words
    var command = UnitCommand(text: "", shellText: "")
    var expands = true
    while let prefix = words[0].first, "-@:+!|".contains(prefix) {
      switch prefix {
      case "-": command.mayFail = true
      case ":": expands = false
      case "+" where runsAsRoot: break
      default: throw Obstacle(text: "the prefix `\(prefix)` of a command")
      }
      words[0].removeFirst()
    }
    guard !words[0].isEmpty else { throw Obstacle(text: "a command that cannot be read") }
    guard expands, words.contains(where: { $0.contains("$") }) else {
      command.text = TOMLText.array(words)
      command.shellText = words.map(UnitWords.quoted).joined(separator: " ")
      return command
    }
    // systemd splits a variable's value into words, but does not expand a `*` in the value. `set -f` has the same
    // effect.
    command.shellText = "set -f; exec " + words.map(Self.expanding).joined(separator: " ")
    command.text = TOMLText.array(["/bin/sh", "-c", command.shellText])
    return command
  }

  /// Returns a word for a shell. Like systemd, the shell replaces `$NAME` as a whole word, and `${NAME}`; `$$`
  /// becomes `$`.
  private static func expanding(_ word: String) -> String {
    let isName: (Character) -> Bool = { $0.isASCII && ($0.isLetter || $0.isNumber) || $0 == "_" }
    if word.hasPrefix("$"), word.count > 1, word.dropFirst().allSatisfy(isName) { return word }
    guard word.contains("$") else { return UnitWords.quoted(word) }
    var result = "\""
    var rest = word[...]
    while let character = rest.popFirst() {
      if character == "$", rest.first == "$" {
        rest = rest.dropFirst()
        result += "\\$"
      } else if character == "$", rest.first == "{", let end = rest.firstIndex(of: "}"),
        rest[..<end].dropFirst().allSatisfy(isName), rest[..<end].count > 1
      {
        result += "$" + rest[...end]
        rest = rest[rest.index(after: end)...]
      } else if "\\\"`$".contains(character) {
        result += "\\" + String(character)
      } else {
        result.append(character)
      }
    }
    return result + "\""
  }

  /// The command as an element of `commands`.
  var element: String {
    mayFail ? TOMLText.table([("command", text), ("may-fail", "true")]) : text
  }
}
