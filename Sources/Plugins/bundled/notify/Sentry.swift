import PluginJSON
import PluginSupport
import TimelinePluginKit
import TransferSupport

/// A check-in to a cron monitor of Sentry. The request also creates or updates the monitor with the schedule of the job
/// (docs.sentry.io, "Crons", "HTTP").
struct Sentry: WebService {
  private let dsn: Credential
  private let environment: String
  private let margin: Int64
  private let runtimeMax: Int64?

  static let schema = """
    {
      "type": "object", "required": ["credential"], "additionalProperties": false,
      "description": "A check-in to a cron monitor of Sentry: in_progress when a run begins, ok after an entry that succeeded, else error. The monitor has the name of the job, and its schedule and zone.",
      "properties": {
        "credential": {"type": "string", "x-timelined-credential": true, "description": "The credential of the job that holds the DSN of the project."},
        "environment": {"type": "string", "minLength": 1, "maxLength": 64, "default": "production", "description": "Sentry's environment."},
        "margin": {"type": "integer", "minimum": 1, "maximum": 40320, "default": 5, "description": "Minutes that a check-in may be late."},
        "max-runtime": {"type": "integer", "minimum": 1, "maximum": 40320, "description": "Minutes after which Sentry takes a run that has begun for failed. Default: that of the monitor."}
      }
    }
    """

  init(_ parameters: Parameters) throws {
    guard let dsn = try Credential(parameters, "/sentry/credential") else {
      throw Failure("the parameter /sentry/credential is missing: name the credential with the DSN")
    }
    self.dsn = dsn
    environment = try parameters.text("/sentry/environment", default: "production")
    margin = try parameters.integer("/sentry/margin", default: 5)
    guard (1...40_320).contains(margin) else {
      throw Failure("the parameter /sentry/margin is \(margin): it must be 1 to 40320 minutes")
    }
    runtimeMax = try parameters.optionalInteger("/sentry/max-runtime")
    if let runtimeMax, !(1...40_320).contains(runtimeMax) {
      throw Failure("the parameter /sentry/max-runtime is \(runtimeMax): it must be 1 to 40320 minutes")
    }
  }

  func requests(for report: Report) throws -> [Request] {
    let status =
      switch report.progress {
      case .begun: "in_progress"
      // A test message has no `monitor_config`. A check-in without it to an unknown monitor has no effect.
      case .succeeded, .test: "ok"
      case .failed: "error"
      }
    var members = [
      ("status", JSONText.quoted(status)), ("environment", JSONText.quoted(environment)),
    ]
    if let identifier = report.runIdentifier { members.append(("check_in_id", JSONText.quoted(identifier))) }
    if let monitor = monitor(report.schedule) { members.append(("monitor_config", monitor)) }
    let (url, key) = try Self.endpoint(dsn: dsn.text(), slug: report.slug)
    return [Request(to: url, json: JSONText.object(members), secrets: [key])]
  }

  /// Returns the definition of the monitor; `nil` if Sentry has no form for the schedule.
  private func monitor(_ schedule: Schedule?) -> String? {
    var members: [(String, String)]
    switch schedule {
    case .cron(let rule, let zone):
      let form = [("type", JSONText.quoted("crontab")), ("value", JSONText.quoted(rule))]
      members = [("schedule", JSONText.object(form)), ("timezone", JSONText.quoted(zone))]
    case .period(let seconds) where seconds >= 60:
      let form = [
        ("type", JSONText.quoted("interval")), ("value", String(seconds / 60)),
        ("unit", JSONText.quoted("minute")),
      ]
      members = [("schedule", JSONText.object(form))]
    case .calendar, .period, nil: return nil
    }
    members.append(("checkin_margin", String(margin)))
    if let runtimeMax { members.append(("max_runtime", String(runtimeMax))) }
    return JSONText.object(members)
  }

  /// Returns the address of a monitor, and the key in the DSN: `https://KEY@HOST/PROJECT` becomes
  /// `https://HOST/api/PROJECT/cron/SLUG/KEY/`.
  private static func endpoint(dsn: String, slug: String) throws -> (url: String, key: String) {
    let parts = dsn.split(separator: "/", omittingEmptySubsequences: false)
    let authority = parts.count == 4 ? parts[2].split(separator: "@", omittingEmptySubsequences: false) : []
    guard parts.count == 4, ["https:", "http:"].contains(parts[0]), parts[1].isEmpty, authority.count == 2,
      !authority[0].isEmpty, !authority[1].isEmpty, !parts[3].isEmpty, parts[3].allSatisfy(\.isNumber)
    else {
      throw Failure(
        "the credential of /sentry/credential is no DSN such as https://KEY@HOST/1: correct its file")
    }
    let key = String(authority[0])
    return ("\(parts[0])//\(authority[1])/api/\(parts[3])/cron/\(slug)/\(key)/", key)
  }
}
