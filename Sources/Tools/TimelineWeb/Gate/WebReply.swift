import TimelineJSON

/// A reply to an HTTP request.
package struct WebReply: Sendable, Hashable {
  package var status: Int
  /// Headers besides those of ``securityHeaders``.
  package var headers: [String: String]
  package var body: [UInt8]

  /// Makes a reply whose body has the media type `type`.
  package init(status: Int = 200, type: String, body: [UInt8], headers: [String: String] = [:]) {
    self.status = status
    self.headers = headers.merging(["Content-Type": type]) { $1 }
    self.body = body
  }

  /// Makes a reply of JSON text.
  package init(status: Int = 200, json: String, headers: [String: String] = [:]) {
    self.init(status: status, type: "application/json", body: Array(json.utf8), headers: headers)
  }

  /// Makes a reply with an error message.
  package init(status: Int, error: String) {
    self.init(status: status, json: JSONText.object([("error", JSONText.quoted(error))]))
  }

  /// Headers of each reply. The page runs only its own scripts, cannot be shown in a frame, and is not stored by the browser.
  package static let securityHeaders = [
    "Cache-Control": "no-store",
    "Content-Security-Policy": """
    default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; \
    base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'
    """,
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
  ]
}
