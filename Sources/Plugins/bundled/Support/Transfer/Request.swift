import PluginSupport

/// One request with the values of a run.
package struct Request {
  /// In capital letters.
  package var method: String
  package var url: String
  /// Headers in addition to libcurl's own.
  package var headers: [(name: String, value: String)]
  package var body: String?
  /// The method and the URL without user, password and query, for messages.
  package var words: String
  /// The secrets in the request, which the server may quote.
  package var secrets: Secrets

  /// Makes a request. The password of the URL is a secret. So are values of headers and of the query whose names suggest a
  /// secret, such as `token`.
  ///
  /// - Parameter secrets: Further secrets.
  package init(
    method: String, url: String, headers: [(name: String, value: String)] = [], body: String? = nil,
    words: String? = nil, secrets: [String] = []
  ) {
    let address = WebAddress(url)
    (self.method, self.url, self.headers, self.body) = (method, url, headers, body)
    self.words = words ?? "\(method) \(address.shown)"
    self.secrets = Secrets(
      secrets + address.secrets
        + headers.filter { SecretName.fits($0.name) }.flatMap { Self.secrets(in: $0.value) })
  }

  /// Returns the value of a header and its parts that are secrets: `Bearer TOKEN`, `NAME=TOKEN; NAME=TOKEN`.
  private static func secrets(in value: String) -> [String] {
    let words = value.split { " ;,".contains($0) }
    let hasScheme = words.count > 1 && !words[0].contains("=")
    let parts = words.dropFirst(hasScheme ? 1 : 0).map {
      String($0.split(separator: "=", maxSplits: 1).last ?? $0)
    }
    return [value] + parts.filter(SecretName.isLongEnough)
  }

  /// Whether the request has a header with that name.
  package func sets(_ name: String) -> Bool {
    headers.contains { $0.name.lowercased() == name.lowercased() }
  }

  /// The body that is sent. If there is no body, a method that is defined with one sends an empty body (RFC 9110, 8.6).
  var sentBody: String? { body ?? (["POST", "PUT", "PATCH"].contains(method) ? "" : nil) }
}

/// The response to the request.
package struct Response {
  package var status: Int64
  /// The beginning of the body, at most 64 KiB, without the secrets of the request.
  package var body: String
  /// Length of the whole body in bytes.
  package var length: Int
  /// The time that the request took, in microseconds.
  package var microseconds: Int64
  /// Whether a redirect led to another server.
  package var isOfOtherServer = false
  /// The absolute URL of a redirect; `nil` for any other response.
  var location: String?

  /// Whether a retry of the same request may succeed.
  package var isTransient: Bool { [408, 425, 429].contains(status) || (500...599).contains(status) }

  /// The first line of the body after a colon; empty if the body has no line to show.
  package var quote: String {
    let line = body.split(whereSeparator: \.isNewline).first ?? ""
    let text = line.prefix(200).filter {
      !$0.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0xFFFD }
    }
    return text.isEmpty ? "" : ": \(text)"
  }
}
