import TimelinePluginKit
import TransferSupport

/// All facts of the entry as JSON, sent to any server.
struct Webhook: WebService {
  private let endpoint: Endpoint

  static let schema = """
    {
      "type": "object", "required": ["url"], "additionalProperties": false,
      "description": "The facts of the other job's entry, as in TIMELINE_UPSTREAM, by POST. The plugin http has templates, headers and other methods.",
      "properties": {
        "url": {"type": "string", "pattern": "^https?://", "x-timelined-hint": "a URL that begins with http:// or https://", "description": "Where the JSON goes."},
        "credential": {"type": "string", "x-timelined-credential": true, "description": "The credential of the job that holds a bearer token."}
      }
    }
    """

  init(_ parameters: Parameters) throws {
    endpoint = try Endpoint(parameters, "/webhook")
  }

  func requests(for report: Report) throws -> [Request] {
    [Request(to: endpoint.url, try endpoint.authorization(), json: report.json)]
  }
}
