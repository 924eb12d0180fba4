import TimelineConfiguration
import TimelineCore
import TimelineSystem

/// Checks that the programs in parameters exist and can be executed, under the rules of the kernel for a run.
enum CommandCheck {
  /// The search path for programs without a slash, if no other is set. Plugin hosts have the same path.
  private static let searchPath = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"

  /// A fault of a program.
  private struct Fault {
    var severity = Diagnostic.Severity.error
    var message: String
    /// `nil` for a missing program, whose remedy depends on the whole command.
    var help: String?
  }

  /// Returns the diagnostics of commands of `configuration`, in the order of `commands`.
  static func diagnostics(of commands: [JobCommand], in configuration: Configuration) -> [Diagnostic] {
    programs(of: commands, in: configuration) + commands.compactMap(operatorWarning)
  }

  private static func programs(of commands: [JobCommand], in configuration: Configuration) -> [Diagnostic] {
    // Often, most of a thousand jobs name the same program.
    var known: [[String]: Fault?] = [:]
    return commands.compactMap { command in
      let job = configuration.jobs[command.index]
      let given = command.searchPath ?? job.setup.environment["PATH"]
      // The job's environment files may set PATH, if no other setting does.
      if given == nil, command.words.first?.contains("/") == false, !job.setup.environmentFiles.isEmpty {
        return nil
      }
      let search = given ?? searchPath
      let directory = command.directory ?? job.setup.workingDirectory ?? "/"
      let key = [job.user ?? "", job.setup.group ?? "", search, directory] + command.words.prefix(1)
      let fault = known[key] ?? fault(of: command, of: job, search, directory)
      known[key] = fault
      guard let fault else { return nil }
      return Diagnostic(
        severity: job.isEnabled && !command.isOptional ? fault.severity : .warning, place: command.places[0],
        message: fault.message, label: "expected a program",
        help: [fault.help ?? help(forMissing: command, of: job, search, directory)])
    }
  }

  /// Warns about an argument that is an operator of the shell, although no shell parses the command.
  private static func operatorWarning(_ command: JobCommand) -> Diagnostic? {
    guard let index = ShellWords.operatorIndex(in: command.words) else { return nil }
    return Diagnostic(
      severity: .warning,
      place: command.places.indices.contains(index) ? command.places[index] : command.places[0],
      message: "\"\(command.words[index])\" is an argument of the program: no shell reads it",
      help: [shellHelp(command)])
  }

  private static func fault(
    of command: JobCommand, of job: Job, _ search: String, _ directory: String
  ) -> Fault? {
    guard let name = command.words.first, !name.isEmpty else {
      return Fault(message: "the command's first word is empty", help: "name a program")
    }
    let isRoot = CurrentProcess.effectiveUser == 0
    var user = isRoot ? job.user.flatMap { try? UserRecord(named: $0) } : nil
    if let group = job.setup.group.flatMap({ try? UserRecord.group(named: $0) }) { user?.group = group }
    if name.contains("/") {
      let path = name.hasPrefix("/") ? name : "\(directory == "/" ? "" : directory)/\(name)"
      return fault(of: path, as: user)?.fault
    }
    let faults = search.split(separator: ":").map { fault(of: "\($0)/\(name)", as: user) }
    if faults.contains(where: { $0 == nil }) { return nil }
    let other = faults.compactMap(\.self).first { !$0.isMissing }
    return other?.fault
      ?? Fault(
        message: "there is no program \(TOMLText.string(name)) in PATH, which is \"\(search)\"")
  }

  private static func fault(of path: String, as user: UserRecord?) -> (
    fault: Fault, isMissing: Bool
  )? {
    let facts: FileFacts
    do {
      facts = try FileFacts(at: path)
    } catch {
      if error.isForbidden, CurrentProcess.effectiveUser != 0 {
        return (
          Fault(
            severity: .warning,
            message: "user \(CurrentProcess.effectiveUser), who checks, may not look at \"\(path)\"",
            help: "check as root, or as the user that timelined runs as"), false
        )
      }
      return (
        Fault(
          message: error.isMissing
            ? "there is no program \(TOMLText.string(path))"
            : "the program \(TOMLText.string(path)) cannot be looked at: \(error.plainReason)"),
        error.isMissing
      )
    }
    guard facts.kind == .regular else {
      let kind = facts.kind == .directory ? "a directory" : "no regular file"
      return (Fault(message: "\"\(path)\" is \(kind)", help: "name a program in its place"), false)
    }
    let isExecutable = facts.mode & 0o111 != 0
    let objection =
      user.map { ExecutePermission.objection(to: path, as: $0) } ?? ExecutePermission.objection(to: path)
    guard let objection else { return nil }
    let whose = user.map { "user \"\($0.name)\"" } ?? "user \(CurrentProcess.effectiveUser)"
    // The checking user may have fewer rights than the daemon, which may be root.
    let isCertain = !isExecutable || CurrentProcess.effectiveUser == 0
    return (
      Fault(
        severity: isCertain ? .error : .warning,
        message: "\"\(path)\" cannot be executed" + (isExecutable ? " by \(whose)" : "")
          + ": \(objection.plainReason)",
        help: isExecutable
          ? "let the job's user execute it, and enter the directories above it"
          : isProgram(path) ? "chmod +x \(path)" : "name a program in its place"),
      false
    )
  }

  /// Whether a file is a program without the mode of a program: a file with a `#!` line, an ELF file, or a file in a
  /// directory of programs.
  private static func isProgram(_ path: String) -> Bool {
    let beginning = (try? FileContents.beginning(of: path, count: 4)) ?? []
    let directory = path.split(separator: "/").dropLast().last ?? ""
    return beginning.starts(with: "#!".utf8) || beginning == [0x7F, 0x45, 0x4C, 0x46]
      || ["bin", "sbin", "libexec"].contains(directory)
  }

  /// Returns the remedy for a command without a program. A suggested command passes the same check, unless it
  /// contains the missing program.
  private static func help(
    forMissing command: JobCommand, of job: Job, _ search: String, _ directory: String
  ) -> String {
    let (name, rest) = (command.words[0], command.words.dropFirst())
    let words = name.split(whereSeparator: \.isWhitespace).map(String.init)
    guard command.takesArray || words.count < 2 else {
      return "one program without arguments: write a script that runs it with them"
    }
    if command.takesArray, ShellWords.needShell(name) {
      guard rest.isEmpty || words.count == 1 else {
        return
          "only a shell reads \"\(name)\" as it is meant: write the whole command as one text for a shell"
      }
      return shellHelp(command)
    }
    guard words.count > 1 else { return "install the program, or correct its name" }
    let help = "each argument is an element of its own: \(TOMLText.array(words + rest))"
    var alone = command
    alone.words = [words[0]]
    let isThere = fault(of: alone, of: job, search, directory) == nil
    return isThere ? help : "\(help); \"\(words[0])\" is missing too: install it, or correct its name"
  }

  private static func shellHelp(_ command: JobCommand) -> String {
    let line = ShellWords.line(command.words)
    return command.takesShell
      ? "it needs a shell: command = \(TOMLText.string(line)), shell = true"
      : "it needs a shell: \(TOMLText.array(["/bin/sh", "-c", line]))"
  }
}

/// Texts that have a meaning only for a shell.
private enum ShellWords {
  /// Characters with a special meaning in a POSIX shell: operators, expansions, quotes and patterns.
  private static let characters: Set<Character> = [
    "|", ">", "<", "&", ";", "$", "(", ")", "*", "~", "\"", "'", "`", "\\", "?", "[", "]", "{", "}", "#", "!",
    "\n",
  ]
  /// First words of commands that the shell itself executes; no program has these names.
  private static let builtIn: Set<String> = [
    ".", ":", "alias", "bg", "case", "cd", "command", "eval", "exec", "exit", "export", "fg", "for",
    "getopts", "hash", "if", "jobs", "local", "read", "readonly", "return", "set", "shift", "source", "times",
    "trap", "type", "ulimit", "umask", "unalias", "unset", "until", "wait", "while",
  ]
  /// Operators that are no sensible argument of most programs.
  private static let operators: Set<String> = ["|", ">", ">>", "<", "&&", "||", ";", "2>", "2>&1"]
  /// Programs whose arguments may be operators.
  private static let readers: Set<Substring> = ["expr", "test", "[", "ssh", "watch", "parallel"]

  /// Whether a shell would do more with the text than split it at blanks.
  static func needShell(_ text: String) -> Bool {
    let first = text.split(whereSeparator: \.isWhitespace).first.map(String.init) ?? ""
    return text.contains(where: characters.contains) || builtIn.contains(first) || isAssignment(first)
  }

  /// Whether the word sets a variable, such as `HOME=/root`. The word `/opt/a=b` is a path.
  private static func isAssignment(_ word: String) -> Bool {
    guard let end = word.firstIndex(of: "="), let first = word.first, !first.isNumber else { return false }
    return end > word.startIndex
      && word[..<end].allSatisfy { $0 == "_" || $0.isASCII && ($0.isLetter || $0.isNumber) }
  }

  /// Returns the index of the first argument that is an operator for a shell; `nil` for none.
  ///
  /// An operator, except `2>&1`, is followed by a word. In `find -exec rm {} ;` and `cut -d | -f 1`, no word follows.
  static func operatorIndex(in words: [String]) -> Int? {
    guard !words.contains(where: { readers.contains($0.split(separator: "/").last ?? "") }) else {
      return nil
    }
    return words.indices.dropFirst().first { index in
      guard operators.contains(words[index]) else { return false }
      let next = words.dropFirst(index + 1).first?.first
      return words[index] == "2>&1"
        || next.map { $0.isLetter || $0.isNumber || "./~$_\"'".contains($0) } ?? false
    }
  }

  /// Returns the words as a line of a POSIX shell. Operators and expansions are not quoted.
  static func line(_ words: [String]) -> String {
    let first = words[0].hasPrefix("source ") || words[0] == "source" ? "." + words[0].dropFirst(6) : words[0]
    return ([first] + words.dropFirst().map(quoted)).joined(separator: " ")
  }

  private static func quoted(_ word: String) -> String {
    let isPlain =
      operators.contains(word)
      || !word.isEmpty && !word.contains { $0.isWhitespace || "|><&;()'\"`\\#".contains($0) }
    return isPlain
      ? word
      : "'" + word.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
  }
}
