import TimelineConfiguration

/// A command of `ExecStart=` and its relatives.
struct UnitCommand: Equatable {
  /// The program and its arguments as TOML.
  var text: String
  /// The same for a condition in a shell.
  var shellText: String
  /// Whether a failure is none (`-`).
  var mayFail = false

  /// The obstacle to a command without systemd.
  struct Obstacle: Error, Equatable {
    var text: String
  }

  /// Reads the commands of one setting, which `;` separates.
  ///
  /// - Parameter runsAsRoot: Whether the service has no user, so that `+` changes nothing.
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
    // `-f`: systemd splits the value of a variable into words, and replaces no `*` in it.
    command.shellText = "set -f; exec " + words.map(Self.expanding).joined(separator: " ")
    command.text = TOMLText.array(["/bin/sh", "-c", command.shellText])
    return command
  }

  /// A word for a shell that replaces `$NAME`, alone, and `${NAME}` as systemd does, and `$$` by `$`.
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

  /// An element of `commands`.
  var element: String {
    mayFail ? TOMLText.table([("command", text), ("may-fail", "true")]) : text
  }
}
