/// The parts of an HTTP request that determine its route and admission.
package struct WebRequest: Sendable, Hashable {
  /// The method, in capitals.
  package var method: String
  /// The path, without the query.
  package var path: String
  /// The query, without the question mark; may be empty.
  package var query: String
  /// The authority that the client names, with its port.
  package var host: String?
  /// The origin of the page that makes the request.
  package var origin: String?
  /// The relation of the requesting page to this server, as the browser reports it (Fetch Metadata).
  package var fetchSite: String?
  package var cookie: String?
  /// The credentials of a program, `Bearer` and a token (RFC 6750).
  package var authorization: String?
  package var contentType: String?

  /// Makes a request without headers.
  package init(_ method: String, _ target: String) {
    self.method = method
    let parts = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    path = parts.first.map(String.init) ?? "/"
    query = parts.count > 1 ? String(parts[1]) : ""
  }

  /// The token of a program; `nil` for none.
  var bearerToken: String? {
    guard let parts = authorization?.split(separator: " ", maxSplits: 1), parts.count == 2,
      parts[0].lowercased() == "bearer"
    else { return nil }
    return String(parts[1])
  }

  /// The value of a cookie; `nil` if there is none of that name.
  func cookie(named name: String) -> String? {
    for pair in cookie?.split(separator: ";") ?? [] {
      let parts = pair.drop { $0 == " " }.split(separator: "=", maxSplits: 1)
      if parts.count == 2, parts[0] == name { return String(parts[1]) }
    }
    return nil
  }
}
