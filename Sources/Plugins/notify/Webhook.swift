import PluginSupport
import TimelinePluginKit
import TransferSupport

/// All facts of the entry as JSON, to any server.
struct Webhook: WebService {
  private let url: String
  private let token: Credential?

  static let schema = """
    {
      "type": "object", "required": ["url"], "additionalProperties": false,
      "description": "The facts of the other job's entry, as in TIMELINE_UPSTREAM, by POST. The plugin http has templates, headers and other methods.",
      "properties": {
        "url": {"type": "string", "pattern": "^https?://", "description": "Where the JSON goes."},
        "credential": {"type": "string", "description": "The credential of the job that holds a bearer token."}
      }
    }
    """

  init(_ parameters: Parameters) throws {
    url = try parameters.address("/webhook/url")
    token = try Credential(parameters, "/webhook/credential")
  }

  func requests(for report: Report) throws -> [Request] {
    let headers = try token.map { [("Authorization", "Bearer \(try $0.text())")] } ?? []
    return [Request(to: url, headers, json: report.json)]
  }
}
