import TimelineConfiguration

/// Converts crontabs to a configuration.
package struct CrontabImport {
  package private(set) var file: ImportedFile
  package private(set) var report = ImportReport()
  /// The rules of the jobs that cron runs at certain times, for a proof.
  package private(set) var rules: [ImportedRule] = []
  /// In the order of the lines.
  private(set) var commands: [ImportedCommand] = []

  private let context: ImportContext
  private let program: CronProgram
  private let installed: CronProgram?
  private var names = JobNames()
  private var mails = MailReactions()
  /// Comments since the last job.
  private var comments: [String] = []

  /// Imports crontabs in the order of the sources.
  ///
  /// - Parameters:
  ///   - program: The cron that has run the crontabs until now.
  ///   - installed: The cron of this machine. The report lists the lines that this cron runs differently.
  package init(
    _ sources: [CrontabSource], in context: ImportContext, as program: CronProgram = .debian,
    installed: CronProgram? = nil
  ) {
    (self.context, self.program) = (context, program)
    self.installed = installed == program ? nil : installed
    file = ImportedFile(
      heading: [ImportedFile.origin(sources.map(\.path), noun: "files", command: "crontab")])
    for source in sources { add(source) }
    file.closing = comments.last == "" ? Array(comments.dropLast()) : comments
    file.jobs += mails.jobs
  }

  private mutating func add(_ source: CrontabSource) {
    let lines = CrontabReader(format: source.format, as: program).lines(source.bytes)
    if let reason = source.reasonNotRead {
      for line in lines {
        var account = account(of: line, in: source)
        if line.isActive { account.refuse(reason) }
        conclude(account)
      }
      return
    }
    if let cause = causeOfSilence(source, lines) {
      var account = ImportedLine(source: source.path, line: 0, text: "", kind: .unknown)
      account.differ("cron ignores the whole file because of \(cause); the other lines are carried")
      report.lines.append(account)
    }
    var environment = CrontabEnvironment(
      program: program, installed: installed, isAnacron: source.format == .anacron, in: context)
    let others = installed.map { CrontabReader(format: source.format, as: $0).lines(source.bytes) }
    for (index, line) in lines.enumerated() { add(line, of: source, &environment, other: others?[index]) }
    if let last = comments.last, !last.isEmpty { comments.append("") }
  }

  private func obstacle(to entry: CrontabEntry) -> String {
    if entry.identifier != nil { return "anacron counts days from the last run" }
    guard entry.times.fields != nil else { return "@reboot is no instant of a calendar" }
    let other = program == .debian ? installed ?? program : program
    return "Debian's cron alone is simulated, and \(other.title) ran it"
  }

  /// Returns the reason why Debian's cron ignores a whole file; `nil` if Debian's cron does not. Other crons, and
  /// anacron, ignore single lines.
  private func causeOfSilence(_ source: CrontabSource, _ lines: [CrontabLine]) -> String? {
    guard program == .debian, installed == nil, source.format != .anacron else { return nil }
    if let culprit = lines.first(where: { refusesWholeFile($0) }) { return "line \(culprit.number)" }
    let limit = CrontabSource.lineCountMax
    return lines.count > limit ? "line \(limit + 1), which is one too many" : nil
  }

  private func refusesWholeFile(_ line: CrontabLine) -> Bool {
    let user: String? =
      switch line.content {
      case .refused(let refusal): refusal.user
      case .job(let entry): entry.user
      case .blank, .comment, .variable: nil
      }
    return line.isRefused || user.map { context.home($0) == nil } ?? false
  }

  /// Returns the difference of the line under this machine's cron; `other` is the line as this cron reads it.
  private func difference(of line: CrontabLine, _ other: CrontabLine?) -> String? {
    guard let installed, let other else { return nil }
    let remedy = "import with --as \(installed.rawValue) if it is the one that ran it"
    switch (line.content, other.content) {
    case (.job, .refused(let refusal)):
      return "\(installed.title), which is installed here, does not run it: \(refusal.reason): \(remedy)"
    case (.job, .job(let entry)), (.refused, .job(let entry)):
      let clauses = (entry.differences + entry.versions.map(\.clause)).joined(separator: "; ")
      guard !clauses.isEmpty else { return nil }
      return "\(installed.title), which is installed here, runs it otherwise: \(clauses): \(remedy)"
    default: return nil
    }
  }

  private func account(of line: CrontabLine, in source: CrontabSource) -> ImportedLine {
    let kind: ImportedLine.Kind =
      switch line.content {
      case .blank: .blank
      case .comment: .comment
      case .variable: .variable
      case .job: .job
      case .refused: .unknown
      }
    return ImportedLine(source: source.path, line: line.number, text: line.text, kind: kind)
  }

  private mutating func add(
    _ line: CrontabLine, of source: CrontabSource, _ environment: inout CrontabEnvironment,
    other: CrontabLine?
  ) {
    var account = account(of: line, in: source)
    line.remarks.forEach { account.differ($0) }
    let difference = difference(of: line, other)
    if let difference { account.differ(difference) }
    switch line.content {
    case .blank, .comment(""):
      if let last = comments.last, !last.isEmpty { comments.append("") }
    case .comment(let text): comments.append(text)
    case .variable(let name, let value):
      switch environment.set(name, value) {
      case .same: break
      case .differs(let note): account.differ(note)
      case .refused(let reason): account.refuse(reason)
      }
    case .refused(let refusal): account.refuse(refusal.reason)
    case .job(let entry):
      account.notes += entry.differences.map { "\(program.title): \($0)" }
      for reading in entry.versions {
        account.differ("\(program.title): \(reading.clause); the job follows \(reading.followed)")
      }
      add(entry, environment, source, &account, isProvable: program == .debian && difference == nil)
    }
    conclude(account)
  }

  /// Records the result for a line. A line without a job becomes a comment in the file.
  private mutating func conclude(_ account: ImportedLine) {
    if account.verdict == .notCarried || account.kind == .job && account.job == nil {
      if let last = comments.last, !last.isEmpty { comments.append("") }
      let verdict = account.verdict == .notCarried ? "Not carried" : "Carried"
      comments += [
        "\(verdict): \(account.place): \(account.notes.joined(separator: "; "))", "  \(account.text)", "",
      ]
    }
    report.lines.append(account)
  }

  private mutating func add(
    _ entry: CrontabEntry, _ environment: CrontabEnvironment, _ source: CrontabSource,
    _ account: inout ImportedLine, isProvable: Bool
  ) {
    let maker = CrontabJob(entry: entry, environment: environment, source: source, context: context)
    commands.append(ImportedCommand(of: account, maker.command))
    if maker.isLeftToTimer {
      account.notes.append(
        "no job is needed, because the command does nothing where systemd runs: import its timer with `timelinectl import timers TIMER`"
      )
      return
    }
    let made: CrontabJob.Made
    do {
      made = try maker.make()
    } catch {
      return account.refuse(error.reason)
    }
    made.differences.forEach { account.differ($0) }
    var job = made.job
    job.name = names.name(made.nameParts)
    job.comments = comments + ["\(account.place): \(account.text.trimmed)"]
    comments = []
    if let mail = made.mail { setMail(mail, of: &job, source) }
    account.job = job.name
    commands[commands.count - 1].job = job.name
    file.jobs.append(job)
    if let fields = entry.times.fields, entry.identifier == nil, isProvable {
      rules.append(
        ImportedRule(job: job.name, place: account.place, kind: .cron(CronSimulation(fields))))
    } else {
      rules.append(
        ImportedRule(
          job: job.name, place: account.place, kind: .unproven(obstacle(to: entry))))
    }
  }

  /// Sets the reaction that mails a job's output. The first job of each mail records the differences from cron's
  /// mail.
  private mutating func setMail(
    _ mail: MailReactions.Mail, of job: inout ImportedJob, _ source: CrontabSource
  ) {
    let count = mails.jobs.count
    let name = mails.name(for: mail, stem: source.stem, names: &names)
    job.set("on-output", name)
    guard mails.jobs.count > count else { return }
    var account = ImportedLine(
      source: source.path, line: 0, text: "MAILTO=\(mail.recipient)", kind: .variable)
    account.job = name
    account.differ(MailReactions.difference)
    report.lines.append(account)
  }
}

/// A rule of a source, with its job.
package struct ImportedRule: Sendable {
  /// Kinds of rules, by the source of their instants.
  package enum Kind: Sendable {
    case cron(CronSimulation)
    /// Rules of OnCalendar=. The entries of all rules are due.
    case calendar([String])
    /// An event of an iCalendar file.
    case event(IcalExpansion)
    /// The instants are unknown, for this reason.
    case unproven(String)
  }

  package var job: String
  package var place: String
  package var kind: Kind
}
