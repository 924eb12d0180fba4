/// The variables that hold for the lines below them in one crontab.
struct CrontabEnvironment: Equatable {
  private(set) var variables: [String: String] = [:]

  /// PATH of Debian's cron where the crontab sets none (pathnames.h, `_PATH_DEFPATH`).
  private static let defaultPath = "/usr/bin:/bin"

  /// Sets a variable for the lines below; returns what of it is not the same in a job.
  mutating func set(_ name: String, _ value: String) -> String? {
    switch name {
    case "LOGNAME": return nil
    case "CRON_TZ", "TZ":
      variables[name] = value
      return name == "TZ"
        ? nil
        : "Debian's cron passes CRON_TZ to the command and keeps to the machine's zone, and so does the job; cronie runs the lines below in it: set time-zone = \"\(value)\" if that is meant"
    case "RANDOM_DELAY", "START_HOURS_RANGE", "RANDOM_DELAY_MAX":
      variables[name] = value
      return
        "Debian's cron passes \(name) to the command alone, and so does the job; cronie delays jobs by it: set `jitter` if that is meant"
    case "CREDENTIALS_DIRECTORY":
      return "a job cannot set it: name it otherwise"
    default:
      if name.hasPrefix("TIMELINE_") { return "a job cannot set TIMELINE_ variables: name it otherwise" }
      variables[name] = value
      return nil
    }
  }

  /// The shell that runs commands.
  var shell: String { variables["SHELL"] ?? "/bin/sh" }

  /// The directory in which commands begin, if the crontab names one.
  var home: String? { variables["HOME"] }

  /// Variables of a job: those of the crontab, and cron's own PATH.
  var ofJobs: [String: String] {
    variables.merging(["PATH": Self.defaultPath]) { own, _ in own }
  }

  /// The recipient of output; `nil` for nobody.
  func recipient(of user: String) -> String? {
    guard let recipient = variables["MAILTO"] else { return user }
    return recipient.isEmpty ? nil : recipient
  }
}
