import Foundation
import Testing
import TimelineCore

@testable import TimelineControl

@Suite struct ControlInterfaceTests {
  typealias Kind = InterfaceDescription.Kind

  @Test func `the descriptions belong to their interfaces`() throws {
    let control = try InterfaceDescription(parsing: ControlInterface.description)
    #expect(control.name == ControlInterface.name)
    #expect(Set(control.methods.keys) == ControlInterface.methods)
    let service = try InterfaceDescription(parsing: VarlinkService.description)
    #expect(service.name == VarlinkService.name)
    #expect(Set(service.methods.keys) == ["GetInfo", "GetInterfaceDescription"])
    #expect(
      Set(service.errors.keys) == [
        "InterfaceNotFound", "MethodNotFound", "MethodNotImplemented", "InvalidParameter", "ExpectedMore",
        "PermissionDenied",
      ])
  }

  /// Every type and reply of the description, with a value that has every field and one that has only the required fields.
  static let pairs: [(name: String, full: any Encodable & Sendable, bare: any Encodable & Sendable)] = [
    ("NextEntry", NextEntry(job: "a", entry: .epoch), NextEntry(job: "a", entry: .epoch)),
    ("Run", Samples.run, Samples.bareRun), ("Waiting", Samples.wait, Samples.bareWait),
    ("Group", Samples.group, Samples.group), ("Job", Samples.job, Samples.bareJob),
    ("EntryMove", Samples.move, Samples.bareMove),
    ("ZoneChange", Samples.zoneChange, Samples.bareZoneChange),
    ("Status", Samples.status, Samples.bareStatus),
    ("Metrics", Samples.metrics, Samples.bareMetrics),
    ("DaemonMetrics", Samples.daemonMetrics, Samples.bareDaemonMetrics),
    ("ClusterMetrics", Samples.clusterMetrics, Samples.bareClusterMetrics),
    ("JobMetrics", Samples.jobMetrics, Samples.bareJobMetrics),
    ("Histogram", Samples.histogram, DurationHistogram()),
    ("List", ListReply(jobs: [Samples.job]), ListReply(jobs: [])),
    (
      "Reload", ReloadReply(added: ["a"], changed: ["b"], removed: ["c"], unchangedCount: 1, warnings: ["d"]),
      ReloadReply()
    ),
    (
      "Configuration", Samples.configuration,
      ConfigurationReply(path: "a", tables: [])
    ), ("ConfigurationTable", Samples.table, ConfigurationTable(path: [])),
    (
      "ConfigurationValue", ConfigurationTable.Value(key: "a", text: "1", origin: "default"),
      ConfigurationTable.Value(key: "a", text: "1", origin: "default")
    ),
    ("Trigger", Samples.trigger, Samples.bareTrigger), ("Rerun", Samples.rerun, Samples.bareTrigger),
    ("Gaps", Samples.gaps, Samples.bareGaps),
    ("BackfillState", Samples.backfill, Samples.bareBackfill), backfill("Backfill"),
    backfill("ChangeBackfill"),
    (
      "Backfills", BackfillsReply(backfills: [Samples.backfill]), BackfillsReply(backfills: [])
    ),
    ("Stop", StopReply(runningCount: 2), StopReply(runningCount: 0)),
    ("Entry", Samples.entry, Samples.bareEntry), ("Attempt", Samples.attempt, Samples.bareAttempt),
    ("Neighbor", Samples.neighbor, Samples.bareNeighbor),
    ("Incident", Samples.incident, Samples.bareIncident),
    ("Detail", WhyReply.Detail("a", "b"), WhyReply.Detail("a", "b")),
    ("RunOutput", Samples.output, Samples.bareOutput), ("PausedJob", Samples.paused, Samples.barePaused),
    ("Fault", Samples.fault, Samples.fault), ("Operator", Samples.operatorOfAll, Samples.bareOperator),
    ("Why", Samples.why, Samples.bareWhy), ("History", Samples.history, Samples.bareHistory),
    ("Watch", Samples.watch, Samples.bareWatch), ("Logs", Samples.logs, Samples.bareLogs),
    ("Next", Samples.next, Samples.bareNext), ("Explain", Samples.explained, Samples.bareExplained),
    ("ClockChange", Samples.clockChange, Samples.bareClockChange),
    ("Pause", PauseReply(jobs: [Samples.paused]), PauseReply(jobs: [])),
    ("Resume", Samples.resume, Samples.bareResume), ("Cancel", Samples.cancel, Samples.bareCancel),
    ("Release", Samples.release, Samples.bareRelease),
    ("Backup", BackupReply(path: "/a"), BackupReply(path: "/a")),
    ("ClockState", Samples.clock, Samples.bareClock), clock("Clock"), clock("PauseClock"),
    clock("ResumeClock"), clock("SetClockSpeed"), clock("StepClock"), clock("LeapClock"),
    ("ModeState", Samples.mode, Samples.bareMode), mode("Mode"), mode("SetMode"),
    ("ClusterState", Samples.cluster, Samples.bareCluster), cluster("Cluster"), cluster("ActivateJobs"),
    cluster("LeaveCluster"), ("ClusterStore", Samples.store, Samples.bareStore),
    ("ClusterNode", Samples.node, Samples.bareNode),
    ("ClusterJob", Samples.clusterJob, Samples.bareClusterJob),
    ("ClusterHistory", Samples.clusterHistory, Samples.bareClusterHistory),
  ]

  private static func cluster(
    _ method: String
  ) -> (name: String, full: any Encodable & Sendable, bare: any Encodable & Sendable) {
    (method, ClusterReply(state: Samples.cluster), ClusterReply(state: Samples.bareCluster))
  }

  private static func backfill(
    _ method: String
  ) -> (name: String, full: any Encodable & Sendable, bare: any Encodable & Sendable) {
    (method, BackfillReply(backfill: Samples.backfill), BackfillReply(backfill: Samples.bareBackfill))
  }

  private static func clock(
    _ method: String
  ) -> (name: String, full: any Encodable & Sendable, bare: any Encodable & Sendable) {
    (method, ClockReply(state: Samples.clock), ClockReply(state: Samples.bareClock))
  }

  private static func mode(
    _ method: String
  ) -> (name: String, full: any Encodable & Sendable, bare: any Encodable & Sendable) {
    (method, ModeReply(state: Samples.mode), ModeReply(state: Samples.bareMode))
  }

  @Test func `every type and reply of the description is compared`() throws {
    let description = try InterfaceDescription(parsing: ControlInterface.description)
    #expect(Set(Self.pairs.map(\.name)) == Set(description.types.keys).union(description.methods.keys))
  }

  @Test(arguments: pairs.indices)
  func `the Swift types are encoded as in the description`(index: Int) throws {
    let description = try InterfaceDescription(parsing: ControlInterface.description)
    let pair = Self.pairs[index]
    let fields = try #require(description.types[pair.name] ?? description.methods[pair.name]?.output)
    for (value, isFull) in [(pair.full, true), (pair.bare, false)] {
      let json = try JSONSerialization.jsonObject(with: JSONEncoder().encode(value))
      try check(json, .structure(fields), description, isFull: isFull, at: pair.name)
    }
  }

  @Test func `each method has one call`() throws {
    #expect(
      Samples.calls.map { Samples.name(of: $0.full) } == Samples.calls.map { Samples.name(of: $0.bare) })
    #expect(
      Samples.calls.map { Samples.name(of: $0.full) }.sorted()
        == ControlInterface.methods.map(ControlInterface.fullName).sorted())
  }

  @Test(arguments: Samples.calls.indices)
  func `parameters are encoded as in the description`(index: Int) throws {
    let description = try InterfaceDescription(parsing: ControlInterface.description)
    let row = Samples.calls[index]
    let fields = try #require(description.methods[type(of: row.full).name]?.input)
    for (value, isFull) in [(row.full, true), (row.bare, false)] {
      let json = try JSONSerialization.jsonObject(with: JSONEncoder().encode(value))
      try check(json, .structure(fields), description, isFull: isFull, at: Samples.name(of: value))
    }
  }

  @Test(arguments: [
    ("History", #"{"limit":0}"#, "limit"), ("History", #"{"limit":1001}"#, "limit"),
    ("ClusterHistory", #"{"limit":201}"#, "limit"),
    ("Gaps", #"{"job":"a","limit":1001}"#, "limit"), ("Gaps", #"{"from":"now"}"#, "job"),
    ("Rerun", #"{"job":"a"}"#, "moment"), ("Backfill", #"{"job":"a"}"#, "from"),
    ("Backfill", #"{"job":"a","from":"now","outcomes":[]}"#, "outcomes"),
    ("Backfill", #"{"job":"a","from":"now","outcomes":["failed","succeeded"]}"#, "outcomes"),
    ("Backfill", #"{"job":"a","from":"now","parallel":0}"#, "parallel"),
    ("Backfill", #"{"job":"a","from":"now","parallel":101}"#, "parallel"),
    ("Backfill", #"{"job":"a","from":"now","paceNanoseconds":-1}"#, "paceNanoseconds"),
    ("Backfill", #"{"job":"a","from":"now","paceNanoseconds":86400000000001}"#, "paceNanoseconds"),
    ("ChangeBackfill", #"{"job":"a","change":"stop"}"#, "change"),
    ("ChangeBackfill", #"{"job":"a"}"#, "change"), ("Backfills", #"{"jobs":["a"]}"#, "jobs"),
    ("History", #"{"since":7}"#, "since"), ("Logs", #"{"job":"a","limit":101}"#, "limit"),
    ("Logs", "{}", "job"),
    ("Next", #"{"job":"a","limit":101}"#, "limit"), ("Next", #"{"job":"a","from":"noon"}"#, "from"),
    ("Explain", #"{"job":"a","years":293}"#, "years"), ("Explain", #"{"job":"a","years":0}"#, "years"),
    ("Why", #"{"job":"a"}"#, "moment"), ("Pause", #"{"jobs":[]}"#, "jobs"),
    ("Pause", #"{"jobs":"a"}"#, "jobs"), ("Pause", #"{"jobs":["a"],"reason":7}"#, "reason"),
    ("Pause", #"{"jobs":["a"],"reason":"\#(String(repeating: "x", count: 501))"}"#, "reason"),
    ("Resume", #"{"job":"a","catchUp":"some"}"#, "catchUp"),
    ("SetClockSpeed", #"{"speed":60}"#, "speed"), ("LeapClock", "{}", "to"),
    ("SetMode", #"{"mode":"slow"}"#, "mode"), ("SetMode", "{}", "mode"),
    ("SetMode", #"{"mode":"low-frequency","cadence":"live"}"#, "cadence"),
    ("SetMode", #"{"mode":"auto","cadence":"seconds"}"#, "cadence"),
    ("Cancel", #"{"run":-1}"#, "run"), ("Cancel", #"{"run":"7"}"#, "run"),
    // Unknown parameters, beside known ones and alone.
    ("Stop", #"{"nwo":true}"#, "nwo"), ("Status", #"{"job":"a"}"#, "job"),
    ("StepClock", #"{"to":"03:00"}"#, "to"),
    ("Trigger", #"{"job":"a","wait":true,"after":1}"#, "after"),
  ])
  func `a wrong parameter is named`(method: String, parameters: String, wrong: String) throws {
    let call = try Self.call(method, parameters)
    #expect(throws: VarlinkError.invalidParameter(wrong)) { try Samples.read(call) }
  }

  @Test func `a parameter that is null counts as left out`() throws {
    #expect(try Self.call("Stop", #"{"now":null,"later":null}"#).read(as: Control.Stop.self).now == nil)
    #expect(throws: Never.self) { try Self.call("Status", "null").read(as: Control.Status.self) }
  }

  @Test func `a stream needs a call with more`() throws {
    let call = try Self.call("Watch", "{}")
    #expect(throws: VarlinkError.expectedMore) { try Samples.read(call) }
  }

  static let validCalls: [(parameters: String, call: any ControlCall)] = [
    (#"{"job":"a","moment":"02:30"}"#, Control.Why(job: "a", moment: "02:30")),
    ("{}", Control.History()),
    (
      #"{"job":"a","since":"b","until":"c","onlyFailures":true,"limit":1000}"#,
      Control.History(job: "a", since: "b", until: "c", onlyFailures: true, limit: 1_000)
    ),
    (#"{"job":"a","limit":200}"#, Control.ClusterHistory(Control.History(job: "a", limit: 200))),
    (#"{"job":"a","moment":"02:30"}"#, Control.Rerun(job: "a", moment: "02:30")),
    (#"{"job":"a","from":"2h ago"}"#, Control.Gaps(job: "a", from: "2h ago")),
    (#"{"job":"a","from":"2h ago"}"#, Control.Backfill(job: "a", from: "2h ago")),
    (
      #"{"job":"a","from":"b","until":"c","outcomes":["lost"],"parallel":100,"paceNanoseconds":86400000000000}"#,
      Control.Backfill(
        job: "a", from: "b", until: "c", outcomes: ["lost"], parallel: 100,
        paceNanoseconds: 86_400_000_000_000)
    ),
    (#"{"job":"a","change":"cancel"}"#, Control.ChangeBackfill(job: "a", change: .cancel)),
    ("{}", Control.Backfills()), (#"{"job":"a"}"#, Control.Backfills(job: "a")),
    (#"{"job":"a"}"#, Control.Logs(job: "a")),
    (#"{"job":"a","limit":1}"#, Control.Logs(job: "a", limit: 1)),
    (#"{"jobs":["a","b"]}"#, Control.Pause(jobs: ["a", "b"])),
    (#"{"jobs":["a"],"reason":"disk swap"}"#, Control.Pause(jobs: ["a"], reason: "disk swap")),
    (#"{"job":"a"}"#, Control.Resume(job: "a")),
    (#"{"job":"a","catchUp":"skip"}"#, Control.Resume(job: "a", catchUp: .skip)),
    (#"{"job":"a"}"#, Control.Release(job: "a")),
    ("{}", Control.Clock()), ("{}", Control.PauseClock()), ("{}", Control.ResumeClock()),
    ("{}", Control.StepClock()), (#"{"speed":"max"}"#, Control.SetClockSpeed(speed: "max")),
    (#"{"to":"in 2h"}"#, Control.LeapClock(to: "in 2h")),
    ("{}", Control.Mode()), (#"{"mode":"low-frequency"}"#, Control.SetMode(mode: .lowFrequency)),
    (#"{"mode":"auto"}"#, Control.SetMode(mode: .auto)),
    (
      #"{"mode":"low-frequency","cadence":"seconds"}"#,
      Control.SetMode(mode: .lowFrequency, cadence: .seconds)
    ),
    (#"{"run":7}"#, Control.Cancel(run: 7)), ("{}", Control.Stop()),
    (#"{"now":true}"#, Control.Stop(now: true)),
  ]

  @Test(arguments: validCalls.indices)
  func `a valid call is read`(index: Int) throws {
    let (parameters, call) = Self.validCalls[index]
    let read = try Samples.read(Self.call(type(of: call).name, parameters))
    #expect(try Samples.text(of: read) == Samples.text(of: call))
  }

  private static func call(_ method: String, _ parameters: String) throws -> VarlinkCall {
    try #require(
      VarlinkCall(
        Array(#"{"method":"io.timelined.Control.\#(method)","parameters":\#(parameters)}"#.utf8),
        id: VarlinkCall.ID(number: 1)))
  }

  @Test func `the errors have the parameters of the description`() throws {
    let description = try InterfaceDescription(parsing: ControlInterface.description)
    for error in Self.errors {
      let sent = error.varlink
      let parts = sent.name.split(separator: ".")
      guard parts.dropLast().joined(separator: ".") == ControlInterface.name else { continue }
      let fields = try #require(description.errors[String(parts.last ?? "")])
      for field in fields where sent.parameters[field.name] == nil {
        #expect(field.kind == .optional(.string))
      }
      #expect(Set(sent.parameters.keys).isSubset(of: fields.map(\.name)))
    }
  }

  static let errors: [ControlError] = [
    .noSuchJob(job: "repotr", nearest: "report"), .noSuchJob(job: "x", nearest: nil),
    .jobDisabled(job: "off"), .noSuchRun(run: "9", running: "7 (report)"), .noSuchRun(run: "9", running: ""),
    .badMoment(text: "noon", reason: "\"noon\" is not a time"), .noSuchZone(zone: "Mars/Olympus"),
    .tooManyClients(limit: 224), .backupFailed(reason: "no room"),
    .waitWithoutEnd(job: "leaf", reason: "a waits for b"), .notRehearsing,
    .badSpeed(text: "abc", reason: "expected a number"), .nothingToCome,
    .reloadFailed(diagnostics: "a.toml:1:2: no"), .shuttingDown, .configurationRefused,
    .permissionDenied,
    .backfillRefused(job: "report", reason: "it has one"),
    .backfillQuestion(job: "report", reason: "20000 entries"),
    .entryKept(job: "report"), .entryTaken(job: "report"),
    .replyTooLong(method: "io.timelined.Control.List"),
    .replyFailed(method: "io.timelined.Control.List", reason: "no number"),
  ]

  @Test(arguments: errors)
  func `an error that is sent is recognized by its receiver`(error: ControlError) {
    #expect(ControlError(error.varlink) == error)
    #expect(!error.description.isEmpty)
  }

  @Test func `instants keep their nanoseconds both ways`() throws {
    let json = try JSONEncoder().encode([Timestamp(Samples.start)])
    #expect(String(decoding: json, as: UTF8.self) == #"["2026-11-18T11:06:40.123456789Z"]"#)
    #expect(try JSONDecoder().decode([Timestamp].self, from: json) == [Timestamp(Samples.start)])
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode([Timestamp].self, from: Data(#"["noon"]"#.utf8))
    }
    for sample in [Samples.status, Samples.bareStatus] {
      #expect(try JSONDecoder().decode(StatusReply.self, from: JSONEncoder().encode(sample)) == sample)
    }
  }

  @Test func `durations and lateness follow from the instants, and counts of zero are left out`() {
    #expect(Samples.end.latenessNanoseconds == 42)
    #expect(Samples.end.durationNanoseconds == 9_999_999_958)
    #expect(Samples.bareEnd.durationNanoseconds == nil && Samples.bareEnd.latenessNanoseconds == nil)
    #expect(Samples.job.outcomes == ["succeeded": 4, "dst-gap": 1])
  }

  @Test func `a zone change has the first moved entries and their total number`() {
    let moves = (0..<1_000).map { ZoneChangeReport.Move(job: "job\($0)", before: .epoch, after: nil) }
    let report = ZoneChangeReport(at: .epoch, zones: ["Europe/Berlin"], moves: moves)
    #expect(report.movedCount == 1_000)
    #expect(report.moves == Array(moves.prefix(100)))
  }

  private func check(
    _ value: Any?, _ kind: Kind, _ description: InterfaceDescription, isFull: Bool, at place: String
  ) throws {
    switch kind {
    case .optional(let inner):
      #expect((value != nil) == isFull, "\(place) is optional")
      if value != nil { try check(value, inner, description, isFull: isFull, at: place) }
    case .string: #expect(value is String, "\(place)")
    case .bool: #expect(value is Bool, "\(place)")
    case .int: #expect(value is Int, "\(place)")
    case .float: #expect(value is Double, "\(place)")
    case .object: #expect(value is [String: Any], "\(place)")
    case .named(let name):
      let fields = try #require(description.types[name])
      try check(value, .structure(fields), description, isFull: isFull, at: place)
    case .array(let inner):
      let elements = try #require(value as? [Any], "\(place)")
      #expect(elements.isEmpty != isFull, "\(place)")
      for element in elements { try check(element, inner, description, isFull: isFull, at: "\(place)[]") }
    case .map(let inner):
      let values = try #require(value as? [String: Any], "\(place)")
      for (key, value) in values {
        try check(value, inner, description, isFull: isFull, at: "\(place)[\(key)]")
      }
    case .structure(let fields):
      let object = try #require(value as? [String: Any], "\(place)")
      #expect(Set(object.keys).isSubset(of: fields.map(\.name)), "\(place)")
      for field in fields {
        try check(object[field.name], field.kind, description, isFull: isFull, at: "\(place).\(field.name)")
      }
    }
  }
}
