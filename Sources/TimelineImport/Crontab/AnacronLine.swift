/// A line of anacrontab(5): a period in days, a delay in minutes, a name and a command.
struct AnacronLine {
  /// The line as one of cron's.
  let entry: CrontabEntry

  /// Difference of a job from the line.
  static let difference =
    "anacron counts days from the last run and looks hourly from 07:30 on; the job has fixed days, and runs a missed one at the next start"

  /// Minute of the day at which Debian's anacron.timer begins.
  private static let firstMinute = 7 * 60 + 30

  /// Reads a line.
  init(_ text: String) throws(CrontabRefusal) {
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
    default:
      guard let count = Int(period), count > 0 else {
        throw CrontabRefusal(
          reason: "a period is a number of days, or @daily, @weekly, @monthly or @yearly: correct it",
          isCrons: false)
      }
      throw CrontabRefusal(
        reason:
          "a period of `\(period)` has no rule: write schedule = { periodic = { by = \"\(period)d\" } }",
        isCrons: false)
    }
    let fields = try CrontabFields("\(time) \(days)".split(separator: " "))
    entry = CrontabEntry(times: .fields(fields), user: nil, column: String(rest), identifier: name)
  }
}
