import ArgumentParser
import TimelineConfiguration
import TimelineCore
import TimelineLoading
import TimelineSystem

/// A word of the command line that stands for a schedule: the name of a job, or a rule of cron or of systemd's calendar.
struct ScheduleArgument: ParsableArguments {
  @OptionGroup var source: ConfigurationOptions

  @Option(
    help: ArgumentHelp("The zone of a rule, or in which a job's instants are shown.", valueName: "zone"),
    completion: .zones)
  var zone: String?

  @Flag(help: "Show times in UTC.")
  var utc = false

  @Option(
    help: ArgumentHelp("For a rule: run-at-end, shift or skip.", valueName: "policy"),
    completion: .choice(of: DaylightSavingPolicy.Gap.self))
  var gap: String?

  @Option(
    help: ArgumentHelp("For a rule: first, second or both.", valueName: "policy"),
    completion: .choice(of: DaylightSavingPolicy.Fold.self))
  var fold: String?

  @Argument(
    help: "The name of a job, or a rule such as \"30 2 * * *\", @daily or \"Mon..Fri 08:00\".",
    completion: .configuredJobs)
  var what: String

  /// The meaning of ``what``.
  struct Meaning {
    /// The name of the job; `nil` for a rule.
    var job: String?
    var schedule: ScheduleRule
    /// The zone in which instants are shown.
    var zone: Zone
    /// Lines of warnings; empty if there are none.
    var warnings = ""
  }

  /// Returns the meaning of ``what``. A job takes precedence over a rule with the same text.
  ///
  /// - Parameter failure: The failed call about a job; `nil` if the daemon was not queried.
  func meaning(withoutDaemon failure: CallFailure? = nil) throws -> Meaning {
    let zones = ZoneCatalog()
    let shown = try ShownZones(utc: false, zone: zone).chosen
    let configuration = try configuration()
    if let name = JobName(what), let job = configuration?.job(named: name) {
      if gap != nil || fold != nil {
        throw ValidationError("--gap and --fold belong to a rule; job \(what) has its own `dst`")
      }
      return Meaning(job: what, schedule: job.schedule, zone: utc ? .utc : shown ?? job.zone)
    }
    var meaning = try rule(in: shown ?? zones.machineZone, zones, configuration, failure)
    if shown == nil, let problem = zones.variableProblem {
      meaning.warnings += "timelinectl: warning: \(problem)\n"
    }
    if utc { meaning.zone = .utc }
    return meaning
  }

  /// An error that suggests a zone of a similar name.
  static func noZone(_ message: String, _ name: String, _ zones: ZoneCatalog) -> ValidationError {
    let help = Spelling.zoneHelp(for: name, among: zones.names)
    return ValidationError(
      "\(message); \(help.isEmpty ? "`timedatectl list-timezones` has them all" : help.joined(separator: "; "))"
    )
  }

  /// The configuration to look up a job in. `nil` if ``what`` cannot be a job's name, or if no file is given and the
  /// default file does not exist.
  private func configuration() throws -> Configuration? {
    guard JobName(what) != nil else { return nil }
    let isNamed = source.config != ConfigurationOptions.defaultPath
    if !isNamed, (try? FileFacts(at: source.config)) == nil { return nil }
    return try source.load()
  }

  private func rule(
    in zone: Zone, _ zones: ZoneCatalog, _ configuration: Configuration?, _ failure: CallFailure?
  ) throws -> Meaning {
    let policy = DaylightSavingPolicy(
      gap: try Self.choice(gap, "--gap") ?? .runAtEnd, fold: try Self.choice(fold, "--fold") ?? .first)
    switch Self.read(what) {
    case .cron(let expression):
      let schedule = CronSchedule(expression: expression, zone: zone, daylightSaving: policy)
      return Meaning(
        schedule: .cron(schedule), zone: zone, warnings: Self.text(CronExpression.warnings(in: what)))
    case .calendar(let expression):
      let warnings = Self.text(CalendarExpression.warnings(in: what))
      guard let name = expression.zoneName else {
        let schedule = CalendarSchedule(expression: expression, zone: zone, daylightSaving: policy)
        return Meaning(schedule: .calendar(schedule), zone: zone, warnings: warnings)
      }
      guard let own = zones.zone(named: name) else {
        throw Self.noZone("there is no zone \(name)", name, zones)
      }
      let schedule = CalendarSchedule(expression: expression, zone: own, daylightSaving: policy)
      return Meaning(
        schedule: .calendar(schedule), zone: self.zone == nil ? own : zone,
        warnings: warnings + ShownZones.warning(about: name))
    case .neither(let cronError, let calendarError):
      throw refusal(cronError, calendarError, configuration, failure)
    }
  }

  /// A rule, parsed in both languages; no rule is valid in both.
  private enum Reading {
    case cron(CronExpression)
    case calendar(CalendarExpression)
    case neither(cron: TextError, calendar: TextError)
  }

  private static func read(_ text: String) -> Reading {
    let cronError: TextError
    do throws(TextError) {
      return .cron(try CronExpression(parsing: text))
    } catch {
      cronError = error
    }
    do throws(TextError) {
      return .calendar(try CalendarExpression(parsing: text))
    } catch {
      return .neither(cron: cronError, calendar: error)
    }
  }

  /// The warnings about a rule, line by line.
  private static func text(_ warnings: [RuleWarning]) -> String {
    warnings.map { warning in
      "timelinectl: warning: \(warning.message)\n" + warning.help.map { "  help: \($0)\n" }.joined()
    }.joined()
  }

  private static func choice<Choice: RawRepresentable & CaseIterable>(
    _ text: String?, _ option: String
  ) throws -> Choice? where Choice.RawValue == String {
    guard let text else { return nil }
    if let choice = Choice(rawValue: text) { return choice }
    let choices = Choice.allCases.map(\.rawValue).joined(separator: ", ")
    throw ValidationError("\(option) \(text): expected one of \(choices)")
  }

  /// Prints the error in the language that was probably intended, and the rule with a caret under the error's place.
  private func refusal(
    _ cronError: TextError, _ calendarError: TextError, _ configuration: Configuration?,
    _ failure: CallFailure?
  ) -> ExitCode {
    let help = calendarError.help.map { "  help: \($0)\n" }.joined()
    let names = configuration?.jobs.map(\.name.text) ?? []
    let suggestion = Words.suggestion(for: what, among: names)
    if let failure {
      let file =
        configuration != nil && failure.status != .negative
        ? "no job of \(source.config) and no rule either\(suggestion)"
        : "no rule either: \(calendarError.reason)"
      return fail("\(failure.message)\n  help: \(file)\n\(help)", status: failure.status)
    }
    if JobName(what) != nil, configuration != nil {
      let jobs = names.joined(separator: ", ") + suggestion
      return fail(
        "error: \(what) is neither a job of \(source.config) nor a rule; its jobs are \(jobs)\n\(help)",
        status: .usage)
    }
    if what.lowercased() == "@reboot" {
      return fail(
        "error: @reboot names no instant that could be shown: a job with { cron = \"@reboot\" } runs once after each "
          + "start of the machine\n  help: `timelinectl history JOB` shows when it ran\n", status: .usage)
    }
    let fields = what.split { $0 == " " || $0 == "\t" }
    // Three or more fields of these characters cannot be a date and a time of systemd.
    let isBare = fields.allSatisfy { $0.allSatisfy { "0123456789*/,-".contains($0) } }
    if isBare, fields.contains(where: { $0.contains("*") }), fields.count > 2, !(5...6).contains(fields.count)
    {
      let hint = cronError.hint.map { "  help: \($0)\n" } ?? ""
      return fail(
        "error: a cron rule has 5 or 6 fields; this has \(fields.count)\n  \(what)\n"
          + "  help: minute, hour, day of the month, month, day of the week, with seconds before them if there are 6\n"
          + hint, status: .usage)
    }
    // The hint about a dialect of cron does not depend on the number of fields.
    let isCron =
      what.hasPrefix("@") || fields.count > 4 || cronError.hint != nil && calendarError.hint == nil
    let error = isCron ? cronError : calendarError
    // One column for each scalar; continuation bytes are not counted.
    let column = what.utf8.prefix(error.offset).count { $0 & 0xC0 != 0x80 }
    var text = "error: not a \(isCron ? "cron" : "calendar") rule: \(error.reason)\n  \(what)\n"
    text += "  \(String(repeating: " ", count: column))^\n"
    if JobName(what) != nil {
      text +=
        "  help: no job either: there is no \(ConfigurationOptions.defaultPath); name a file with --config\n"
    }
    text += error.help.map { "  help: \($0)\n" }.joined()
    return fail(text, status: .usage)
  }
}
