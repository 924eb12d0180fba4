import CommandSupport
import TimelinePluginKit
import TransferSupport

/// A job's settings of `notify`, checked once.
struct NotifySettings: Sendable {
  /// The services, by the protocol that they use.
  enum Service: Sendable {
    case web(any WebService)
    case mail(Mail)
  }

  let service: Service
  let limits: TransferLimits
  /// The working directory and the variables of sendmail.
  let surroundings: CommandSettings
  let runsInRehearsal: Bool

  private static let names = ["healthchecks", "mail", "ntfy", "sentry", "webhook"]

  static let schema = """
    {
      "type": "object",
      "description": "Tells a service or a person of an entry of another job. The job is named in on-failure, on-success or another reaction of that job. A run that reacts to none, such as a manual one, sends a test message. A rejection by the server fails the run; failures to connect, time-outs and the statuses 408, 425, 429 and 500 to 599 are worth another try.",
      "additionalProperties": false,
      "allOf": [
        {
          "description": "A job tells one service.",
          "oneOf": [\(names.map { "{\"required\": [\"\($0)\"]}" }.joined(separator: ", "))]
        }
      ],
      "properties": {
        "healthchecks": \(Healthchecks.schema),
        "mail": \(Mail.schema),
        "ntfy": \(Ntfy.schema),
        "sentry": \(Sentry.schema),
        "webhook": \(Webhook.schema),
        "time-limit": {
          "type": "number", "exclusiveMinimum": 0, "maximum": 3600, "default": 30,
          "description": "Seconds for each request; the job's timeout counts too if it is shorter."
        },
        "rehearse": {
          "type": "boolean", "default": false,
          "description": "Whether the service is really told in a rehearsal. Otherwise a rehearsal only says what it would tell, and succeeds."
        }
      }
    }
    """

  init(_ parameters: Parameters) throws {
    let given = Self.names.filter { parameters.kind("/\($0)") != .absent }
    guard given.count == 1, let name = given.first else {
      throw Failure(
        "the parameters name \(given.count) services: give one of \(Self.names.joined(separator: ", "))")
    }
    service =
      switch name {
      case "healthchecks": .web(try Healthchecks(parameters))
      case "mail": .mail(try Mail(parameters))
      case "ntfy": .web(try Ntfy(parameters))
      case "sentry": .web(try Sentry(parameters))
      default: .web(try Webhook(parameters))
      }
    let seconds = try parameters.number("/time-limit", default: 30)
    guard seconds > 0, seconds <= 3_600 else {
      throw Failure(
        "the parameter /time-limit is \(seconds): it must be more than 0 and at most 3600 seconds")
    }
    limits = TransferLimits(timeLimit: seconds, responseLimit: 65_536, timeKeys: "time-limit")
    surroundings = try CommandSettings(parameters)
    runsInRehearsal = try parameters.boolean("/rehearse", default: false)
  }
}
