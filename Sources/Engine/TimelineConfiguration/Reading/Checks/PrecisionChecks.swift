import TimelineCore

/// Checks of a job's precision, without a wait.
struct PrecisionChecks {
  let reading: FileReading
  let fields: Fields
  let precision: Precision
  let schedule: (rule: ScheduleRule, timing: ScheduleTiming)?

  func run() {
    guard precision == .spin, let item = fields["precision"], let schedule else { return }
    if schedule.timing.accuracy > .zero {
      reading.log.warning(
        "`precision` \"spin\" waits for the last microsecond of what `accuracy` puts off", at: item.place,
        help: ["leave one of the two out"])
    }
    switch schedule.rule {
    case .periodic(let periodic) where periodic.interval < ConfigurationLimits.spunIntervalMin:
      warnOfHaste(item)
    case .animation: warnOfHaste(item)
    default: break
    }
  }

  private func warnOfHaste(_ item: Item) {
    reading.log.warning(
      "`precision` \"spin\" does nothing for most entries of so quick a schedule: at most 100 deadlines in a second are spun for",
      at: item.place,
      help: ["leave it out, or make the interval at least \"\(ConfigurationLimits.spunIntervalMin)\""])
  }
}
