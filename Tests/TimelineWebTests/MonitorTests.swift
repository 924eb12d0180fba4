import Testing
import TimelineClient
import TimelineClientTestSupport
import TimelineControl
import TimelineCore
import TimelineSystem
import TimelineWeb

@Suite struct `Requests of monitors to the web server` {
  /// Sends a request like a monitor's, with the token and without a cookie.
  private func ask(
    _ target: String, authorization: String? = "Bearer 0123456789abcdef", host: String = "localhost:8463",
    _ change: (inout FakeDaemon.State) -> Void = { _ in }
  ) -> WebReply {
    let clock: @Sendable () -> MonotonicInstant = { MonotonicInstant(nanosecondsSinceBoot: 0) }
    let application = WebApplication(
      gate: WebGate(hosts: ["localhost:8463"], isReadOnly: false, needsToken: true),
      token: SecretToken(contents: Array("0123456789abcdef".utf8)), cookieName: "timelined-8463",
      page: DaemonPage(of: FakeDaemon(change), machine: "test", clock: clock, zone: { _ in .utc }),
      clock: clock)
    var request = WebRequest("GET", target)
    (request.host, request.authorization) = (host, authorization)
    switch application.admit(request) {
    case .refused(let reply): return reply
    case .admitted(let route): return application.reply(to: route, request, body: [])
    }
  }

  @Test func `are answered with metrics in the format of OpenMetrics`() {
    let reply = ask("/metrics")
    let text = String(decoding: reply.body, as: UTF8.self)
    #expect(reply.status == 200)
    #expect(reply.headers["Content-Type"] == "application/openmetrics-text; version=1.0.0; charset=utf-8")
    #expect(text.contains("\ntimelined_jobs 1\n") && text.hasSuffix("# EOF\n"))
  }

  @Test func `are answered with a verdict and a matching status`() {
    let well = ask("/health")
    #expect(well.status == 200)
    #expect(String(decoding: well.body, as: UTF8.self).contains(#""isWell":true"#))
    let ill = ask("/health") { $0.status.ledgerFault = "disk full" }
    #expect(ill.status == 503)
    #expect(String(decoding: ill.body, as: UTF8.self).contains("disk full"))
    let absent = ask("/health") {
      $0.failure = FailedCall(message: "timelined does not answer", isRefusal: false)
    }
    #expect(absent.status == 503)
  }

  @Test(arguments: [
    ("/metrics", nil, 401), ("/health", nil, 401), ("/metrics", "Bearer 0123456789abcdeg", 401),
    ("/metrics", "Basic 0123456789abcdef", 401), ("/metrics", "bearer 0123456789abcdef", 200),
    // The paths of the page need the cookie.
    ("/api/window", "Bearer 0123456789abcdef", 401), ("/api/events", "Bearer 0123456789abcdef", 401),
  ])
  func `need the token, which no other path accepts`(target: String, authorization: String?, status: Int) {
    #expect(ask(target, authorization: authorization).status == status)
    #expect(ask(target, authorization: authorization, host: "elsewhere.example.org").status == 421)
  }
}
