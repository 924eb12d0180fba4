import PluginSupport
import TimelinePluginKit
import TransferSupport

/// A service that receives reports by HTTP requests.
protocol WebService: Sendable {
  /// Returns the requests for a report in the order of sending. The first request that fails ends the run.
  func requests(for report: Report) throws -> [Request]
}

/// The address of a service, and the credential with the token for it.
struct Endpoint: Sendable {
  let url: String
  private let token: Credential?

  /// Reads `url` and `credential` in the table at `pointer`.
  init(_ parameters: Parameters, _ pointer: String) throws {
    url = try parameters.address("\(pointer)/url")
    token = try Credential(parameters, "\(pointer)/credential")
  }

  /// Returns the header with the token (RFC 6750); empty if the job names no credential.
  func authorization() throws -> [(name: String, value: String)] {
    try token.map { [("Authorization", "Bearer \(try $0.text())")] } ?? []
  }
}

extension Request {
  /// Makes a POST. Messages show only the host, because the rest of the URL can contain a key and is treated as a secret.
  init(
    to url: String, _ headers: [(name: String, value: String)] = [], body: String, secrets: [String] = []
  ) {
    let address = WebAddress(url)
    self.init(
      method: "POST", url: url, headers: headers, body: body, words: "the request to \(address.host)",
      secrets: secrets + address.targets)
  }

  /// Makes a POST of JSON.
  init(
    to url: String, _ headers: [(name: String, value: String)] = [], json: String, secrets: [String] = []
  ) {
    self.init(to: url, headers + [("Content-Type", "application/json")], body: json, secrets: secrets)
  }
}

extension Parameters {
  /// Reads the address of a service, and removes a slash at its end.
  func address(_ pointer: String, default absent: String? = nil) throws -> String {
    let text = try absent.map { try self.text(pointer, default: $0) } ?? self.text(pointer)
    let hasScheme = text.hasPrefix("https://") || text.hasPrefix("http://")
    guard hasScheme, !text.contains(where: { $0.isWhitespace || $0.isNewline }) else {
      throw Failure(
        "the parameter \(pointer) must be a URL that begins with https:// or http://, without blanks")
    }
    return text.hasSuffix("/") ? String(text.dropLast()) : text
  }
}
