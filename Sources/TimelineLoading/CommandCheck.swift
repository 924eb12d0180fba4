import TimelineConfiguration
import TimelineCore
import TimelineSystem

/// Looks whether the programs are there that parameters name, as the kernel would when a run starts one.
enum CommandCheck {
  /// The search path for programs without a slash when nothing else is given: that of the plugin hosts.
  private static let searchPath = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"

  /// A fault of a program.
  private struct Fault {
    var severity = Diagnostic.Severity.error
    var message: String
    var help: String
  }

  /// The diagnostics of commands of `configuration`, in their order.
  static func diagnostics(of commands: [JobCommand], in configuration: Configuration) -> [Diagnostic] {
    // Of a thousand jobs most name the same program.
    var known: [[String]: Fault?] = [:]
    return commands.compactMap { command in
      let job = configuration.jobs[command.index]
      let given = command.searchPath ?? job.setup.environment["PATH"]
      // Its files of variables may set PATH where nothing else does.
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
        message: fault.message,
        label: "expected a program", help: [fault.help])
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
        message: "there is no program \"\(name)\" in PATH, which is \"\(search)\"",
        help: help(forMissing: name))
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
            : "the program \"\(path)\" cannot be looked at: \(error.plainReason)",
          help: help(forMissing: name)), error.isMissing
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
    // Whoever is not root may check for a daemon that is.
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

  private static func help(forMissing name: String) -> String {
    let words = name.split(separator: " ")
    guard words.count > 1 else { return "install the program, or correct its name" }
    let list = words.map { "\"\($0)\"" }.joined(separator: ", ")
    return "each argument is an element of its own: [\(list)]"
  }
}
