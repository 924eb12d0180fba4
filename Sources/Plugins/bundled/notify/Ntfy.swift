import TimelinePluginKit
import TransferSupport

/// A message to a topic of an ntfy server (docs.ntfy.sh, "Publishing").
struct Ntfy: WebService {
  private let endpoint: Endpoint

  /// The largest size of a message in bytes. A longer message becomes an attachment.
  private static let messageMax = 4_096

  static let schema = """
    {
      "type": "object", "required": ["url"], "additionalProperties": false,
      "description": "A message to a topic of an ntfy server, with a high priority after a failure.",
      "properties": {
        "url": {"type": "string", "pattern": "^https?://", "x-timelined-hint": "a URL that begins with http:// or https://", "description": "The topic, such as https://ntfy.sh/backups."},
        "credential": {"type": "string", "x-timelined-credential": true, "description": "The credential of the job that holds an access token."}
      }
    }
    """

  init(_ parameters: Parameters) throws {
    endpoint = try Endpoint(parameters, "/ntfy")
  }

  func requests(for report: Report) throws -> [Request] {
    let (priority, tag) =
      switch report.progress {
      case .begun: ("default", "arrow_forward")
      case .succeeded: ("default", "white_check_mark")
      case .failed: ("high", "warning")
      case .test: ("default", "wrench")
      }
    let headers = [("Title", report.title), ("Priority", priority), ("Tags", tag)]
    return [
      Request(
        to: endpoint.url, headers + (try endpoint.authorization()),
        body: report.text.cut(toBytes: Self.messageMax))
    ]
  }
}

extension String {
  /// Returns the longest beginning of whole characters that has at most `limit` bytes.
  func cut(toBytes limit: Int) -> String {
    guard utf8.count > limit else { return self }
    var count = 0
    return String(
      prefix { character in
        count += character.utf8.count
        return count <= limit
      })
  }
}
