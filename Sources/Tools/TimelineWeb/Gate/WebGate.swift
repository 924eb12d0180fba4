/// The rules by which a request is answered or refused.
///
/// - Each request must name one of the allowed hosts; this prevents DNS rebinding.
/// - If the server needs a token, a request that reads or changes something must be signed in.
/// - A change must come from this server's own page, as the headers `Origin` and `Sec-Fetch-Site` show. Reading never
///   changes anything.
package struct WebGate: Sendable, Hashable {
  /// Access that a request needs.
  package enum Need: Sendable, Hashable {
    /// Files of the page, and signing in.
    case nothing
    /// Reports of the daemon.
    case reading
    /// A change of the daemon.
    case changing
  }

  /// The hosts that a request may name, in lower case and with their ports.
  package var hosts: Set<String>
  package var isReadOnly: Bool
  /// Whether requests that read or change something must be signed in.
  package var needsToken: Bool

  package init(hosts: Set<String>, isReadOnly: Bool, needsToken: Bool) {
    self.hosts = hosts
    self.isReadOnly = isReadOnly
    self.needsToken = needsToken
  }

  /// Returns the reason to refuse a request; `nil` if the request is allowed.
  package func refusal(of request: WebRequest, needing need: Need, isSignedIn: Bool) -> WebReply? {
    guard let host = request.host?.lowercased(), hosts.contains(host) else {
      return WebReply(
        status: 421,
        error:
          "host \((request.host ?? "").debugDescription): not one of this server's names: start it with --host"
      )
    }
    if need != .nothing, let site = request.fetchSite, site != "same-origin", site != "none" {
      return WebReply(status: 403, error: "request of another site: open this server's own page")
    }
    if request.method != "GET" {
      guard isSameOrigin(request, host), request.fetchSite == "same-origin" else {
        return WebReply(status: 403, error: "request of another origin: use this server's own page")
      }
      guard request.contentType?.split(separator: ";").first == "application/json" else {
        return WebReply(status: 415, error: "body of another type: send application/json")
      }
    }
    if need != .nothing, needsToken, !isSignedIn {
      return WebReply(status: 401, error: "not signed in: sign in with the token")
    }
    if need == .changing, isReadOnly {
      return WebReply(
        status: 403, error: "this server is read-only: use timelinectl, or start it without --read-only")
    }
    return nil
  }

  /// Whether the request comes from a page of the host that it names, directly or behind a TLS proxy.
  private func isSameOrigin(_ request: WebRequest, _ host: String) -> Bool {
    let origin = request.origin?.lowercased()
    return origin == "http://\(host)" || origin == "https://\(host)"
  }
}
