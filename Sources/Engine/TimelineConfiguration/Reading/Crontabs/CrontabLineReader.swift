import TimelineCore

/// Reads the job of a crontab line.
///
/// Each line is read separately, and its errors affect only its own job. So no user can block other users' jobs by
/// writing to a crontab.
struct CrontabLineReader {
  let context: ConfigurationContext
  let zones: ZoneTable
  let pool: JobPool
  let holidays: HolidayTable
  let pluginNames: [String]?

  /// The reason why a line has no job.
  struct Refusal: Error {
    var reason: String
  }

  /// Reads the job in the machine's zone, as cron does.
  func read(_ source: ConfigurationSource) throws(Refusal) -> JobReader.JobReading {
    let log = DiagnosticLog()
    guard let root = try? TOMLDocument.parse(SourceText(source)), case .table(let tables) = root.content
    else {
      throw Refusal(reason: "it cannot be written as a job")
    }
    let reading = FileReading(root.document, log: log, context: context, zones: zones, pool: pool)
    (reading.holidays, reading.pluginNames) = (holidays, pluginNames)
    guard case .table(let jobs)? = Fields(tables, of: .root, in: reading)["job"]?.value.content,
      let entry = jobs.first(where: { _ in true })
    else { throw Refusal(reason: "it cannot be written as a job") }
    if let problem = context.machineZoneProblem {
      throw Refusal(reason: "the machine's time zone cannot be read: \(problem.reason)")
    }
    let outcome = JobReader(reading: reading, defaultZone: context.machineZone).read(entry)
    if let error = log.sorted(by: []).first(where: { $0.severity == .error }) {
      throw Refusal(reason: error.message)
    }
    return outcome
  }
}
