import TimelineCore

/// The defaults of a job that can be written into its table. A default is omitted if a check would reject it beside
/// the job's other keys, or if the absence of the key has a meaning, as with `timeout`.
struct JobDefaults {
  let job: Job

  /// Returns the defaults for a job whose table has the keys `given`.
  func values(beside given: Set<String>, isZoneKnown: Bool) -> [(key: String, text: String)] {
    let policies = job.policies
    var values: [(key: String, text: String)] = [
      ("with", "{}"), ("expected-duration", TOMLText.string("\(policies.expect)")),
      ("delivery", TOMLText.string(policies.delivery.rawValue)), ("priority", String(policies.priority)),
      ("isolation", TOMLText.string(job.isolation.rawValue)),
      ("precision", TOMLText.string(job.precision.rawValue)), ("enabled", job.isEnabled ? "true" : "false"),
    ]
    if isZoneKnown { values.append(("time-zone", TOMLText.string(job.zone.name))) }
    // Without a timeout, only a cancellation stops a run, so `grace` alone would cause a warning.
    if given.contains("timeout") { values.append(("grace", TOMLText.string("\(policies.grace)"))) }
    if !job.schedule.isClosedLoop {
      values += [
        ("missed", missedText), ("overlap", TOMLText.string(policies.overlap.rawValue)),
        ("concurrency", String(policies.concurrency)),
      ]
    }
    // These settings do not apply to a run in the daemon's own process.
    if job.isolation == .host {
      values.append(("no-new-privileges", job.setup.noNewPrivileges ? "true" : "false"))
      values.append(("sandbox", TOMLText.string(job.setup.sandbox.systemCalls.rawValue)))
      if !SetupChecks.processlessPlugins.contains(job.plugin.text) {
        values.append(("leftovers", TOMLText.string(job.setup.leftovers.rawValue)))
      }
    }
    return values
  }

  /// Returns the value of an entry that is a table with defaults of its own; `nil` for any other entry.
  func filled(_ entry: TOMLEntry) -> String? {
    guard case .table = entry.value.content else { return nil }
    switch entry.key {
    case "missed": return missedText
    case "retry": return job.policies.retry.map(Self.text)
    case "run-limits": return Self.text(job.setup.runLimits)
    case "on-failure":
      return Self.text(job.policies.reactions.onFailure, job.policies.reactions.failureIncidents)
    case "on-missed":
      return Self.text(job.policies.reactions.onMissed, job.policies.reactions.missedIncidents)
    case "on-late": return Self.text(job.policies.reactions.onLate, job.policies.reactions.lateIncidents)
    case "sandbox": return Self.text(job.setup.sandbox)
    default: return nil
    }
  }

  private var missedText: String {
    let missed = job.policies.missed
    let choice = TOMLText.string(missed.choice.rawValue)
    guard let window = missed.window else { return choice }
    return TOMLText.table([("policy", choice), ("window", TOMLText.string("\(window)"))])
  }

  private static func text(_ limits: RunLimits) -> String {
    var values: [(String, String)] = []
    if let bytes = limits.memoryBytes { values.append(("memory", TOMLText.string(ByteSize.text(bytes)))) }
    if let percent = limits.processorPercent { values.append(("cpu", TOMLText.string("\(percent)%"))) }
    if let count = limits.taskCount { values.append(("tasks", String(count))) }
    values.append(("unsupported", TOMLText.string(limits.unsupported.rawValue)))
    return TOMLText.table(values)
  }

  private static func text(_ sandbox: Sandbox) -> String {
    var values = [("system-calls", TOMLText.string(sandbox.systemCalls.rawValue))]
    if let paths = sandbox.writable { values.append(("writable", TOMLText.array(paths.map(\.text)))) }
    values.append(("unsupported", TOMLText.string(sandbox.unsupported.rawValue)))
    return TOMLText.table(values)
  }

  private static func text(_ listener: JobName?, _ incidents: IncidentPolicy?) -> String? {
    guard let listener, let incidents else { return nil }
    let lengths = [("within", incidents.within), ("remind", incidents.remind)]
    return TOMLText.table(
      [("job", TOMLText.string(listener.text)), ("after", String(incidents.after))]
        + lengths.compactMap { key, length in length.map { (key, TOMLText.string("\($0)")) } })
  }

  private static func text(_ retry: RetryPolicy) -> String {
    TOMLText.table([
      ("attempts", String(retry.attempts)),
      (
        "backoff",
        TOMLText.table([
          ("from", TOMLText.string("\(retry.backoffFrom)")), ("to", TOMLText.string("\(retry.backoffTo)")),
        ])
      ),
      ("jitter", TOMLText.string("\(retry.jitterPercent)%")),
    ])
  }
}
