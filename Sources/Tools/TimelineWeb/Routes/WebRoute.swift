import TimelineCore

/// A resource that a browser can request.
package enum WebRoute: Sendable, Hashable {
  case file(PageFile)
  /// Whether the browser is signed in, and its rights.
  case session
  /// Signing in with a token, which is the body.
  case signIn
  case signOut
  /// The jobs in a window of time.
  case window(WindowQuery)
  /// A rehearsal of the jobs in a window of time.
  case rehearsal(RehearsalQuery)
  /// The effects of a proposed configuration, which is the body. The request changes nothing.
  case plan
  /// The explanation of one entry of a job.
  case story(job: String, moment: String)
  /// Metrics of the daemon and its jobs, for Prometheus.
  case metrics
  /// The verdict on the daemon.
  case health
  /// The stream of events.
  case events
  /// A change of the daemon, whose parameters are the body.
  case change(WebChange.Kind)

  /// Reasons why a request has no route.
  package enum Failure: Error, Sendable, Hashable {
    case notFound
    /// The path accepts only these methods.
    case wrongMethod(allowed: String)
    /// The query is malformed, for this reason.
    case badQuery(String)
  }

  /// The right that the route needs.
  package var need: WebGate.Need {
    switch self {
    case .file, .session, .signIn, .signOut: .nothing
    case .window, .rehearsal, .plan, .story, .metrics, .health, .events: .reading
    case .change: .changing
    }
  }

  /// Whether a program may use the token itself, without a cookie.
  var isForPrograms: Bool { self == .metrics || self == .health }

  /// Maximum number of bytes of the request's body.
  package var bodyBytesMax: Int { self == .plan ? 2 * WebLimits.proposalBytesMax : WebLimits.bodyBytesMax }

  /// Whether the reply needs a simulation, which takes a processor for a while.
  var isSimulation: Bool {
    switch self {
    case .rehearsal, .plan: true
    default: false
    }
  }

  /// Finds the route of a request.
  package init(_ request: WebRequest) throws(Failure) {
    func require(_ methods: String...) throws(Failure) {
      guard methods.contains(request.method) else {
        throw .wrongMethod(allowed: methods.joined(separator: ", "))
      }
    }
    switch request.path {
    case "/api/session":
      try require("GET", "POST", "DELETE")
      self = request.method == "GET" ? .session : request.method == "POST" ? .signIn : .signOut
    case "/api/events":
      try require("GET")
      self = .events
    case "/api/window":
      try require("GET")
      self = .window(try WindowQuery(Self.query(request)))
    case "/api/rehearsal":
      try require("GET")
      self = .rehearsal(try RehearsalQuery(Self.query(request)))
    case "/api/plan":
      try require("POST")
      self = .plan
    case "/api/story":
      try require("GET")
      let query = try Self.query(request)
      guard let job = query["job"], let moment = query["at"] else { throw .badQuery("expected job and at") }
      self = .story(job: job, moment: moment)
    case "/metrics":
      try require("GET")
      self = .metrics
    case "/health":
      try require("GET")
      self = .health
    default:
      if let kind = WebChange.Kind.allCases.first(where: { request.path == "/api/\($0.rawValue)" }) {
        try require("POST")
        self = .change(kind)
      } else if let file = PageFile(path: request.path) {
        try require("GET")
        self = .file(file)
      } else {
        throw .notFound
      }
    }
  }

  private static func query(_ request: WebRequest) throws(Failure) -> QueryText {
    guard let query = QueryText(request.query) else { throw .badQuery("the query is malformed") }
    return query
  }
}
