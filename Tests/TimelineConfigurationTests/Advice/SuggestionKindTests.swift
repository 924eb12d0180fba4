import Foundation
import Testing
import TimelineConfiguration
import TimelineCore

/// Every suggestion of every golden file has a kind, and is tried in the way of its kind: a rule is read as a schedule, keys with values and
/// headers as a configuration, names of keys are looked up, and programs are ours. What is left is prose.
@Suite struct `Suggestions by kind` {
  /// A part of a help that can be tried.
  enum Part: Hashable {
    /// A whole schedule.
    case rule(String)
    /// A key with its value.
    case setting(key: String, value: String)
    /// The header of a table.
    case header(String)
    /// The name of a key or of a value.
    case word(String)
    /// A command line.
    case command(String)
  }

  /// The parts of a help; none of one that is prose alone.
  static func parts(of help: String) -> Set<Part> {
    var parts: Set<Part> = []
    for start in help.indices where help[start] == "{" {
      guard let end = closing(help, start) else { continue }
      let table = String(help[start...end])
      let kinds = ["cron", "calendar", "civil", "rrule", "periodic", "explicit", "any"].map { "{ \($0) = " }
      if kinds.contains(where: { table.hasPrefix($0) }), !isWithin(help, start) { parts.insert(.rule(table)) }
    }
    for match in help.matches(of: /(?:^|[ `(])([a-z][a-z-]*) = (\{|\[|"[^"]*"|[0-9][^ `,;]*|true|false)/) {
      guard !isWithin(help, match.range.lowerBound) else { continue }
      let start = match.output.2.startIndex
      let isOpen = "{[".contains(help[start])
      guard let end = isOpen ? closing(help, start) : help.index(before: match.range.upperBound) else {
        continue
      }
      let value = String(help[start...end])
      // What a reader is to fill in.
      if !value.contains("...") { parts.insert(.setting(key: String(match.output.1), value: value)) }
    }
    for match in help.matches(
      of:
        /\[{1,2}(?:job|group|holidays|defaults|daemon|control|cluster|expect-schedule)(?:\.(?:"[^"]*"|[a-zA-Z0-9_-]+))?\]{1,2}/
    ) {
      parts.insert(.header(String(match.output)))
    }
    for match in help.matches(of: /`([a-z][a-z-]+)`/) { parts.insert(.word(String(match.output.1))) }
    for match in help.matches(of: /`((?:timelinectl|timelined|sha256sum|systemctl) [^`]+)`/) {
      parts.insert(.command(String(match.output.1)))
    }
    return parts
  }

  /// The place of the bracket that closes the one at `start`.
  static func closing(_ text: String, _ start: String.Index) -> String.Index? {
    var depth = 0
    var isQuoted = false
    for index in text[start...].indices {
      if text[index] == "\"" { isQuoted.toggle() }
      guard !isQuoted else { continue }
      if "{[".contains(text[index]) { depth += 1 }
      if "}]".contains(text[index]) { depth -= 1 }
      if depth == 0 { return index }
    }
    return nil
  }

  /// Whether a place lies between braces.
  private static func isWithin(_ text: String, _ place: String.Index) -> Bool {
    var depth = 0
    for character in text[..<place] {
      if character == "{" { depth += 1 }
      if character == "}" { depth -= 1 }
    }
    return depth > 0
  }

  /// Every help of the golden files, once.
  static let helps: [String] = {
    let all = GoldenCase.all(in: "Wrong").flatMap { (try? $0.diagnostics().flatMap(\.help)) ?? [] }
    return Set(all).sorted()
  }()

  @Test func `a suggestion without a part that is tried is prose`() {
    let untried = Self.helps.filter { help in
      let isCode =
        [" = ", "{", "timelinectl"].contains { help.contains($0) }
        && !["`key = value`", "..."].contains { help.contains($0) }
      return isCode && Self.parts(of: help).isEmpty && !Self.isReplacement(help)
    }
    #expect(untried == [])
  }

  private static func isReplacement(_ help: String) -> Bool {
    SuggestionTests.replacements.contains { (try? $0.wholeMatch(in: help)) != nil }
  }

  @Test(arguments: helps) func `each part of a suggestion holds`(help: String) throws {
    for part in Self.parts(of: help) {
      switch part {
      case .rule(let rule):
        #expect(Self.faults("[job.a]\nplugin = \"exec\"\nschedule = \(rule)\n").isEmpty, "\(rule)")
      case .setting(let key, let value):
        let isRight = Self.places.contains { Self.faults($0(key, value)).isEmpty }
        #expect(isRight, "\(key) = \(value) stands nowhere")
      case .header(let header):
        let isRight = Self.tables.contains { Self.faults("\(header)\n\($0)").isEmpty }
        #expect(isRight, "\(header) begins nothing")
      case .word(let word): #expect(Self.isKnown(word), "`\(word)` is neither a key nor a value")
      case .command(let command):
        let words = command.split(separator: " ").prefix(2).joined(separator: " ")
        #expect(Self.commands.contains(words), "\(command)")
      }
    }
  }

  /// The command lines that help names, program and verb.
  static let commands: Set = ["timelinectl next", "timelinectl trigger", "sha256sum FILE"]

  /// Keys that can stand behind a header.
  private static let tables = [
    "", "plugin = \"exec\"\nschedule = \"on-demand\"\n", "limit = 2\n", "dates = [2026-12-25]\n",
    "job = \"backup\"\nmax-gap = \"25h\"\n", cluster(without: ""),
  ]

  /// A configuration with a key in each of its tables.
  private static let places: [@Sendable (_ key: String, _ value: String) -> String] = [
    { "[job.a]\n\(job(without: $0))\n\($0) = \($1)\n" },
    { "[job.a]\nplugin = \"exec\"\nschedule = { cron = \"0 2 * * *\", \($0) = \($1) }\n" },
    { "[job.a]\nplugin = \"exec\"\nschedule = \"on-demand\"\nretry = { attempts = 3, \($0) = \($1) }\n" },
    { "[job.a]\nplugin = \"exec\"\nschedule = \"on-demand\"\nretry = { \($0) = \($1) }\n" },
    {
      "[job.a]\nplugin = \"exec\"\nschedule = \"on-demand\"\non-failure = { job = \"tell\", \($0) = \($1) }\n"
    },
    { "[job.a]\nplugin = \"exec\"\nschedule = \"on-demand\"\non-failure = { \($0) = \($1) }\n" },
    {
      "[job.a]\nplugin = \"exec\"\nschedule = { cron = \"0 2 * * *\", jitter = \"1m\", \($0) = \($1) }\n"
    },
    { "[job.a]\nplugin = \"exec\"\nschedule = \"on-demand\"\nrun-on = \"one\"\n\($0) = \($1)\n" },
    { "[daemon]\n\($0) = \($1)\n" }, { "[control]\n\($0) = \($1)\n" }, { "[group.g]\n\($0) = \($1)\n" },
    { "[holidays.h]\n\($0) = \($1)\n" }, { "[[expect-schedule]]\njob = \"backup\"\n\($0) = \($1)\n" },
    { "[[expect-schedule]]\nmax-gap = \"25h\"\n\($0) = \($1)\n" },
    { "[cluster]\n\(cluster(without: $0))\n\($0) = \($1)\n" },
    { "[cluster.node]\nname = \"a\"\n\($0) = \($1)\n" },
  ]

  private static func job(without key: String) -> String {
    ["plugin = \"exec\"", "schedule = { cron = \"0 2 * * *\" }", "timeout = \"1h\""]
      .filter { !$0.hasPrefix("\(key) =") && !(key == "schedule" && $0.hasPrefix("schedule")) }
      .joined(separator: "\n")
  }

  private static func cluster(without key: String) -> String {
    [
      "name = \"prod\"", "store = { postgresql = { credential = \"timelined-pg\" } }",
      "node = { name = \"a\" }",
    ]
    .filter { !$0.hasPrefix("\(key) =") }.joined(separator: "\n")
  }

  /// Names that suggestions give, so that they name something.
  private static let named = """
    \n[job.tell]\nplugin = "exec"\nschedule = "on-demand"
    [group.idle]\nlimit = 1\n[group.nobody]\nlimit = 1\n[group.database]\nlimit = 1\n
    """
  private static let backup = "[job.backup]\nplugin = \"exec\"\nschedule = { cron = \"0 3 * * *\" }\n"

  /// The errors of a configuration.
  private static func faults(_ text: String) -> [String] {
    let cluster = text.contains("[cluster") ? "" : "[cluster]\n\(cluster(without: ""))\n"
    let others = named + cluster + (text.contains("[job.backup]") ? "" : backup)
    let source = ConfigurationSource(path: "a.toml", bytes: Array((text + others).utf8))
    guard case .failure(let refusal) = Configuration.read([source], in: .golden) else { return [] }
    // The files of an example are on no machine.
    return refusal.diagnostics.filter { $0.severity == .error && !$0.message.contains("no such file") }.map(
      \.message)
  }

  /// Whether a word is a key, a table, or a value that keys have.
  private static func isKnown(_ word: String) -> Bool {
    keys.contains(word.trimmingCharacters(in: ["[", "]"])) || values.contains(word)
  }

  private static let keys = Set(KeyTable.all.flatMap(\.keys))
  /// Names of jobs, parameters of plugins, and signs of rules that golden files have.
  private static let values: Set = [
    "command", "commands", "shell", "directory", "environment", "level", "output", "ratio", "status", "when",
    "nightly-backup", "true", "explain",
  ]
}
