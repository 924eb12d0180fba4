import FoundationEssentials
import Synchronization
import TimelineClient
import TimelineControl
import TimelineCore
import TimelineJSON
import TimelineMonitoring
package import TimelineSystem

/// The server without its sockets: maps requests to replies.
package final class WebApplication: Sendable {
  private let gate: WebGate
  private let token: SecretToken?
  private let cookieName: String
  private let page: DaemonPage
  private let stage: RehearsalStage
  private let planner: ProposalPlanner
  private let simulationCount = Mutex(0)
  private let clock: @Sendable () -> MonotonicInstant
  private let sessions = Mutex(Sessions())

  /// The decision about a request.
  package enum Admission: Sendable, Hashable {
    /// The request is answered with this reply. Its body is not read.
    case refused(WebReply)
    /// The body is read, and ``reply(to:_:body:)`` returns the answer. This call may wait for the daemon.
    case admitted(WebRoute)
  }

  private struct SignIn: Decodable {
    var token: String
  }

  /// Makes a server.
  ///
  /// - Parameters:
  ///   - gate: The rules for requests.
  ///   - token: The secret for signing in; `nil` for a server that needs none.
  ///   - cookieName: The name of the session cookie, with the port: browsers send the cookies of one host to all of
  ///     its ports.
  ///   - page: The daemon.
  ///   - clock: The monotonic clock.
  package init(
    gate: WebGate, token: SecretToken?, cookieName: String, page: DaemonPage,
    clock: @escaping @Sendable () -> MonotonicInstant
  ) {
    self.gate = gate
    self.token = token
    self.cookieName = cookieName
    self.page = page
    stage = RehearsalStage(page, clock: clock)
    planner = ProposalPlanner(page, clock: clock)
    self.clock = clock
  }

  /// Finds the route of a request, or the reason to refuse it.
  package func admit(_ request: WebRequest) -> Admission {
    let route: WebRoute
    do throws(WebRoute.Failure) {
      route = try WebRoute(request)
    } catch {
      // A client that is not signed in receives no other information.
      return .refused(
        gate.refusal(of: request, needing: .nothing, isSignedIn: false) ?? Self.reply(to: error))
    }
    let isKnown = isSignedIn(request) || route.isForPrograms && hasToken(request)
    let refusal = gate.refusal(of: request, needing: route.need, isSignedIn: isKnown)
    return refusal.map { .refused($0) } ?? .admitted(route)
  }

  /// Whether a request comes from a signed-in browser or a program with the token, so that its connection keeps its place.
  package func isKnown(_ request: WebRequest) -> Bool {
    !gate.needsToken || isSignedIn(request) || hasToken(request)
  }

  /// Returns the reply to an admitted request, except ``WebRoute/events``. Waits for the daemon.
  package func reply(to route: WebRoute, _ request: WebRequest, body: [UInt8]) -> WebReply {
    guard route.isSimulation else { return plainReply(to: route, request, body: body) }
    let isFree = simulationCount.withLock { count in
      guard count < WebLimits.simulationsMax else { return false }
      count += 1
      return true
    }
    guard isFree else {
      return WebReply(status: 429, error: "others rehearse or plan at this moment: try again")
    }
    defer { simulationCount.withLock { $0 -= 1 } }
    return plainReply(to: route, request, body: body)
  }

  private func plainReply(to route: WebRoute, _ request: WebRequest, body: [UInt8]) -> WebReply {
    switch route {
    case .file(let file): file.reply
    case .session: sessionReply(isSignedIn(request))
    case .signIn: signIn(request, body)
    case .signOut: signOut(request)
    case .window(let query):
      daemonReply { () throws(FailedCall) in WebReply(json: try page.window(query)) }
    case .rehearsal(let query):
      daemonReply { () throws(FailedCall) in WebReply(json: try stage.window(query)) }
    case .plan:
      planReply(PlanQuery(body: body))
    case .story(let job, let moment):
      daemonReply { () throws(FailedCall) in WebReply(json: try page.story(job: job, moment: moment)) }
    case .metrics: daemonReply { () throws(FailedCall) in Self.metricsReply(try page.metrics()) }
    case .health: daemonReply { () throws(FailedCall) in Self.healthReply(try page.health()) }
    case .change(let kind):
      if let change = WebChange(kind, body: body) {
        daemonReply { () throws(FailedCall) in
          WebReply(
            json: JSONText.object([("message", JSONText.quoted(try page.perform(change).printable))]))
        }
      } else {
        WebReply(status: 400, error: "\(kind.rawValue): the parameters are malformed")
      }
    case .events: WebReply(status: 400, error: "events come as a stream")
    }
  }

  private func planReply(_ query: PlanQuery?) -> WebReply {
    guard let query else { return WebReply(status: 400, error: "plan: the parameters are malformed") }
    guard query.text.count <= WebLimits.proposalBytesMax else {
      return WebReply(
        status: 413, error: "plan: the configuration has more than \(WebLimits.proposalBytesMax) bytes")
    }
    return daemonReply { () throws(FailedCall) in WebReply(json: try planner.plan(query)) }
  }

  private func isSignedIn(_ request: WebRequest) -> Bool {
    guard let value = request.cookie(named: cookieName) else { return false }
    return sessions.withLock { $0.contains(value, at: clock()) }
  }

  private func hasToken(_ request: WebRequest) -> Bool {
    guard let token, let given = request.bearerToken else { return false }
    return token.matches(given)
  }

  private func sessionReply(_ isSignedIn: Bool, headers: [String: String] = [:]) -> WebReply {
    WebReply(
      json: JSONText.object([
        ("needsToken", "\(gate.needsToken)"), ("isSignedIn", "\(isSignedIn || !gate.needsToken)"),
        ("isReadOnly", "\(gate.isReadOnly)"),
      ]), headers: headers)
  }

  private func signIn(_ request: WebRequest, _ body: [UInt8]) -> WebReply {
    guard let given = try? JSONDecoder().decode(SignIn.self, from: Data(body)).token else {
      return WebReply(status: 400, error: "sign-in: expected a token")
    }
    guard token?.matches(given) == true else {
      return WebReply(status: 403, error: "sign-in: this is not the token")
    }
    let value = sessions.withLock { $0.begin(at: clock()) }
    let seconds = WebLimits.sessionLength.nanoseconds / 1_000_000_000
    let isSecure = request.origin?.lowercased().hasPrefix("https:") == true
    return sessionReply(
      true,
      headers: [
        "Set-Cookie":
          "\(cookieName)=\(value); Path=/; Max-Age=\(seconds); HttpOnly; SameSite=Strict\(isSecure ? "; Secure" : "")"
      ])
  }

  private func signOut(_ request: WebRequest) -> WebReply {
    if let value = request.cookie(named: cookieName) { sessions.withLock { $0.end(value) } }
    return sessionReply(
      false, headers: ["Set-Cookie": "\(cookieName)=; Path=/; Max-Age=0; HttpOnly; SameSite=Strict"])
  }

  private func daemonReply(_ reply: () throws(FailedCall) -> WebReply) -> WebReply {
    do throws(FailedCall) {
      return try reply()
    } catch {
      return WebReply(status: error.isRefusal ? 409 : 503, error: error.message.printable)
    }
  }

  private static func metricsReply(_ metrics: MetricsReply) -> WebReply {
    let format = ExpositionFormat.openMetrics
    return WebReply(
      type: format.mediaType, body: Array(MetricsText.text(of: metrics, as: format).utf8))
  }

  /// The verdict. Monitoring needs only the status: 503 means that an operator must act.
  private static func healthReply(_ health: Health) -> WebReply {
    let json = (try? JSONEncoder().encode(health)).map { Array($0) } ?? []
    return WebReply(status: health.isWell ? 200 : 503, type: "application/json", body: json)
  }

  private static func reply(to failure: WebRoute.Failure) -> WebReply {
    switch failure {
    case .notFound: return WebReply(status: 404, error: "nothing is here")
    case .badQuery(let reason): return WebReply(status: 400, error: reason)
    case .wrongMethod(let allowed):
      var reply = WebReply(status: 405, error: "use \(allowed)")
      reply.headers["Allow"] = allowed
      return reply
    }
  }
}
