import Foundation
import Testing
import TimelineCore
import TimelineEngine
import TimelineSystem
import TimelineTestSupport

@testable import TimelineHostPool

@Suite struct `The plugin notify` {
  /// The request that a service must get; `expected` has its own parts.
  struct Case: CustomTestStringConvertible, Sendable {
    var service: String
    var outcome = Outcome.failed
    var stage = EntryRecord.Stage.ended
    var schedule: PortableSchedule?
    /// Lines of the request's head, and texts of its body.
    var expected: [String]
    var testDescription: String { service }
  }

  /// The UUID of the run: the trace id of `backup/2027-01-15T08:00:00Z`, with the bits of version 8.
  private static let rid = "eaec9312-80b4-8f8c-815a-68474aca1792"

  private static let cases = [
    Case(
      service: #""ntfy": {"url": "URL/echo/backups", "credential": "key"}"#,
      expected: [
        "POST /echo/backups HTTP/1.1\r\n", "Title: backup: failed\r\n", "Priority: high\r\n",
        "Tags: warning\r\n",
        "Authorization: Bearer s3cret\r\n", "\r\n\r\nno disk\nentry 2027-01-15T08:00:00Z, ",
        "2 attempts\n\nlast line",
      ]),
    Case(
      service: #""ntfy": {"url": "URL/echo/backups/"}"#, outcome: .succeeded,
      expected: ["POST /echo/backups HTTP/1.1\r\n", "Title: backup: succeeded\r\n", "Priority: default\r\n"]),
    Case(
      service: #""ntfy": {"url": "URL/echo/backups/"}"#, stage: .running,
      expected: ["Title: backup: running\r\n", "Priority: default\r\n", "Tags: arrow_forward\r\n"]),
    Case(
      service: #""webhook": {"url": "URL/echo/hook", "credential": "key"}"#,
      expected: [
        "POST /echo/hook HTTP/1.1\r\n", "Authorization: Bearer s3cret\r\n",
        "Content-Type: application/json\r\n",
        #""entry":"2027-01-15T08:00:00Z","entryCount":1,"job":"backup","outcome":"failed""#,
      ]),
    Case(
      service: #""healthchecks": {"credential": "key", "url": "URL/echo"}"#,
      expected: ["POST /echo/s3cret/backup/fail?create=1&rid=\(rid) HTTP/1.1\r\n", "\r\n\r\nno disk\n"]),
    Case(
      service: #""healthchecks": {"credential": "key", "url": "URL/echo"}"#, stage: .running,
      expected: ["POST /echo/s3cret/backup/start?create=1&rid=\(rid) HTTP/1.1\r\n"]),
    Case(
      service: #""healthchecks": {"credential": "key", "url": "URL/echo"}"#, stage: .waiting,
      expected: ["POST /echo/s3cret/backup/fail?create=1 HTTP/1.1\r\n"]),
    Case(
      service:
        #""healthchecks": {"credential": "key", "api-credential": "key", "url": "URL/echo", "api-url": "URL/echo", "grace": 60}"#,
      outcome: .succeeded, schedule: .cron("30 2 * * *", zone: "Europe/Berlin"),
      expected: [
        "POST /echo/api/v3/checks/ HTTP/1.1\r\n", "X-Api-Key: s3cret\r\n",
        #"{"name":"backup","slug":"backup","unique":["name"],"grace":60,"schedule":"30 2 * * *","tz":"Europe/Berlin"}"#,
        "POST /echo/s3cret/backup?create=1&rid=\(rid) HTTP/1.1\r\n",
      ]),
    Case(
      service:
        #""healthchecks": {"credential": "key", "api-credential": "key", "url": "URL/echo", "api-url": "URL/echo"}"#,
      schedule: .period(seconds: 5), expected: [#""grace":3600,"timeout":60}"#]),
    Case(
      service: #""sentry": {"credential": "dsn"}"#, schedule: .cron("0 * * * *", zone: "UTC"),
      expected: [
        "POST /api/12/cron/backup/public/ HTTP/1.1\r\n",
        #"{"status":"error","environment":"production","check_in_id":"\#(rid)","monitor_config":"#
          + #"{"schedule":{"type":"crontab","value":"0 * * * *"},"timezone":"UTC","checkin_margin":5}}"#,
      ]),
    Case(
      service: #""sentry": {"credential": "dsn", "environment": "test", "margin": 9, "max-runtime": 90}"#,
      outcome: .succeeded, schedule: .period(seconds: 5_400),
      expected: [
        #"{"status":"ok","environment":"test","check_in_id":"\#(rid)","monitor_config":"#
          + #"{"schedule":{"type":"interval","value":90,"unit":"minute"},"checkin_margin":9,"max_runtime":90}}"#
      ]),
    Case(
      service: #""sentry": {"credential": "dsn"}"#, stage: .running,
      expected: [#"{"status":"in_progress","environment":"production","check_in_id":"\#(rid)"}"#]),
    Case(
      service: #""sentry": {"credential": "dsn"}"#, schedule: .calendar("*-*-* 00:00:00", zone: "UTC"),
      expected: [#"{"status":"error","environment":"production","check_in_id":"\#(rid)"}"#]),
  ]

  private struct Place {
    let server = Result { try LoopbackServer() }
    let workshop = Result { try Workshop() }

    /// Runs `notify` about an entry of the job `backup`, with the credentials `key` and `dsn`.
    func run(
      _ parameters: String, _ adjust: (inout PluginRun) -> Void = { $0.attempt.upstream = .sample }
    ) throws -> PluginRunEnd {
      let (server, workshop) = (try server.get(), try workshop.get())
      let credentials = [
        "key": try workshop.write("s3cret\n", to: "key"),
        "dsn": try workshop.write("http://public@127.0.0.1:\(server.port)/12", to: "dsn"),
        "quoted": try workshop.write("http://s3cret@127.0.0.1:\(server.port)/13", to: "quoted"),
      ]
      let stage = try Stage(Fixtures.bundled) { $0.credentialsDirectory = workshop.path + "/credentials" }
      let parameters = parameters.replacingOccurrences(of: "URL", with: server.url(""))
      let run = try stage.request("notify", job: "tell", parameters: parameters) { run in
        run.kind.setup.credentials = credentials
        adjust(&run)
      }
      stage.read([run.kind])
      stage.hosts.start(run)
      return try stage.finish(run.run)
    }
  }

  @Test(arguments: cases)
  func `each service gets its own form of request`(example: Case) throws {
    let place = Place()
    let end = try place.run("{\(example.service)}") {
      $0.attempt.upstream = .sample
      $0.attempt.upstream?.outcome = example.outcome
      $0.attempt.upstream?.stage = example.stage
      $0.attempt.upstreamOutput = "last line"
      $0.attempt.upstreamSchedule = example.schedule
    }
    #expect(end.outcome.status == .succeeded, "\(end.outcome.message)")
    let word = example.stage == .ended ? example.outcome.rawValue : example.stage.rawValue
    #expect(end.outcome.message == "told backup: \(word)")
    var rest = try place.server.get().received[...]
    for text in example.expected {
      let range = try #require(rest.range(of: text), "\(text) is not in \(rest)")
      rest = rest[range.upperBound...]
    }
  }

  @Test(arguments: [
    (IncidentKind.failure, IncidentReport.Phase.opened, 1, "backup: failed"),
    (.failure, .opened, 3, "backup: failed 3 times since 2027-01-15 08:00 UTC"),
    (.failure, .reminder, 4, "backup: still failing, 4 failures since 2027-01-15 08:00 UTC"),
    (.failure, .recovered, 1, "backup: recovered after 1 failure"),
    (.missed, .opened, 3, "backup: missed 3 entries since 2027-01-15 08:00 UTC"),
    (.missed, .reminder, 1, "backup: still missing entries, 1 missed entry since 2027-01-15 08:00 UTC"),
    (.missed, .recovered, 4, "backup: recovered after 4 missed entries"),
    (.late, .opened, 1, "backup: late, has not begun"),
    (.late, .opened, 3, "backup: late 3 times since 2027-01-15 08:00 UTC"),
    (.late, .reminder, 2, "backup: still late, 2 late entries since 2027-01-15 08:00 UTC"),
    (.late, .recovered, 1, "backup: recovered after 1 late entry"),
  ])
  func `an incident is described in words`(
    kind: IncidentKind, phase: IncidentReport.Phase, count: Int, title: String
  ) throws {
    let place = Place()
    let end = try place.run(#"{"ntfy": {"url": "URL/echo/backups"}}"#) {
      $0.attempt.upstream = .sample
      $0.attempt.upstream?.incident = IncidentReport(
        kind: kind, phase: phase, count: count, since: WallInstant(secondsSinceEpoch: 1_800_000_012))
    }
    #expect(end.outcome.message == "told \(title)")
    #expect(try place.server.get().received.contains("Title: \(title)\r\n"))
  }

  @Test func `a reminder is a separate message without the identifier of the run`() throws {
    let place = Place()
    for service in [
      #"{"healthchecks": {"credential": "key", "url": "URL/echo"}}"#, #"{"sentry": {"credential": "dsn"}}"#,
    ] {
      let end = try place.run(service) {
        $0.attempt.upstream = .sample
        $0.attempt.upstream?.incident = IncidentReport(
          kind: .failure, phase: .reminder, count: 2, since: .epoch)
      }
      #expect(end.outcome.status == .succeeded, "\(end.outcome.message)")
    }
    let received = try place.server.get().received
    #expect(received.contains("/backup/fail?create=1 HTTP") && !received.contains("check_in_id"))
  }

  @Test(arguments: [
    (
      #"{"webhook": {"url": "URL/status/503"}}"#, true,
      "the request to 127.0.0.1:PORT got the status 503: as you wish"
    ),
    (#"{"webhook": {"url": "URL/status/401"}}"#, false, "correct the job's `with` and its credentials"),
    (
      #"{"webhook": {"url": "URL/silence"}, "time-limit": 0.2}"#, true,
      "raise time-limit or the job's timeout"
    ),
    // The key is part of the address.
    (
      #"{"healthchecks": {"credential": "key", "url": "URL/break"}}"#, true,
      "the request to 127.0.0.1:PORT failed"
    ),
    // The response quotes the secret.
    (#"{"webhook": {"url": "URL/quote/s3cret", "credential": "key"}}"#, false, "Authorization: ***"),
    (#"{"ntfy": {"url": "URL/quote/s3cret"}}"#, false, "got the status 401: POST *** HTTP/1.1"),
    (#"{"healthchecks": {"credential": "key", "url": "URL/quote"}}"#, false, "got the status 401: POST ***"),
    (
      #"{"healthchecks": {"credential": "key", "api-credential": "key", "url": "URL", "api-url": "URL/quote"}}"#,
      false, "X-Api-Key: ***"
    ),
    (#"{"sentry": {"credential": "quoted"}}"#, false, "got the status 401: no such monitor: ***"),
    (
      #"{"webhook": {"url": "http://eve:s3cret@127.0.0.1:1?s3cret"}}"#, true,
      "the request to 127.0.0.1:1 failed"
    ),
    (#"{"ntfy": {"url": "URL/echo/a", "credential": "none"}}"#, false, "write credentials = { none = "),
    (
      #"{"ntfy": {"url": "URL/echo/a", "credential": "../key"}}"#, false, "must be a name under `credentials`"
    ),
    (#"{"sentry": {"credential": "key"}}"#, false, "is no DSN such as https://KEY@HOST/1"),
    (#"{"sentry": {"credential": "dsn", "max-runtime": 0}}"#, false, "it must be 1 to 40320 minutes"),
    (#"{"ntfy": {"url": "ftp://a"}}"#, false, "must be a URL that begins with https:// or http://"),
    (#"{"ntfy": {"url": "URL/a"}, "webhook": {"url": "URL/b"}}"#, false, "name 2 services: give one of"),
    ("{}", false, "name 0 services"), (#"{"mail": {"to": ["-oQ/tmp"]}}"#, false, "must be addresses such as"),
  ])
  func `a failure names the request without its secret, and the remedy`(
    parameters: String, isWorthRetrying: Bool, message: String
  ) throws {
    let place = Place()
    let end = try place.run(parameters)
    let port = try place.server.get().port
    #expect(end.outcome.status == .failed)
    #expect(end.outcome.isWorthRetrying == isWorthRetrying, "\(end.outcome.message)")
    #expect(
      end.outcome.message.contains(message.replacingOccurrences(of: "PORT", with: "\(port)")),
      "\(end.outcome.message)")
    #expect(!end.outcome.message.contains("s3cret"))
  }

  @Test func `a mail goes through sendmail`() throws {
    let place = Place()
    let workshop = try place.workshop.get()
    try workshop.write(
      "#!/bin/sh\necho \"$@\" >\(workshop.path)/mail\ncat >>\(workshop.path)/mail\n", to: "sendmail",
      mode: 0o755)
    let mail = #""to": ["ops@example.org", "b@example.org"], "from": "jobs@example.org""#
    let end = try place.run("{\"mail\": {\(mail), \"sendmail\": \"\(workshop.path)/sendmail\"}}")
    #expect(end.outcome.status == .succeeded, "\(end.outcome.message)")
    let text = try String(contentsOfFile: workshop.path + "/mail", encoding: .utf8)
    #expect(
      text.hasPrefix(
        """
        -i -- ops@example.org b@example.org
        From: jobs@example.org
        To: ops@example.org,
         b@example.org
        Subject: backup: failed
        MIME-Version: 1.0

        """))
    #expect(text.contains("\n\nno disk\nentry 2027-01-15T08:00:00Z, "))
    try workshop.write("#!/bin/sh\nexit 75\n", to: "sendmail", mode: 0o755)
    let deferred = try place.run("{\"mail\": {\(mail), \"sendmail\": \"\(workshop.path)/sendmail\"}}")
    #expect(deferred.outcome.status == .failed && deferred.outcome.isWorthRetrying)
  }

  @Test(arguments: [
    (0, "07:59:59Z"), (431, "07:59:59Z"), (990_060_431, "07:59:59.990Z"), (9_000_000, "07:59:59.009Z"),
  ])
  func `A message has the milliseconds of an entry, and nothing finer`(
    nanosecond: Int64, shown: String
  ) throws {
    let place = Place()
    _ = try place.run(#"{"ntfy": {"url": "URL/echo/backups"}}"#) {
      $0.attempt.upstream = .sample
      let noon = WallInstant(secondsSinceEpoch: 1_799_999_999) + .nanoseconds(nanosecond)
      $0.attempt.upstream?.entry.nominal = noon
    }
    let received = try place.server.get().received
    #expect(received.contains("\nentry 2027-01-15T\(shown), run "), "\(received)")
  }

  @Test(arguments: [
    (998, false, "8bit"), (999, true, "quoted-printable"), (4_000, true, "quoted-printable"),
  ])
  func `a mail has no line over 998 bytes`(count: Int, isEncoded: Bool, encoding: String) throws {
    let place = Place()
    let workshop = try place.workshop.get()
    try workshop.write("#!/bin/sh\ncat >\(workshop.path)/mail\n", to: "sendmail", mode: 0o755)
    let long = "50 % of a=b, höher " + String(repeating: "x", count: count - 21) + " "
    #expect(long.utf8.count == count)
    _ = try place.run(#"{"mail": {"to": ["a@example.org"], "sendmail": "\#(workshop.path)/sendmail"}}"#) {
      $0.attempt.upstream = .sample
      $0.attempt.upstreamOutput = "short\n\(long)\nlast"
    }
    let text = try String(contentsOfFile: workshop.path + "/mail", encoding: .utf8)
    #expect(text.split(separator: "\n").allSatisfy { $0.utf8.count <= (isEncoded ? 76 : 998) })
    #expect(text.contains("\nContent-Transfer-Encoding: \(encoding)\n"))
    let body = text.components(separatedBy: "\n\n").dropFirst().joined(separator: "\n\n")
    // Decodes quoted-printable: `=` before a line's end joins lines, `=XX` is a byte.
    let joined = body.replacingOccurrences(of: "=\n", with: "")
    let percent = joined.replacingOccurrences(of: "%", with: "%25").replacingOccurrences(of: "=", with: "%")
    let decoded = isEncoded ? try #require(percent.removingPercentEncoding) : body
    #expect(decoded.hasSuffix("\n\nshort\n\(long)\nlast\n"))
  }

  @Test func `jobs whose names differ only in characters that no slug can have get separate checks`() throws {
    let names = ["db-backup", "db.backup", "DB-backup", "db_backup"]
    let long = String(repeating: "a", count: 50)
    var slugs: [String: String] = [:]
    for name in names + [long, long + "a", long + "b"] {
      let job = try #require(JobName(name))
      let place = Place()
      _ = try place.run(#"{"healthchecks": {"credential": "key", "url": "URL/echo"}}"#) {
        $0.attempt.upstream = .sample
        $0.attempt.upstream?.entry = EntryKey(job: job, nominal: .epoch)
      }
      let received = try place.server.get().received
      let slug = received.split(separator: "/").dropFirst(3).first.map { String($0) }
      slugs[name] = slug
    }
    #expect(slugs["db-backup"] == "db-backup" && slugs["db_backup"] == "db_backup" && slugs[long] == long)
    #expect(slugs["db.backup"]?.wholeMatch(of: /db-backup-[0-9a-f]{8}/) != nil, "\(slugs)")
    #expect(Set(slugs.values).count == slugs.count && slugs.values.allSatisfy { $0.utf8.count <= 50 })
  }

  @Test(arguments: [
    (
      #"{"ntfy": {"url": "URL/echo/backups"}}"#,
      [
        "Title: tell: test message\r\n", "Priority: default\r\n",
        "\r\n\r\nThis is a test: tell tells of jobs",
      ]
    ),
    (
      #"{"webhook": {"url": "URL/echo"}}"#,
      [#"{"test":true,"job":"tell","entry":"#, #""outcome":"test message""#]
    ),
    (
      #"{"healthchecks": {"credential": "key", "url": "URL/echo"}}"#,
      ["POST /echo/s3cret/tell/log?create=1 HTTP"]
    ),
    (
      #"{"sentry": {"credential": "dsn"}}"#,
      ["/api/12/cron/tell/public/", #"{"status":"ok","environment":"production"}"#]
    ),
  ])
  func `a run that reacts to no entry sends a test message`(parameters: String, expected: [String]) throws {
    let place = Place()
    let end = try place.run(parameters) { _ in }
    #expect(end.outcome.status == .succeeded, "\(end.outcome.message)")
    #expect(end.outcome.message == "told tell: test message")
    let received = try place.server.get().received
    for text in expected { #expect(received.contains(text), "\(received)") }
  }

  @Test func `a rehearsal sends nothing`() throws {
    let place = Place()
    let rows: [(upstream: EntryRecord?, title: String)] = [
      (.sample, "backup: failed"), (nil, "tell: test message"),
    ]
    for (upstream, title) in rows {
      let rehearsal = try place.run(#"{"webhook": {"url": "URL/echo/hook"}}"#) {
        $0.attempt.upstream = upstream
        $0.isRehearsal = true
      }
      #expect(rehearsal.outcome.status == .succeeded)
      #expect(
        rehearsal.outcome.message == "rehearsal: \(title) was not told; set rehearse = true to tell it")
    }
    #expect(try place.server.get().received.isEmpty)
  }
}
