import ArgumentParser
import TimelineConfiguration

/// An unknown word in the place of a command, and a suggestion for it.
enum UnknownCommand {
  /// Returns the last known command among `words`, the command line of `command`, and the error for the first unknown
  /// one; no error if there is none.
  static func find(
    in words: some Sequence<String>, of command: any ParsableCommand.Type
  ) -> (command: any ParsableCommand.Type, error: ValidationError?) {
    var command = command
    var words = words.makeIterator()
    var asksForHelp = false
    while let word = words.next() {
      let commands = command.configuration.subcommands
      guard !commands.isEmpty else {
        guard asksForHelp, !word.hasPrefix("-") else { return (command, nil) }
        let name = command.configuration.commandName ?? ""
        return (command, ValidationError("\(word): no such command of `\(name)`; leave it out"))
      }
      // The command to show help for follows.
      if word == "help" {
        asksForHelp = true
        continue
      }
      if word == "-s" || word == "--socket" {
        _ = words.next()
        continue
      }
      if word.hasPrefix("--socket=") { continue }
      // The parser reports unknown options.
      if word.hasPrefix("-") { return (command, nil) }
      guard let next = commands.first(where: { $0.configuration.commandName == word }) else {
        return (command, ValidationError("\(word): no such command; \(hint(for: word, commands))"))
      }
      command = next
    }
    return (command, nil)
  }

  /// The error about a rule among `words` that begins with "-" and is parsed as an option; `nil` if there is none.
  static func ruleError(in words: some Sequence<String>) -> ValidationError? {
    let words = Array(words)
    guard words.contains("next") || words.contains("explain"), !words.contains("--") else { return nil }
    let rule = words.first {
      $0.hasPrefix("-") && ($0.contains(" ") || $0.hasPrefix("-*")) && !$0.contains("=")
    }
    return rule.map { rule in
      let rest = rule.dropFirst()
      return ValidationError(
        "\(rule): a \"-\" in front of a rule means nothing here: leave it out, as in `timelinectl next \"\(rest)\"`"
      )
    }
  }

  /// The commands, each with the names of similar commands in crontab, systemctl, journalctl and others.
  private static let synonyms: [(command: String, words: String)] = [
    ("check", "validate verify lint test"),
    ("config", "configuration settings cat-config"),
    ("dry-run", "simulate preview"),
    ("rehearse", "rehearsal play"),
    ("next", "upcoming when calendar"),
    ("explain", "describe"),
    ("status", "info show ps"),
    ("list", "ls list-timers timers jobs"),
    ("why", "reason"),
    ("watch", "follow monitor tail"),
    ("trigger", "run start exec fire"),
    ("rerun", "repeat again redo clear"),
    ("gaps", "failures holes"),
    ("backfill", "refill catch-up"),
    ("pause", "disable suspend hold"),
    ("resume", "enable unpause continue"),
    ("cancel", "kill abort"),
    ("clock", "time speed"),
    ("leap", "jump skip seek"),
    ("reload", "daemon-reload refresh"),
    ("stop", "quit shutdown exit"),
  ]

  private static func hint(for word: String, _ commands: [any ParsableCommand.Type]) -> String {
    let names = commands.compactMap { $0.configuration.commandName }
    let meant =
      synonyms.first { names.contains($0.command) && $0.words.split(separator: " ").contains { $0 == word } }?
      .command ?? Spelling.nearest(to: word, among: names, atMost: 1)
      // Two or more wrong letters are a typing error only if the first letter is right.
      ?? Spelling.nearest(to: word, among: names.filter { $0.first == word.first })
    return meant.map { "did you mean `\($0)`?" } ?? "the commands are \(names.joined(separator: ", "))"
  }
}
