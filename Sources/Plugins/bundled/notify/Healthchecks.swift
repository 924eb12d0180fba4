import PluginJSON
import PluginSupport
import TimelinePluginKit
import TransferSupport

/// A ping to a check of healthchecks.io or a self-hosted server. The check is registered with the schedule of the job.
///
/// healthchecks.io/docs: "Pinging API" for `POST <url>/<ping key>/<slug>`, and "Management API" (version 3) for the
/// registration, which finds an existing check by its name.
struct Healthchecks: WebService {
  private let url: String
  private let apiURL: String
  private let pingKey: Credential
  private let apiKey: Credential?
  private let grace: Int64

  /// The largest number of bytes of a ping's body that the service keeps.
  private static let bodyMax = 100_000
  /// The range of periods that a check can have, in seconds.
  private static let periods: ClosedRange<Int64> = 60...31_536_000

  static let schema = """
    {
      "type": "object", "required": ["credential"], "additionalProperties": false,
      "description": "A ping to a check of healthchecks.io: a start when a run begins, a success after an entry that succeeded, else a failure. The check has the name of the job. With api-credential it is registered with the job's schedule and zone; without it the service makes one with its own defaults.",
      "properties": {
        "credential": {"type": "string", "x-timelined-credential": true, "description": "The credential of the job that holds the ping key of the project."},
        "api-credential": {"type": "string", "x-timelined-credential": true, "description": "The credential of the job that holds an API key with write access."},
        "grace": {"type": "integer", "minimum": 60, "maximum": 31536000, "default": 3600, "description": "Seconds that a ping may be late."},
        "url": {"type": "string", "pattern": "^https?://", "x-timelined-hint": "a URL that begins with http:// or https://", "default": "https://hc-ping.com", "description": "Where pings go."},
        "api-url": {"type": "string", "pattern": "^https?://", "x-timelined-hint": "a URL that begins with http:// or https://", "default": "https://healthchecks.io", "description": "Where the API is."}
      }
    }
    """

  init(_ parameters: Parameters) throws {
    url = try parameters.address("/healthchecks/url", default: "https://hc-ping.com")
    apiURL = try parameters.address("/healthchecks/api-url", default: "https://healthchecks.io")
    guard let pingKey = try Credential(parameters, "/healthchecks/credential") else {
      throw Failure(
        "the parameter /healthchecks/credential is missing: name the credential with the ping key")
    }
    self.pingKey = pingKey
    apiKey = try Credential(parameters, "/healthchecks/api-credential")
    grace = try parameters.integer("/healthchecks/grace", default: 3_600)
    guard Self.periods.contains(grace) else {
      throw Failure("the parameter /healthchecks/grace is \(grace): it must be 60 to 31536000 seconds")
    }
  }

  func requests(for report: Report) throws -> [Request] {
    let signal =
      switch report.progress {
      case .begun: "/start"
      case .succeeded: ""
      case .failed: "/fail"
      // The service shows this event and raises no alarm for it.
      case .test: "/log"
      }
    let query = "create=1" + (report.runIdentifier.map { "&rid=\($0)" } ?? "")
    let key = try pingKey.text()
    let ping = Request(
      to: "\(url)/\(key.percentEncoded)/\(report.slug)\(signal)?\(query)",
      [("Content-Type", "text/plain; charset=utf-8")], body: report.text.cut(toBytes: Self.bodyMax),
      secrets: [key])
    guard let apiKey else { return [ping] }
    let registration = Request(
      to: "\(apiURL)/api/v3/checks/", [("X-Api-Key", try apiKey.text())], json: registration(of: report))
    return [registration, ping]
  }

  /// Returns the registration of the job's check. Registering an existing check changes nothing, except that a new schedule
  /// replaces the old one.
  private func registration(of report: Report) -> String {
    var members = [
      ("name", JSONText.quoted(report.job)), ("slug", JSONText.quoted(report.slug)),
      ("unique", JSONText.array([JSONText.quoted("name")])), ("grace", String(grace)),
    ]
    switch report.schedule {
    case .cron(let rule, let zone), .calendar(let rule, let zone):
      members += [("schedule", JSONText.quoted(rule)), ("tz", JSONText.quoted(zone))]
    case .period(let seconds):
      let timeout = min(max(seconds, Self.periods.lowerBound), Self.periods.upperBound)
      members.append(("timeout", String(timeout)))
    case nil: break
    }
    return JSONText.object(members)
  }
}
