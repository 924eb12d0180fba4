import Testing
import TimelineWeb

@Suite struct `The gate of the web server` {
  private let gate = WebGate(
    hosts: ["localhost:8463", "jobs.example.org"], isReadOnly: false, needsToken: true)

  private func request(_ method: String, _ change: (inout WebRequest) -> Void = { _ in }) -> WebRequest {
    var request = WebRequest(method, "/api/trigger")
    request.host = "localhost:8463"
    if method != "GET" {
      request.origin = "http://localhost:8463"
      request.fetchSite = "same-origin"
      request.contentType = "application/json"
    }
    change(&request)
    return request
  }

  private func status(
    _ request: WebRequest, _ need: WebGate.Need, isSignedIn: Bool = true, _ gate: WebGate? = nil
  ) -> Int? {
    (gate ?? self.gate).refusal(of: request, needing: need, isSignedIn: isSignedIn)?.status
  }

  @Test(
    arguments: [
      ("localhost:8463", nil), ("LOCALHOST:8463", nil), ("jobs.example.org", nil), ("localhost", 421),
      ("evil.example.org", 421), ("localhost:8463.evil.example.org", 421), ("", 421), (nil, 421),
    ] as [(String?, Int?)])
  func `answers requests to its own names only`(host: String?, expected: Int?) {
    #expect(status(request("GET") { $0.host = host }, .reading) == expected)
    #expect(status(request("GET") { $0.host = host }, .nothing, isSignedIn: false) == expected)
  }

  @Test(
    arguments: [
      ("http://localhost:8463", "same-origin", "application/json", nil),
      ("https://localhost:8463", "same-origin", "application/json; charset=utf-8", nil),
      ("http://localhost:9000", "same-site", "application/json", 403),
      ("http://localhost:8463", "cross-site", "application/json", 403),
      ("http://localhost:8463", nil, "application/json", 403),
      (nil, "same-origin", "application/json", 403), ("null", "same-origin", "application/json", 403),
      ("http://localhost:8463.evil.example.org", "same-origin", "application/json", 403),
      ("http://localhost:8463", "same-origin", "text/plain", 415),
      ("http://localhost:8463", "same-origin", nil, 415),
    ] as [(String?, String?, String?, Int?)])
  func `accepts changes from its own page only`(
    origin: String?, site: String?, type: String?, expected: Int?
  ) {
    let change = request("POST") { request in
      (request.origin, request.fetchSite, request.contentType) = (origin, site, type)
    }
    #expect(status(change, .changing) == expected)
  }

  @Test(
    arguments: [("same-origin", nil), ("none", nil), (nil, nil), ("cross-site", 403), ("same-site", 403)]
      as [(String?, Int?)])
  func `refuses all requests of other sites`(site: String?, expected: Int?) {
    #expect(status(request("GET") { $0.fetchSite = site }, .reading) == expected)
  }

  @Test func `needs a sign-in for all but the page`() {
    #expect(status(request("GET"), .nothing, isSignedIn: false) == nil)
    #expect(status(request("GET"), .reading, isSignedIn: false) == 401)
    #expect(status(request("POST"), .changing, isSignedIn: false) == 401)
  }

  @Test func `allows reading and refuses changes if it is read-only`() {
    let gate = WebGate(hosts: ["localhost:8463"], isReadOnly: true, needsToken: false)
    #expect(status(request("GET"), .reading, isSignedIn: false, gate) == nil)
    #expect(status(request("POST"), .changing, isSignedIn: false, gate) == 403)
    #expect(status(request("POST"), .changing, isSignedIn: true, gate) == 403)
  }

  @Test func `forbids scripts of other origins, frames and forms`() {
    let policy = WebReply.securityHeaders["Content-Security-Policy"] ?? ""
    let rules = Set(policy.split(separator: ";").map { $0.trimmingPrefix(" ") }.map(String.init))
    #expect(
      rules.isSuperset(of: [
        "default-src 'none'", "script-src 'self'", "style-src 'self'", "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'", "require-trusted-types-for 'script'",
      ]))
    #expect(!policy.contains("unsafe"))
  }
}
