import TimelineConfiguration
import TimelineCore
import TimelineSystem

/// Checks that the programs that parameters name exist and can be executed, under the rules of the kernel for a run.
enum CommandCheck {
  /// The search path for programs without a slash if no other is set: the one of the plugin hosts.
  private static let searchPath = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"

  /// A fault of a program.
  private struct Fault {
    var severity = Diagnostic.Severity.error
    var message: String
    /// The remedy. `nil` for a missing program, because its remedy depends on the whole command.
    var help: String?
  }

  /// Returns the diagnostics of commands of `configuration`, in the order of `commands`.
  static func diagnostics(of commands: [JobCommand], in configuration: Configuration) -> [Diagnostic] {
    // Often most of a thousand jobs name the same program.
    var known: [[String]: Fault?] = [:]
    return commands.compactMap { command in
      let job = configuration.jobs[command.index]
      let given = command.searchPath ?? job.setup.environment["PATH"]
      // If no other setting does, the job's environment files may set PATH.
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
        severity: job.isEnabled && !command.isOptional ? fault.severity : .warning, place: command.place,
        message: fault.message, label: "expected a program",
        help: [fault.help ?? help(forMissing: command, of: job, search, directory)])
    }
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
      return fault(of: name.hasPrefix("/") ? name : "\(directory)/\(name)", named: name, as: user)?.fault
    }
    let faults = search.split(separator: ":").map { fault(of: "\($0)/\(name)", named: name, as: user) }
    if faults.contains(where: { $0 == nil }) { return nil }
    let other = faults.compactMap(\.self).first { !$0.isMissing }
    return other?.fault
      ?? Fault(
        message: "there is no program \"\(name)\" in PATH, which is \"\(search)\"")
  }

  private static func fault(of path: String, named name: String, as user: UserRecord?) -> (
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
            ? "there is no program \"\(path)\""
            : "the program \"\(path)\" cannot be looked at: \(error.plainReason)"), error.isMissing
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
    // A user without root's rights may check for a daemon that has root's rights.
    let isCertain = !isExecutable || CurrentProcess.effectiveUser == 0
    return (
      Fault(
        severity: isCertain ? .error : .warning,
        message: "\"\(path)\" cannot be executed" + (isExecutable ? " by \(whose)" : "")
          + ": \(objection.plainReason)",
        help: isExecutable
          ? "let the job's user execute it, and enter the directories above it" : "chmod +x \(path)"),
      false
    )
  }

  /// Returns the remedy for a command without a program. A suggested command passes the same check, unless the suggestion
  /// names its missing program.
  private static func help(
    forMissing command: JobCommand, of job: Job, _ search: String, _ directory: String
  ) -> String {
    let (name, rest) = (command.words[0], command.words.dropFirst())
    if ShellWords.needShell(name) {
      guard rest.isEmpty else {
        return
          "only a shell reads \"\(name)\" as it is meant: write the whole command as one text for a shell"
      }
      return command.takesShell
        ? "it needs a shell: command = \(TOMLText.string(name)), shell = true"
        : "it needs a shell: \(TOMLText.array(["/bin/sh", "-c", name]))"
    }
    let words = name.split(whereSeparator: \.isWhitespace).map(String.init)
    guard words.count > 1 else { return "install the program, or correct its name" }
    let help = "each argument is an element of its own: \(TOMLText.array(words + rest))"
    var alone = command
    alone.words = [words[0]]
    let isThere = fault(of: alone, of: job, search, directory) == nil
    return isThere ? help : "\(help); \"\(words[0])\" is missing too: install it, or correct its name"
  }
}

/// Texts that have a meaning only for a shell.
private enum ShellWords {
  /// The characters with a special meaning in a POSIX shell: operators, expansions, quotes and patterns.
  private static let characters: Set<Character> = [
    "|", ">", "<", "&", ";", "$", "(", ")", "*", "~", "\"", "'", "`", "\\", "?", "[", "]", "{", "}", "#", "!",
    "\n",
  ]
  /// Words that begin a command of the shell itself and are not names of programs.
  private static let builtIn: Set<String> = [
    ".", "case", "cd", "eval", "exec", "exit", "export", "for", "if", "set", "trap", "ulimit", "umask",
    "until",
    "while",
  ]

  /// Whether a shell would do more with the text than split it at blanks.
  static func needShell(_ text: String) -> Bool {
    let first = text.split(whereSeparator: \.isWhitespace).first.map(String.init) ?? ""
    return text.contains(where: characters.contains) || builtIn.contains(first)
      || (first.contains("=") && !first.contains("/"))
  }
}
