import Testing
import TimelineControl
import TimelineCore
import TimelineWeb

/// The route to a file of the page.
private func file(_ path: String) -> Result<WebRoute, WebRoute.Failure> {
  PageFile(path: path).map { .success(.file($0)) } ?? .failure(.notFound)
}

@Suite struct `Routes of the web server` {
  private func route(_ method: String, _ target: String) -> Result<WebRoute, WebRoute.Failure> {
    Result { () throws(WebRoute.Failure) in try WebRoute(WebRequest(method, target)) }
  }

  @Test(
    arguments: [
      ("GET", "/", file("/")), ("GET", "/main.js", file("/main.js")),
      ("GET", "/api/session", .success(.session)), ("POST", "/api/session", .success(.signIn)),
      ("DELETE", "/api/session", .success(.signOut)), ("GET", "/api/events", .success(.events)),
      ("POST", "/api/pause", .success(.change(.pause))), ("GET", "/metrics", .success(.metrics)),
      ("GET", "/health", .success(.health)), ("POST", "/metrics", .failure(.wrongMethod(allowed: "GET"))),
      (
        "GET", "/api/story?job=a%20b&at=2027-01-01T00:00:00Z",
        .success(.story(job: "a b", moment: "2027-01-01T00:00:00Z"))
      ),
      ("GET", "/api/window", .success(.window(WindowQuery()))),
      (
        "GET", "/api/window?from=1000&length=60000&columns=300&filter=a+-b",
        .success(
          .window(
            WindowQuery(
              from: WallInstant(secondsSinceEpoch: 1), length: .minutes(1), columns: 300, filter: "a -b")))
      ),
      (
        "GET", "/api/rehearsal?start=1000&at=2000&columns=300",
        .success(
          .rehearsal(
            RehearsalQuery(
              start: WallInstant(secondsSinceEpoch: 1), now: WallInstant(secondsSinceEpoch: 2),
              window: WindowQuery(columns: 300))))
      ),
      ("GET", "/api/rehearsal?at=x", .failure(.badQuery("at: expected a whole number"))),
      ("POST", "/api/plan", .success(.plan)), ("GET", "/api/plan", .failure(.wrongMethod(allowed: "POST"))),
      ("GET", "/rehearsal", file("/rehearsal")), ("GET", "/what-if", file("/what-if")),
      ("GET", "/../etc/passwd", .failure(.notFound)), ("GET", "/index.html", .failure(.notFound)),
      ("POST", "/", .failure(.wrongMethod(allowed: "GET"))),
      ("GET", "/api/trigger", .failure(.wrongMethod(allowed: "POST"))),
      ("GET", "/api/story?job=a", .failure(.badQuery("expected job and at"))),
      ("GET", "/api/window?from=x", .failure(.badQuery("from: expected a whole number"))),
      ("GET", "/api/window?filter=%zz", .failure(.badQuery("the query is malformed"))),
      ("GET", "/api/window?filter=%ff", .failure(.badQuery("the query is malformed"))),
    ] as [(String, String, Result<WebRoute, WebRoute.Failure>)])
  func `are found by method and path`(
    method: String, target: String, expected: Result<WebRoute, WebRoute.Failure>
  ) {
    #expect(route(method, target) == expected)
  }

  @Test(arguments: [
    ("length=1", WindowQuery(length: .milliseconds(100))),
    ("length=9223372036854775807", WindowQuery(length: .days(732))),
    ("columns=0", WindowQuery(columns: 1)), ("columns=100000", WindowQuery(columns: 4_000)),
  ])
  func `keep to the limits of a window`(query: String, expected: WindowQuery) {
    #expect(route("GET", "/api/window?\(query)") == .success(.window(expected)))
  }

  @Test func `refuse a filter that is too long`() {
    let filter = String(repeating: "a", count: WebLimits.filterLengthMax + 1)
    #expect(
      route("GET", "/api/window?filter=\(filter)") == .failure(.badQuery("filter: at most 200 characters")))
  }

  @Test(
    arguments: [
      (.trigger, #"{"job":"a"}"#, .trigger(job: "a")),
      (.pause, #"{"job":"a","reason":"disk"}"#, .pause(job: "a", reason: "disk")),
      (.pause, #"{"job":"a","reason":""}"#, .pause(job: "a", reason: nil)),
      (.resume, #"{"job":"a"}"#, .resume(job: "a")), (.cancel, #"{"run":7}"#, .cancel(run: 7)),
      (.cancel, #"{"run":-7}"#, nil), (.cancel, #"{"job":"a"}"#, nil), (.trigger, "{}", nil),
      (.trigger, "", nil),
    ] as [(WebChange.Kind, String, WebChange?)])
  func `read changes`(kind: WebChange.Kind, body: String, expected: WebChange?) {
    #expect(WebChange(kind, body: Array(body.utf8)) == expected)
  }

  @Test func `refuse a reason that the daemon would refuse`() {
    let reason = String(repeating: "a", count: ControlLimits.reasonBytesMax + 1)
    #expect(WebChange(.pause, body: Array(#"{"job":"a","reason":"\#(reason)"}"#.utf8)) == nil)
  }

  @Test func `have a page of at most 100 kB that names no other server`() {
    var size = 0
    for file in PageFile.all {
      let text = String(decoding: file.reply.body, as: UTF8.self)
      size += text.utf8.count
      #expect(!text.isEmpty, "\(file.path)")
      // Indentation is left out, which a string over several lines would miss.
      for line in text.split(separator: "\n") {
        #expect(!line.hasPrefix(" ") && line.count { $0 == "`" }.isMultiple(of: 2), "\(file.path): \(line)")
      }
      // The name of a format, which nothing is loaded from.
      let links = text.replacing("http://www.w3.org/2000/svg", with: "")
      #expect(!links.contains("http://") && !links.contains("https://"), "\(file.path)")
      for word in [
        "innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "onclick=", " style=",
      ] {
        #expect(!text.contains(word), "\(file.path): \(word)")
      }
    }
    #expect(size < 100_000)
  }
}
