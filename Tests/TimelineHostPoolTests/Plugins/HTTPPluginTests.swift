import Foundation
import Testing
import TimelineCore
import TimelineEngine
import TimelineHostPool
import TimelineSystem
import TimelineTestSupport

@Suite struct `The plugin http` {
  struct Case: CustomTestStringConvertible, Sendable {
    var path: String
    var more = ""
    var status = AttemptResult.Status.succeeded
    var retry = false
    var message = ""
    var testDescription: String { "\(path) \(more)" }
  }

  @Test(arguments: [
    Case(path: "/status/200", message: "200, 16 bytes: as you wish"),
    Case(path: "/status/204"),
    Case(path: "/status/404", status: .failed, message: "got the status 404 where 200 to 299 was expected"),
    Case(path: "/status/404", more: #", "expected-status": 404"#, message: "404"),
    Case(
      path: "/status/200", more: #", "expected-status": [201, 202]"#, status: .failed, message: "201 or 202"),
    Case(path: "/status/500", status: .failed, retry: true, message: "500"),
    Case(path: "/status/503", status: .failed, retry: true, message: "503"),
    Case(path: "/status/429", status: .failed, retry: true, message: "429"),
    Case(path: "/redirect", status: .failed, message: "set follow-redirects = true"),
    Case(path: "/redirect", more: #", "follow-redirects": true"#, message: "200"),
    Case(path: "/big", more: #", "response-limit": 100"#, status: .failed, message: "more than 100 bytes"),
    Case(path: "/big", message: "10000 bytes"),
    Case(path: "/break", status: .failed, retry: true, message: "broke off"),
    Case(
      path: "/silence", more: #", "time-limit": 0.2"#, status: .failed, retry: true,
      message: "raise time-limit"),
    Case(path: "/status/200", more: #", "method": "get""#, status: .failed, message: "capital letters"),
    Case(path: "/{when}", status: .failed, message: "unknown placeholder {when}"),
    Case(path: "/status/200", more: #", "time-limit": -1"#, status: .failed, message: "more than 0"),
    Case(
      path: "/status/200", more: #", "headers": {"a b": "c"}"#, status: .failed, message: "is not a header"),
  ])
  func `the status of the response decides on the result`(example: Case) throws {
    let server = try LoopbackServer()
    let stage = try Stage(Fixtures.bundled)
    let end = try stage.run("http", parameters: "{\"url\": \"\(server.url(example.path))\"\(example.more)}")
    #expect(end.outcome.status == example.status, "\(end.outcome.message)")
    #expect(end.outcome.isWorthRetrying == example.retry, "\(end.outcome.message)")
    #expect(
      example.message.isEmpty || end.outcome.message.contains(example.message), "\(end.outcome.message)")
  }

  /// Functions of a library in place of libcurl: an old one, and one that fails to start.
  static let libraries: [(functions: [String], isWorthRetrying: Bool, message: String)] = [
    (
      ["global_init", "easy_init"], false,
      "undefined symbol: curl_easy_reset: install libcurl 7.68 or later (Debian: libcurl4)"
    ),
    (
      [
        "global_init", "easy_init", "easy_reset", "easy_cleanup", "easy_setopt", "easy_getinfo",
        "easy_strerror",
        "slist_append", "slist_free_all", "multi_init", "multi_cleanup", "multi_add_handle",
        "multi_remove_handle", "multi_perform", "multi_poll", "multi_info_read", "multi_wakeup",
      ], true, "libcurl could not be started: the machine is short of memory"
    ),
  ]

  @Test(arguments: libraries.indices)
  func `an old libcurl fails for good, and one that does not start is worth a retry`(index: Int) throws {
    let (functions, isWorthRetrying, message) = Self.libraries[index]
    let directory = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).path
    defer { try? FileManager.default.removeItem(atPath: directory) }
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    // Each function returns CURLE_OUT_OF_MEMORY, regardless of its type.
    let source = functions.map { "long curl_\($0)(void) { return 27; }\n" }.joined()
    try source.write(toFile: "\(directory)/curl.c", atomically: true, encoding: .utf8)
    try shell("cc", "-shared", "-fPIC", "-o", "\(directory)/libcurl.so.4", "\(directory)/curl.c")
    let stage = try Stage(Fixtures.bundled) { $0.environment["LD_LIBRARY_PATH"] = directory }
    let end = try stage.run("http", parameters: #"{"url": "http://127.0.0.1/"}"#)
    #expect(end.outcome.status == .failed && end.outcome.isWorthRetrying == isWorthRetrying)
    #expect(end.outcome.message.hasSuffix(message), "\(end.outcome.message)")
  }

  @Test func `jobs that take turns each keep a connection`() throws {
    let server = try LoopbackServer()
    let stage = try Stage(Fixtures.bundled)
    let rounds = try (1...3).map { _ in
      try (1...6).map { job in
        try stage.run("http", job: "job\(job)", parameters: "{\"url\": \"\(server.url("/kept"))\"}").result
      }
    }
    #expect(rounds[0] == (1...6).map { "200, 12 bytes: connection \($0)" })
    #expect(rounds[1] == rounds[0] && rounds[2] == rounds[0])
  }

  @Test func `a request contains the parameters of the job and the values of the run`() throws {
    let server = try LoopbackServer()
    let stage = try Stage(Fixtures.bundled)
    let end = try stage.run(
      "http", job: "told",
      parameters: """
        {"url": "\(server.url("/echo/{job}?at={nominal}"))", "method": "PUT", "body": "{{}attempt {attempt}",
         "headers": {"X-Job": "{job}"}}
        """)
    #expect(end.outcome.status == .succeeded, "\(end.outcome.message)")
    #expect(end.result?.contains("PUT /echo/told?at=2027-01-15T08:00:00Z HTTP/1.1") == true, "\(end)")
  }

  @Test func `a request of a reaction contains its upstream, without line ends in headers`() throws {
    let server = try LoopbackServer()
    let stage = try Stage(Fixtures.bundled)
    let end = try stage.run(
      "http",
      parameters: """
        {"url": "\(server.url("/echo/{upstream-job}"))", "body": "{upstream}", "headers": {"X-Why": "{upstream-reason}"},
         "response-limit": 10000}
        """
    ) {
      $0.attempt.upstream = .sample
      $0.attempt.upstream?.reason = "no disk\r\nX-Evil: yes"
    }
    #expect(end.result?.contains("POST /echo/backup HTTP/1.1") == true, "\(end)")
    let sent = server.received
    #expect(sent.contains("X-Why: no disk  X-Evil: yes\r\n"), "\(sent)")
    #expect(sent.contains("Content-Type: application/json\r\n"))
    #expect(sent.contains(#"{"attempts":2,"cause":"schedule","endedAt":""#))
  }

  @Test func `a value of a run stays in its part of the URL`() throws {
    let server = try LoopbackServer()
    let stage = try Stage(Fixtures.bundled)
    let end = try stage.run(
      "http",
      parameters: "{\"url\": \"\(server.url("/echo/{upstream-job}?a={upstream-reason}&b={nominal}"))\"}"
    ) {
      $0.attempt.upstream = .sample
      $0.attempt.upstream?.reason = "no disk & #1/\u{E9}?\n~-._%"
    }
    #expect(end.outcome.status == .succeeded, "\(end.outcome.message)")
    #expect(
      server.received.hasPrefix(
        "GET /echo/backup?a=no%20disk%20%26%20%231%2F%C3%A9%3F%0A~-._%25&b=2027-01-15T08:00:00Z HTTP/1.1\r\n"),
      "\(server.received)")
  }

  @Test(
    arguments: [
      ("POST", "data", 301, "GET", ""), ("POST", "data", 302, "GET", ""), ("POST", "data", 303, "GET", ""),
      ("POST", "data", 307, "POST", "data"), ("POST", "data", 308, "POST", "data"),
      ("PUT", "data", 302, "PUT", "data"), ("PUT", "data", 303, "GET", ""),
      ("PUT", "data", 307, "PUT", "data"),
      ("PATCH", "data", 301, "PATCH", "data"), ("PATCH", "data", 303, "GET", ""),
      ("DELETE", nil, 302, "DELETE", ""), ("DELETE", nil, 303, "GET", ""),
      ("DELETE", nil, 308, "DELETE", ""), ("DELETE", "data", 303, "GET", ""),
      ("GET", nil, 303, "GET", ""), ("HEAD", nil, 303, "HEAD", ""), ("POST", nil, 303, "GET", ""),
      ("POST", nil, 307, "POST", ""),
    ] as [(String, String?, Int, String, String)])
  func `a redirect is followed with a GET or with the whole request`(
    method: String, body: String?, status: Int, following: String, repeated: String
  ) throws {
    let server = try LoopbackServer()
    let stage = try Stage(Fixtures.bundled)
    let more = body.map { ", \"body\": \"\($0)\"" } ?? ""
    let end = try stage.run(
      "http",
      parameters: """
        {"url": "\(server.url("/moved/\(status)"))", "method": "\(method)", "follow-redirects": true\(more)}
        """)
    #expect(end.outcome.status == .succeeded, "\(end.outcome.message)")
    let (first, second) = ("\(method) /moved/\(status) HTTP/1.1\r\n", "\(following) /echo HTTP/1.1\r\n")
    let sent = server.received
    #expect(sent.hasPrefix(first) && sent.contains("\(body ?? "")\(second)"), "\(sent)")
    #expect(sent.hasSuffix("\r\n\r\n\(repeated)"), "\(sent)")
  }

  @Test(
    arguments: [
      ("GET", nil, 302, "GET"), ("POST", "data", 302, "GET"), ("POST", "data", 307, "POST"),
      ("PUT", "data", 308, "PUT"), ("DELETE", nil, 301, "DELETE"), ("HEAD", nil, 303, "HEAD"),
    ] as [(String, String?, Int, String)])
  func `a redirect to another server sends neither headers nor body of the job`(
    method: String, body: String?, status: Int, following: String
  ) throws {
    let (server, other) = (try LoopbackServer(), try LoopbackServer())
    let stage = try Stage(Fixtures.bundled)
    let more = body.map { ", \"body\": \"\($0)\"" } ?? ""
    let url = server.url("/away/\(status)/\(other.port)").replacing("//", with: "//zoe:s3cret@")
    let end = try stage.run(
      "http",
      parameters: """
        {"url": "\(url)", "method": "\(method)", "follow-redirects": true\(more), "response-limit": 400,
         "headers": {"Authorization": "Bearer t0ken", "X-Own": "mine"}}
        """)
    #expect(end.outcome.status == .succeeded, "\(end.outcome.message)")
    #expect(server.received.contains("X-Own: mine\r\n") && server.received.contains("Bearer t0ken\r\n"))
    #expect("\(stage.events)".contains("from another server, which got no headers and no body"))
    let sent = other.received
    #expect(sent.hasPrefix("\(following) /echo HTTP/1.1\r\n") && sent.hasSuffix("\r\n\r\n"), "\(sent)")
    for name in ["X-Own", "Authorization", "Idempotency-Key", "traceparent", "s3cret", "t0ken"] {
      #expect(!sent.contains(name), "\(name) in \(sent)")
    }
  }

  @Test func `a redirect on the same server sends the headers, user and password of the job`() throws {
    let server = try LoopbackServer()
    let stage = try Stage(Fixtures.bundled)
    let url = server.url("/moved/307").replacing("//", with: "//zoe:s3cret@")
    let end = try stage.run(
      "http",
      parameters: "{\"url\": \"\(url)\", \"follow-redirects\": true, \"headers\": {\"X-Own\": \"mine\"}}")
    #expect(end.outcome.status == .succeeded, "\(end.outcome.message)")
    let following = try #require(server.received.firstRange(of: "GET /echo HTTP"))
    let sent = server.received[following.lowerBound...]
    #expect(sent.contains("X-Own: mine\r\n") && sent.contains("Authorization: Basic em9lOnMzY3JldA==\r\n"))
  }

  @Test(
    arguments: [
      ("/echo/{upstream-reason}/keys", "..", true), ("/echo/{upstream-reason}", ".", true),
      ("/echo/.{upstream-reason}/keys", ".", true), ("/echo/%2E{upstream-reason}?a", ".", true),
      ("/echo/{upstream-reason}/keys", "...", false), ("/echo/a{upstream-reason}", "..", false),
      ("/echo?{upstream-reason}", "/../", false), ("/echo/../{upstream-reason}", "a", false),
    ] as [(String, String, Bool)])
  func `a value that would remove a part of the path is refused`(
    path: String, value: String, isRefused: Bool
  ) throws {
    let server = try LoopbackServer()
    let stage = try Stage(Fixtures.bundled)
    let end = try stage.run(
      "http", parameters: "{\"url\": \"\(server.url(path))\", \"expected-status\": [200, 404]}"
    ) {
      $0.attempt.upstream = .sample
      $0.attempt.upstream?.reason = value
    }
    #expect(end.outcome.status == (isRefused ? .failed : .succeeded), "\(end.outcome.message)")
    #expect(server.received.isEmpty == isRefused && !end.outcome.isWorthRetrying)
    #expect(end.outcome.message.contains("put the placeholder into the query") == isRefused, "\(end)")
  }

  /// Parameters of a request whose response quotes all of it, and the secret in them.
  static let secrets: [(parameters: String, secret: String)] = [
    (#""url": "URL/quote", "headers": {"Authorization": "Bearer s3cret"}"#, "s3cret"),
    (#""url": "URL/quote", "headers": {"Cookie": "a=b; session=s3cret"}"#, "s3cret"),
    (#""url": "URL/quote", "headers": {"X-Api-Key": "s3cret"}"#, "s3cret"),
    (#""url": "URL/quote?a=b&token=s3cret""#, "s3cret"),
    (#""url": "USER/quote""#, "s3%2Fcret"), (#""url": "USER/quote""#, "zoe"),
    // User and password in the form of the header Authorization: zoe:s3/cret.
    (#""url": "USER/quote""#, "em9lOnMzL2NyZXQ="),
    (#""url": "URL/quote", "credential": "key""#, "s3/cr=et"),
    (#""url": "URL/quote", "credential-headers": {"X-Own": "key"}"#, "s3/cr=et"),
    (#""url": "URL/quote/s3%2fcr%3det/a", "credential": "key""#, "s3%2fcr%3det"),
    (#""url": "URL/spell", "credential": "key""#, "s3"),
    // A request that succeeds.
    (#""url": "URL/echo?key=s3cret""#, "s3cret"),
    (#""url": "USER/break?s3cret""#, "s3cret"),
  ]

  @Test(arguments: secrets.indices)
  func `no message contains a secret that the server quotes`(index: Int) throws {
    let row = Self.secrets[index]
    let (server, workshop) = (try LoopbackServer(), try Workshop())
    let stage = try Stage(Fixtures.bundled) { $0.credentialsDirectory = workshop.path + "/credentials" }
    let parameters = "{\(row.parameters)}".replacing("URL", with: server.url(""))
      .replacing("USER", with: server.url("").replacing("//", with: "//zoe:s3%2Fcret@"))
    let key = try workshop.write("s3/cr=et\n", to: "key")
    let run = try stage.request("http", parameters: parameters) { $0.kind.setup.credentials = ["key": key] }
    stage.read([run.kind])
    stage.hosts.start(run)
    let end = try stage.finish(run.run)
    #expect(server.received.contains("HTTP/1.1"), "\(end)")
    let texts = "\(stage.events) \(end)"
    #expect(!texts.contains(row.secret), "\(texts)")
    #expect(end.outcome.message.contains("***") || end.outcome.status == .succeeded, "\(end)")
  }

  @Test(
    arguments: [
      ("GET", nil), ("DELETE", nil), ("POST", 0), ("PUT", 0), ("PATCH", 0),
    ] as [(String, Int?)])
  func `a method with a body sends an empty one if there is none`(method: String, length: Int?) throws {
    let server = try LoopbackServer()
    let stage = try Stage(Fixtures.bundled)
    let end = try stage.run(
      "http", parameters: "{\"url\": \"\(server.url("/echo"))\", \"method\": \"\(method)\"}")
    #expect(end.outcome.status == .succeeded, "\(end.outcome.message)")
    let sent = server.received
    #expect(sent.hasPrefix("\(method) /echo HTTP/1.1\r\n") && !sent.contains("Content-Type"), "\(sent)")
    #expect(sent.contains("Content-Length: \(length ?? 0)\r\n") == (length != nil), "\(sent)")
  }

  @Test func `a resolver that does not answer delays neither a limit nor a stop`() throws {
    let workshop = try Workshop()
    // A slow replacement of the C library's resolver function.
    let resolver = try workshop.compile(
      """
      #include <netdb.h>
      #include <unistd.h>
      __attribute__((visibility("default")))
      int getaddrinfo(const char *name, const char *service, const struct addrinfo *hints, struct addrinfo **found) {
        (void)name; (void)service; (void)hints; (void)found;
        sleep(86400);
        return EAI_AGAIN;
      }
      """, name: "resolver")
    let stage = try Stage(Fixtures.bundled) { $0.environment["LD_PRELOAD"] = resolver }
    let began = SystemTime.monotonic()
    let late = try stage.run("http", parameters: #"{"url": "http://nowhere.invalid/", "time-limit": 0.2}"#)
    #expect(late.outcome.isWorthRetrying && late.outcome.message.contains("raise time-limit"), "\(late)")
    let run = try stage.start("http", parameters: #"{"url": "http://nowhere.invalid/"}"#)
    try stage.wait(for: "its start") {
      stage.events.contains { if case .started(run, _, _) = $0 { true } else { false } }
    }
    stage.hosts.askToStop(run, .cancel)
    #expect(try stage.finish(run).outcome.status == .cancelled)
    #expect(SystemTime.monotonic() - began < Patience.usual)
  }

  @Test func `a refused connection, an unknown host and a wrong URL have different failures`() throws {
    let stage = try Stage(Fixtures.bundled)
    let port = try LoopbackServer().port
    let refused = try stage.run("http", parameters: "{\"url\": \"http://127.0.0.1:\(port)/\"}")
    #expect(
      refused.outcome.isWorthRetrying && refused.outcome.message.contains("look whether the server runs"),
      "\(refused)")
    let other = try stage.run("http", parameters: #"{"url": "ftp://127.0.0.1/"}"#)
    #expect(!other.outcome.isWorthRetrying && other.outcome.message.contains("must begin with http://"))
    let missing = try stage.run("http")
    #expect(missing.outcome.message.contains("the parameter /url is missing"))
  }

  @Test func `a request ends at once at a stop and at its deadline`() throws {
    let server = try LoopbackServer()
    let stage = try Stage(Fixtures.bundled)
    let parameters = "{\"url\": \"\(server.url("/silence"))\"}"
    let run = try stage.start("http", parameters: parameters)
    try stage.wait(for: "its start") {
      stage.events.contains { if case .started(run, _, _) = $0 { true } else { false } }
    }
    stage.hosts.askToStop(run, .cancel)
    #expect(try stage.finish(run).outcome.status == .cancelled)
    let late = try stage.run("http", parameters: parameters) {
      $0.attempt.deadline = $0.attempt.startedAt + .milliseconds(200)
    }
    #expect(late.outcome.isWorthRetrying && late.outcome.message.contains("raise time-limit"), "\(late)")
  }

  @Test func `a rehearsal names its request and sends nothing`() throws {
    let stage = try Stage(Fixtures.bundled)
    let end = try stage.run("http", parameters: #"{"url": "http://127.0.0.1:1/"}"#) { $0.isRehearsal = true }
    #expect(end.result?.contains("GET http://127.0.0.1:1/ was not sent") == true)
    let parameters = #"{"url": "http://zoe:s3cret@127.0.0.1:1/a?b=s3cret#s3cret", "credential": "none"}"#
    let secret = try stage.run("http", parameters: parameters) { $0.isRehearsal = true }
    #expect(secret.result?.contains("GET http://***@127.0.0.1:1/a?*** was not sent") == true, "\(secret)")
  }
}
