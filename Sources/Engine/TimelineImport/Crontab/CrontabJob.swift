import TimelineConfiguration
import TimelineCore

/// Makes the job of one line of a crontab.
struct CrontabJob {
  let entry: CrontabEntry
  let environment: CrontabEnvironment
  let source: CrontabSource
  let context: ImportContext

  /// A job without its name, with further results.
  struct Made {
    var job: ImportedJob
    var nameParts: [String]
    var mail: MailReactions.Mail?
    var differences: [String]
  }

  /// Whether systemd is the init system and a timer does the command's work, so that the command has no effect.
  var isLeftToTimer: Bool {
    context.isDirectory(GuardedCommand.systemdDirectory) && GuardedCommand.isLeftToTimer(column.text)
  }

  /// The last column of the line.
  private var column: CrontabCommand {
    // In anacron's lines, `%` has no special meaning.
    entry.identifier == nil
      ? CrontabCommand(column: entry.column) : CrontabCommand(text: entry.column, input: nil)
  }

  /// Makes the job. Throws the reason if the line cannot become a job.
  func make() throws(CrontabRefusal) -> Made {
    let (user, home) = try account()
    let command = column
    guard !command.text.trimmed.isEmpty else {
      throw CrontabRefusal(reason: "there is no command in front of the `%`: complete the line")
    }
    var job = ImportedJob(name: "")
    var differences: [String] = []
    job.values["schedule"] = try schedule(&differences)
    job.values["with"] = parameters(command, &differences)
    setSurroundings(of: &job, user: user, home: home, &differences)
    let mail = environment.recipient(of: user).map {
      MailReactions.Mail(recipient: $0, user: user, sender: environment.variables["MAILFROM"])
    }
    return Made(
      job: job, nameParts: [source.stem, entry.identifier ?? PlainCommand.programName(command.text)],
      mail: mail,
      differences: differences)
  }

  /// The command that cron runs for the line, in the form of cron's log.
  var command: CronCommand {
    let text = CrontabCommand(column: entry.column).text
    let obstacle =
      switch entry.times {
      case .reboot: "it runs when cron starts"
      case .word: String?.none
      case .fields(let fields): fields.randomMinutes > 0 ? "cron draws its minute" : nil
      }
    let user = if case .user(let name) = source.format { name } else { entry.user ?? "root" }
    return CronCommand(
      user: user, text: text, obstacle: obstacle, isLeftToTimer: GuardedCommand.isLeftToTimer(text))
  }

  /// Returns the user and the home directory.
  private func account() throws(CrontabRefusal) -> (user: String, home: String) {
    switch source.format {
    case .anacron: return ("root", "/")
    case .user(let user):
      guard let home = context.home(user) else {
        throw CrontabRefusal(
          reason:
            "there is no user `\(user)` on this machine, so that cron ignores the crontab: create the user")
      }
      if let column = userColumn(besides: user) {
        throw CrontabRefusal(
          reason: "`\(column)` is a user and no command: remove it, or import the file with --system",
          isCrons: false)
      }
      return (user, home)
    case .system:
      let user = entry.user ?? ""
      guard let home = context.home(user) else {
        let remedy =
          SixFields.readings(entry.times.rule, user[...])
          ?? "put the user in front of the command, or create it; the crontab of a user is imported with --user"
        throw CrontabRefusal(reason: "there is no user `\(user)` on this machine: \(remedy)")
      }
      return (user, home)
    }
  }

  /// Returns the user's name at the beginning of the command, as in `/etc/crontab`; `nil` if the word may be a
  /// program.
  private func userColumn(besides user: String) -> Substring? {
    var rest = Substring(entry.column)
    let (first, second) = (rest.word(), rest.word())
    guard !second.isEmpty, context.home(String(first)) != nil else { return nil }
    // CERN's program ROOT is also called `root`. Its options begin with a hyphen.
    if first == user || second.hasPrefix("/") || first == "root" && !second.hasPrefix("-") { return first }
    // Words that follow the user in lines of Debian's packages. Before other words, the user's name may be a program,
    // such as `mail`.
    switch second {
    case "[", "[[", "cd", "command", "exec", "if", "run-parts", "test": return first
    default: return nil
    }
  }

  private func schedule(_ differences: inout [String]) throws(CrontabRefusal) -> String {
    var keys = [("cron", TOMLText.string(entry.times.rule))]
    guard let fields = entry.times.fields else { return TOMLText.table(keys) }
    do throws(TextError) {
      if let calendar = fields.calendar {
        _ = try CalendarExpression(parsing: calendar)
        keys = [("calendar", TOMLText.string(calendar))]
      } else {
        _ = try CronExpression(parsing: entry.times.rule)
      }
    } catch {
      throw CrontabRefusal(reason: "cron never runs it: \(error.reason): correct the times", isCrons: false)
    }
    if fields.randomMinutes > 0 {
      keys += [
        ("jitter", TOMLText.string("\(fields.randomMinutes)m")), ("offset", TOMLText.string("hash")),
        ("accuracy", TOMLText.string("1m")),
      ]
      let first = String(entry.times.rule.prefix { $0 != " " })
      differences.append(environment.program.differenceOfRandomMinute(first))
    }
    return TOMLText.table(keys)
  }

  private func parameters(_ command: CrontabCommand, _ differences: inout [String]) -> String {
    let guarded = GuardedCommand(command.text)
    let line = ShellLine(command.text)
    if line.operators.last?.text == "&", !line.redirectsOutput {
      differences.append(
        "what it leaves in the background has no reader for its output: redirect it, for example to /dev/null"
      )
    }
    var keys: [(String, String)] = []
    let isPOSIXShell = environment.shell == "/bin/sh"
    if let condition = guarded.condition { keys.append(("condition", shellWords(condition))) }
    if guarded.condition == nil, let words = PlainCommand.words(guarded.command) {
      keys.append(("command", TOMLText.array(words)))
    } else {
      keys.append(("command", shellWords(guarded.command)))
      if isPOSIXShell { keys.append(("shell", "true")) }
    }
    if let input = command.input { keys.append(("stdin", TOMLText.string(input))) }
    return TOMLText.table(keys)
  }

  private func shellWords(_ text: String) -> String {
    environment.shell == "/bin/sh" ? TOMLText.string(text) : TOMLText.array([environment.shell, "-c", text])
  }

  /// Sets cron's defaults for every command.
  private func setSurroundings(
    of job: inout ImportedJob, user: String, home: String, _ differences: inout [String]
  ) {
    job.set("overlap", entry.identifier == nil ? "allow-all" : "skip")
    job.set("missed", entry.identifier == nil && !entry.isCaughtUp ? "skip" : "latest")
    if let zone = environment.zoneName { job.set("time-zone", zone) }
    job.set("leftovers", "keep")
    job.set("umask", "0022")
    job.values["no-new-privileges"] = "false"
    // The files that pam_env(8) reads for cron, according to /etc/pam.d/cron.
    job.values["environment-file"] = TOMLText.array(["-/etc/environment", "-/etc/default/locale"])
    if user != "root" { job.set("user", user) }
    job.environment = environment.ofJobs
    let directory = environment.home ?? home
    if !directory.hasPrefix("/") || directory.split(separator: "/").contains("..") {
      differences.append("HOME is no absolute path: the job starts in /: set working-directory")
    } else if !context.isDirectory(directory) {
      differences.append(
        "there is no directory \(directory): the job starts in /: create it, and set working-directory")
    } else {
      job.set("working-directory", directory)
    }
  }
}
