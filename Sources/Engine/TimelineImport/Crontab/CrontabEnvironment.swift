import TimelineCore

/// The variables that apply to the following lines of one crontab.
struct CrontabEnvironment {
  let program: CronProgram
  private(set) var variables: [String: String] = [:]
  /// The zone of the following times, if cron has a setting for it; otherwise `nil`.
  private(set) var zoneName: String?
  /// Bytes of the names and values of all variables of a job.
  private var byteCount = "PATH".utf8.count + Self.defaultPath.utf8.count

  private let installed: CronProgram?
  private let isAnacron: Bool
  private let context: ImportContext

  init(program: CronProgram, installed: CronProgram?, isAnacron: Bool, in context: ImportContext) {
    (self.program, self.installed) = (program, installed)
    (self.isAnacron, self.context) = (isAnacron, context)
  }

  /// PATH of Debian's cron if the crontab sets none (pathnames.h, `_PATH_DEFPATH`).
  private static let defaultPath = "/usr/bin:/bin"

  /// Effect of a variable on the following jobs.
  enum Effect: Equatable {
    case same
    case differs(String)
    case refused(String)
  }

  /// Sets a variable for the following lines.
  mutating func set(_ name: String, _ value: String) -> Effect {
    guard EnvironmentFileText.isName(name) else {
      return .refused("a job's variable has letters, digits and `_`, no digit first: name it otherwise")
    }
    if EnvironmentFileText.isReserved(name) { return .refused("a job cannot set \(name): name it otherwise") }
    // Debian's cron ignores this variable.
    if name == "LOGNAME" { return .same }
    let growth = value.utf8.count - (variables[name]?.utf8.count ?? -name.utf8.count)
    // cron's own PATH is one more variable.
    guard variables[name] != nil || variables.count < JobLimits.variablesMax - 1,
      byteCount + growth <= JobLimits.environmentMax
    else {
      return .refused(
        "a job has at most \(JobLimits.variablesMax) variables with \(JobLimits.environmentMax) bytes: remove some"
      )
    }
    byteCount += growth
    variables[name] = value
    if program == .busybox, !isAnacron, !["MAILTO", "SHELL"].contains(name) {
      return .differs("busybox 1.35 reads SHELL and MAILTO alone, and the job has the variable")
    }
    switch name {
    case "CRON_TZ" where isAnacron, "TZ" where isAnacron: return .same
    case "CRON_TZ" where program == .cronie: return setZone(value)
    case "CRON_TZ": return .differs(noteOfZone(name, value))
    case "TZ" where [program, installed].contains(.systemdCron):
      return .differs(noteOfZone(name, value))
    case "RANDOM_DELAY", "START_HOURS_RANGE": return noteOfDelay(name).map { .differs($0) } ?? .same
    default: return .same
    }
  }

  /// Sets the zone of the following lines, as cronie does. For a name that is not in the zone database, the C library
  /// uses UTC, unless the name is a POSIX rule, which has digits.
  private mutating func setZone(_ name: String) -> Effect {
    zoneName = name.isEmpty ? nil : name
    guard !name.isEmpty, !context.isZone(name) else { return .same }
    let fault = "there is no time zone \"\(name)\""
    let remedy = context.remedy(forZone: name)
    if name.contains(where: \.isNumber) || !Zone.isWellFormed(name: name) {
      (zoneName, variables["CRON_TZ"]) = (nil, nil)
      return .refused("\(fault), and the lines below have the machine's: \(remedy)")
    }
    zoneName = "UTC"
    return .differs("\(fault), so that cronie runs the lines below in UTC, and so do the jobs: \(remedy)")
  }

  private func noteOfZone(_ name: String, _ value: String) -> String {
    let owners = program == .bcron ? "bcron passes" : "Debian's cron and systemd-cron 1.15 pass"
    let others = name == "CRON_TZ" ? "cronie and systemd-cron 2.5 run" : "systemd-cron 2.5 runs"
    let remedy =
      context.isZone(value)
      ? "set time-zone = \"\(value)\" if that is meant" : "there is no time zone \"\(value)\""
    return
      "\(owners) \(name) to the command, and the lines below stay in the machine's zone, as do the jobs; \(others) them in it: \(remedy)"
  }

  /// Returns the difference of the jobs after a variable by which cronie, its anacron or systemd-cron delays lines;
  /// `nil` for other variables.
  private func noteOfDelay(_ name: String) -> String? {
    let isRandom = name == "RANDOM_DELAY"
    let title = program == .systemdCron ? "systemd-cron 1.15" : isAnacron ? "cronie's anacron" : "cronie"
    let delay = "\(title) delays the lines below by a random part of it"
    let passes = "passes \(name) to the command alone, and so does the job"
    switch program {
    case .systemdCron where isRandom, .cronie where isRandom:
      return "\(delay), and the job has no delay: set `jitter`"
    case .systemdCron:
      return
        "\(title) runs @daily and longer periods in the first of these hours, and the job at its own time: correct `schedule`"
    case .cronie where isAnacron:
      return
        "\(title) starts the lines below in these hours alone, and the job at its own time: correct `schedule`"
    case .debian where isAnacron && !isRandom:
      return
        "Debian's anacron \(passes); \(title) starts lines in these hours alone: correct `schedule` if that is meant"
    case .debian where isAnacron:
      return "Debian's anacron \(passes); \(delay): set `jitter` if that is meant"
    case .debian where isRandom, .bcron where isRandom && !isAnacron:
      return "\(program.title) \(passes); \(delay): set `jitter` if that is meant"
    default: return nil
    }
  }

  var shell: String { variables["SHELL"] ?? "/bin/sh" }

  /// The directory in which commands start; `nil` if the crontab sets none.
  var home: String? { variables["HOME"] }

  /// Variables of a job: the crontab's variables, and cron's own PATH.
  var ofJobs: [String: String] {
    variables.merging(["PATH": Self.defaultPath]) { own, _ in own }
  }

  /// Returns the recipient of output; `nil` if the output is not mailed.
  func recipient(of user: String) -> String? {
    guard let recipient = variables["MAILTO"] else { return user }
    return recipient.isEmpty ? nil : recipient
  }
}
