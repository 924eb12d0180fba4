import Synchronization
import Testing
import TimelineClient
import TimelineClientTestSupport
import TimelineCore
import TimelineSystem
import TimelineWeb

@Suite struct `Signing in to the web page` {
  /// A clock that the test moves.
  private final class ManualClock: Sendable {
    private let seconds = Mutex<Int64>(0)
    func turn(by count: Int64) { seconds.withLock { $0 += count } }
    var now: MonotonicInstant {
      MonotonicInstant(nanosecondsSinceBoot: seconds.withLock { $0 } * 1_000_000_000)
    }
  }

  private let clock = ManualClock()
  private let application: WebApplication

  init() {
    let read: @Sendable () -> MonotonicInstant = { [clock] in clock.now }
    application = WebApplication(
      gate: WebGate(hosts: ["localhost:8463"], isReadOnly: false, needsToken: true),
      token: SecretToken(contents: Array("0123456789abcdef\n".utf8)), cookieName: "timelined-8463",
      page: DaemonPage(of: FakeDaemon(), machine: "test", clock: read, zone: { _ in .utc }), clock: read)
  }

  private func reply(
    _ method: String, _ target: String, cookie: String? = nil, body: String = "",
    origin: String = "http://localhost:8463"
  ) -> WebReply {
    var request = WebRequest(method, target)
    (request.host, request.origin, request.fetchSite) = ("localhost:8463", origin, "same-origin")
    (request.contentType, request.cookie) = ("application/json", cookie)
    switch application.admit(request) {
    case .refused(let reply): return reply
    case .admitted(let route): return application.reply(to: route, request, body: Array(body.utf8))
    }
  }

  /// The cookie of a sign-in, as a browser sends it back.
  private func signIn() -> String? {
    let reply = reply("POST", "/api/session", body: #"{"token":"0123456789abcdef"}"#)
    return reply.headers["Set-Cookie"]?.split(separator: ";").first.map(String.init)
  }

  @Test func `exchanges the token for a cookie that no script reads`() throws {
    let reply = reply("POST", "/api/session", body: #"{"token":"0123456789abcdef"}"#)
    let cookie = try #require(reply.headers["Set-Cookie"])
    #expect(reply.status == 200)
    #expect(cookie.hasSuffix("; Path=/; Max-Age=43200; HttpOnly; SameSite=Strict"))
    #expect(self.reply("GET", "/api/window", cookie: signIn()).status == 200)
  }

  @Test func `marks the cookie as secure behind a proxy with TLS`() {
    let reply = reply(
      "POST", "/api/session", body: #"{"token":"0123456789abcdef"}"#, origin: "https://localhost:8463")
    #expect(reply.headers["Set-Cookie"]?.hasSuffix("; Secure") == true)
  }

  @Test(arguments: [
    #"{"token":"0123456789abcdeg"}"#, #"{"token":"0123456789abcde"}"#, #"{"token":"0123456789abcdef0"}"#,
    #"{"token":""}"#,
  ])
  func `refuses another token`(body: String) {
    let reply = reply("POST", "/api/session", body: body)
    #expect(reply.status == 403)
    #expect(reply.headers["Set-Cookie"] == nil)
  }

  @Test(arguments: [
    nil, "timelined-8463=", "timelined-8463=0", "timelined-9000=0", "other",
  ])
  func `shows nothing without the cookie`(cookie: String?) {
    for target in ["/api/window", "/api/story?job=a&at=now", "/api/events"] {
      #expect(reply("GET", target, cookie: cookie).status == 401)
    }
    #expect(reply("POST", "/api/trigger", cookie: cookie, body: #"{"job":"a"}"#).status == 401)
    #expect(reply("GET", "/", cookie: cookie).status == 200)
  }

  @Test func `lasts twelve hours`() {
    let cookie = signIn()
    clock.turn(by: 12 * 3_600 - 1)
    #expect(reply("GET", "/api/window", cookie: cookie).status == 200)
    clock.turn(by: 1)
    #expect(reply("GET", "/api/window", cookie: cookie).status == 401)
  }

  @Test func `ends when the browser signs out`() {
    let (cookie, other) = (signIn(), signIn())
    #expect(reply("DELETE", "/api/session", cookie: cookie).status == 200)
    #expect(reply("GET", "/api/window", cookie: cookie).status == 401)
    #expect(reply("GET", "/api/window", cookie: other).status == 200)
  }

  @Test func `has a limit of browsers, and signs the first one out for another`() {
    let cookies = (0...WebLimits.sessionsMax).map { _ in signIn() }
    #expect(Set(cookies).count == WebLimits.sessionsMax + 1)
    #expect(reply("GET", "/api/window", cookie: cookies.first ?? nil).status == 401)
    #expect(reply("GET", "/api/window", cookie: cookies.last ?? nil).status == 200)
  }

  @Test(arguments: [
    ("0123456789abcdef", true), (" 0123456789abcdef\r\n", true), ("0123456789abcde", false),
    ("0123456789 abcdef", false), ("0123456789abcdef\n0123456789abcdef", false), ("", false),
    (String(repeating: "a", count: 256), true), (String(repeating: "a", count: 257), false),
  ])
  func `accepts tokens within the length limits and without blanks`(contents: String, isToken: Bool) {
    #expect((SecretToken(contents: Array(contents.utf8)) != nil) == isToken)
  }

  @Test func `passes changes on to the daemon`() {
    let reply = reply("POST", "/api/trigger", cookie: signIn(), body: #"{"job":"a"}"#)
    #expect(reply.status == 200)
    #expect(String(decoding: reply.body, as: UTF8.self) == #"{"message":"a: run 7 started"}"#)
    let refused = self.reply("POST", "/api/resume", cookie: signIn(), body: #"{"job":"a"}"#)
    #expect(refused.status == 409)
  }
}
