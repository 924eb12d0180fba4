/// A line of anacrontab(5): a period in days, a delay in minutes, a name and a command.
struct AnacronLine {
  /// The line in the form of a cron line.
  let entry: CrontabEntry

  /// Differences of a job from the line.
  private(set) var differences: [String]

  /// Returns the difference of each job from its line under the anacron that accompanies `program`, as far as it is
  /// known.
  private static func difference(from program: CronProgram) -> String {
    let anacron =
      switch program {
      case .debian: "anacron counts days from the last run and looks hourly from 07:30 on"
      case .cronie: "cronie's anacron counts days from the last run and looks hourly"
      case .systemdCron: "systemd-cron 1.15 adds the delay to midnight, or to the first of START_HOURS_RANGE"
      case .bcron, .busybox: "anacron counts days from the last run"
      }
    let days = program == .debian ? "fixed days" : "fixed days, from 07:30 on"
    return "\(anacron); the job has \(days), and runs a missed one at the next start"
  }

  /// Minute of the day at which Debian's anacron.timer begins.
  private static let firstMinute = 7 * 60 + 30

  /// Reads a line.
  init(_ text: String, by program: CronProgram = .debian) throws(CrontabRefusal) {
    differences = [Self.difference(from: program)]
    var rest = text[...]
    let (period, delay, name) = (String(rest.word()), String(rest.word()), String(rest.word()))
    guard let minutes = Int(delay), (0...900).contains(minutes), !name.isEmpty, !rest.isEmpty else {
      throw CrontabRefusal(
        reason: "a line of anacron is a period in days, a delay of at most 900 minutes, a name and a command",
        isCrons: false)
    }
    let minute = Self.firstMinute + minutes
    let time = "\(minute % 60) \(minute / 60)"
    let days: String
    switch period {
    case "1", "@daily": days = "* * *"
    case "7", "@weekly": days = "* * 1"
    case "28", "29", "30", "31", "@monthly": days = "1 * *"
    case "365", "366", "@yearly", "@annually": days = "1 1 *"
    default: throw Self.refusal(of: period, by: program)
    }
    if program == .debian, period == "@monthly" {
      differences.append("Debian's anacron runs @monthly 13 times a year, and the job 12 times")
    } else if program == .debian, period.hasPrefix("@"), period != "@yearly" {
      differences.append("\(Self.everyStart(period)): check what is meant")
    }
    let fields = try CrontabFields("\(time) \(days)".split(separator: " "))
    entry = CrontabEntry(times: .fields(fields), user: nil, column: String(rest), identifier: name)
  }

  /// Returns the refusal of a period other than a day, a week, a month or a year.
  private static func refusal(of period: String, by program: CronProgram) -> CrontabRefusal {
    let reason =
      switch Int(period) {
      case 0? where program == .debian: "\(everyStart(period)): write a number of days"
      case let count? where count > 0:
        "a period of `\(period)` has no rule: write schedule = { periodic = { by = \"\(period)d\" } }"
      case nil where period.hasPrefix("@") && program == .debian:
        "\(everyStart(period)): write a number of days, @monthly or @yearly"
      default: "a period is a number of days, @monthly or @yearly: correct it"
      }
    return CrontabRefusal(reason: reason, isCrons: false)
  }

  /// Returns the effect of an unknown word, or of 0 days, in Debian's anacron 2.3.
  private static func everyStart(_ period: String) -> String {
    let cause =
      period.hasPrefix("@") ? "Debian's anacron has no word `\(period)`" : "a period of 0 is always over"
    return
      "\(cause), so that it runs the job whenever it starts: at the start of the machine and hourly from 07:30 to 23:30"
  }
}
