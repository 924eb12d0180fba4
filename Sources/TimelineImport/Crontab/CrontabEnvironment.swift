import TimelineCore

/// The variables of one crontab that apply to the lines below them.
struct CrontabEnvironment: Equatable {
  /// The cron that runs the lines.
  let program: CronProgram
  private(set) var variables: [String: String] = [:]
  /// The zone of the times below, if cron has a setting for it; otherwise `nil`.
  private(set) var zoneName: String?

  private let installed: CronProgram?

  init(program: CronProgram = .debian, installed: CronProgram? = nil) {
    (self.program, self.installed) = (program, installed)
  }

  /// PATH of Debian's cron if the crontab sets none (pathnames.h, `_PATH_DEFPATH`).
  private static let defaultPath = "/usr/bin:/bin"

  /// The effect of a variable on the jobs below it.
  enum Effect: Equatable {
    case same
    case differs(String)
    case refused(String)
  }

  /// Sets a variable for the lines below.
  mutating func set(_ name: String, _ value: String) -> Effect {
    guard EnvironmentFileText.isName(name) else {
      return .refused("a job's variable has letters, digits and `_`, no digit first: name it otherwise")
    }
    if EnvironmentFileText.isReserved(name) { return .refused("a job cannot set \(name): name it otherwise") }
    // Debian's cron ignores this variable.
    if name == "LOGNAME" { return .same }
    variables[name] = value
    switch name {
    case "CRON_TZ" where program == .cronie && Zone.isWellFormed(name: value):
      zoneName = value
      return .same
    case "CRON_TZ": return .differs(Self.noteOfZone(name, value))
    case "TZ" where [program, installed].contains(.systemdCron):
      return .differs(Self.noteOfZone(name, value))
    case "RANDOM_DELAY", "START_HOURS_RANGE", "RANDOM_DELAY_MAX":
      return .differs(
        "Debian's cron passes \(name) to the command alone, and so does the job; cronie delays jobs by it: set `jitter` if that is meant"
      )
    default: return .same
    }
  }

  private static func noteOfZone(_ name: String, _ value: String) -> String {
    let others = name == "CRON_TZ" ? "cronie and systemd-cron 2.5 run" : "systemd-cron 2.5 runs"
    return
      "Debian's cron and systemd-cron 1.15 pass \(name) to the command and keep to the machine's zone, and so does the job; \(others) the lines below in it: set time-zone = \"\(value)\" if that is meant"
  }

  /// The shell that runs commands.
  var shell: String { variables["SHELL"] ?? "/bin/sh" }

  /// The directory in which commands start; `nil` if the crontab sets none.
  var home: String? { variables["HOME"] }

  /// Variables of a job: the variables of the crontab, and cron's own PATH.
  var ofJobs: [String: String] {
    variables.merging(["PATH": Self.defaultPath]) { own, _ in own }
  }

  /// The recipient of output; `nil` if there is none.
  func recipient(of user: String) -> String? {
    guard let recipient = variables["MAILTO"] else { return user }
    return recipient.isEmpty ? nil : recipient
  }
}
