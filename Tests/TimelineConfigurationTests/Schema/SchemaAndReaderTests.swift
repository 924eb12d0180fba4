import Testing
import TimelineConfiguration
import TimelineCore
import TimelineJSON

/// The schema for editors takes the texts and numbers that the reader takes.
@Suite struct SchemaAndReaderTests {
  /// Pattern of the schema, a file with TEXT in place of the value, texts that are right, and texts that are wrong.
  struct Pattern: Sendable, CustomTestStringConvertible {
    var pointer: String
    var file: String
    var right: [String]
    var wrong: [String]

    var testDescription: String { pointer }

    init(_ pointer: String, _ file: String, right: [String], wrong: [String]) {
      self.pointer = pointer
      self.file = file
      self.right = right
      self.wrong = wrong
    }

    init(_ pointer: String, ofJob line: String, right: [String], wrong: [String]) {
      self.init(
        pointer, "[job.it]\nplugin = 'log'\nschedule = 'every-minute'\n\(line)", right: right, wrong: wrong)
    }
  }

  private static let cluster = "[cluster]\nstore = { postgresql = { credential = 'pg' } }"
  private static let job = "[job.it]\nplugin = 'log'\nschedule = 'every-minute'"

  private static let civil = "/definitions/schedule/oneOf/1/properties/civil"
  private static let pick = "/definitions/schedule/oneOf/1/properties/pick/properties/nth"
  private static func schedule(_ keys: String) -> String {
    "[job.it]\nplugin = 'log'\nschedule = { civil = { \(keys) } }"
  }

  static let patterns: [Pattern] = [
    Pattern(
      "/definitions/duration/pattern", ofJob: "expected-duration = 'TEXT'",
      right: [
        "1w", "1d", "1h30m", "90s", "1.5s", "250ms", "5us", "5\u{B5}s", "5\u{3BC}s", "1s5\u{B5}s", "40ns",
        "1w2d3h4m5s6ms7us8ns",
      ],
      wrong: ["", "s", "5", "5 s", "5min", "1.s", ".5s", "-1s", "5\u{B5}", "1y"]),
    Pattern(
      "/definitions/job/properties/umask/pattern", ofJob: "umask = 'TEXT'",
      right: ["000", "0000", "077", "0077", "0777"],
      wrong: ["", "77", "1077", "00077", "088", "0o77", "u=rwx", "-077"]),
    Pattern(
      "/definitions/percentage/pattern", ofJob: "retry = { attempts = 2, jitter = 'TEXT' }",
      right: ["0%", "7%", "50%", "100%", "007%"],
      wrong: ["", "%", "10", "101%", "200%", "1.5%", "-1%", "+1%"]
    ),
    Pattern(
      "/definitions/size/pattern", ofJob: "limits = { memory = 'TEXT' }",
      right: ["65536K", "256M", "0256M", "2G", "1T"],
      wrong: ["", "M", "1073741824", "256m", "256MB", "1.5G", "-1G", "256 M"]),
    Pattern(
      "/definitions/limits/properties/io/pattern", ofJob: "limits = { io = 'TEXT' }",
      right: ["idle", "best-effort:0", "best-effort:7"],
      wrong: ["", "best-effort", "best-effort:8", "best-effort:07", "best-effort:+1", "realtime:0", "idle:0"]),
    Pattern(
      "/definitions/run-limits/properties/cpu/pattern", ofJob: "run-limits = { cpu = 'TEXT' }",
      right: ["1%", "50%", "0400%", "99999%"],
      wrong: ["", "%", "50", "0%", "1.5%", "-1%", "+1%", "1000000%"]),
    Pattern(
      "/definitions/path/pattern", ofJob: "working-directory = 'TEXT'",
      right: ["/", "/srv/data", "/with blank"], wrong: ["", "srv", "./srv", "~/srv"]),
    Pattern(
      "/definitions/environment-file/pattern", ofJob: "environment-file = 'TEXT'",
      right: ["/etc/default/x", "-/etc/default/x", "/with blank"],
      wrong: ["", "-", "etc", "--/etc/x", "- /etc/x"]
    ),
    Pattern(
      "/definitions/writable-path/pattern", ofJob: "sandbox = { writable = ['TEXT'] }",
      right: ["/srv", "-/srv", "/with blank"], wrong: ["", "-", "srv", "--/srv", "~/srv"]),
    Pattern(
      "/definitions/job/properties/sha256/pattern", ofJob: "sha256 = 'TEXT'",
      right: [String(repeating: "0", count: 64), String(repeating: "aF", count: 32)],
      wrong: [
        "", String(repeating: "0", count: 63), String(repeating: "g", count: 64),
        String(repeating: "0", count: 65),
      ]),
    Pattern(
      "/definitions/job-name/pattern", "[job.'TEXT']\nplugin = 'log'\nschedule = 'every-minute'",
      right: ["a", "0", "A.b-c_d", String(repeating: "n", count: 64)],
      wrong: ["", "-a", ".a", "_a", "a b", "a/b", "\u{E9}", String(repeating: "n", count: 65)]),
    Pattern(
      "/definitions/job/properties/environment/propertyNames/pattern",
      ofJob: "environment = { 'TEXT' = 'x' }",
      right: ["LANG", "_x", "a1"], wrong: ["", "1a", "A-B", "A B", "\u{C4}"]),
    Pattern(
      "/definitions/instant/pattern", "[job.it]\nplugin = 'log'\nschedule = { explicit = [TEXT] }",
      right: [
        "2026-11-26T08:00:00Z", "2026-11-26t08:00:00", "2026-11-26 08:00:00+01:00", "2026-11-26T08:00:00.25Z",
      ],
      wrong: ["2026-11-26", "08:00:00", "26-11-26T08:00:00Z", "2026-11-26T08:00Z"]),
    Pattern(
      "/properties/holidays/additionalProperties/properties/dates/items/pattern",
      "[holidays.it]\ndates = [TEXT]",
      right: ["2026-12-25"], wrong: ["2026-12", "12-25", "2026-12-25T00:00:00Z"]),
    Pattern(
      civil + "/properties/every/pattern", schedule("every = 'TEXT', from = 2026-01-05, at = ['09:00']"),
      right: ["1 day", "2 weeks", "12 months", "100 years", "1000 days", "02 weeks"],
      wrong: ["", "2w", "0 days", "1001 days", "2  weeks", "2 weeks ", "weeks", "2 Weeks", "2 hours"]),
    Pattern(
      civil + "/properties/from/pattern", schedule("every = '1 day', from = TEXT, at = ['09:00']"),
      right: ["2026-01-05"], wrong: ["2026-01", "01-05", "2026-01-05T00:00:00Z"]),
    Pattern(
      civil + "/properties/at/items/pattern", schedule("every = '1 day', from = 2026-01-05, at = ['TEXT']"),
      right: ["00:00", "09:30", "19:00", "23:59:59"],
      wrong: ["", "9:00", "24:00", "09:60", "09:00:60", "09:00:00.5", "0900", "09"]),
    Pattern(
      "/definitions/local-time/pattern",
      "[job.it]\nplugin = 'log'\nschedule = { rrule = 'FREQ=DAILY', from = TEXT, exdate = [2026-01-01T00:00:00] }",
      right: ["2026-11-26T08:00:00", "2026-11-26t08:00:00", "2026-11-26 08:00:00"],
      wrong: ["2026-11-26", "08:00:00", "2026-11-26T08:00:00Z", "2026-11-26T08:00:00.25"]),
    Pattern(
      "/definitions/label-word/pattern", "\(cluster)\nname = 'TEXT'",
      right: ["prod", "a.b-c_d", "7", String(repeating: "n", count: 64)],
      wrong: ["", "a b", "a/b", "\u{E9}", String(repeating: "n", count: 65)]),
    Pattern(
      "/properties/cluster/properties/store/properties/postgresql/properties/credential/pattern",
      "[cluster]\nname = 'prod'\nstore = { postgresql = { credential = 'TEXT' } }",
      right: ["pg", "timelined-pg", "/etc/timelined/pg"], wrong: ["", "host=db", "etc/pg"]),
    Pattern(
      "/properties/cluster/properties/store/properties/etcd/properties/endpoints/items/pattern",
      "[cluster]\nname = 'prod'\nstore = { etcd = { endpoints = ['TEXT'] } }",
      right: ["https://etcd1:2379", "http://127.0.0.1:2379", "https://[::1]:2379"],
      wrong: ["", "etcd1:2379", "https://", "https://a:2379/", "ftp://a:1", "http://a b:1", "http://u:p@a:1"]),
    Pattern(
      "/properties/cluster/properties/store/properties/etcd/properties/credential/pattern",
      "[cluster]\nname = 'prod'\nstore = { etcd = { endpoints = ['http://a:2379'], credential = 'TEXT' } }",
      right: ["etcd", "/etc/timelined/etcd"], wrong: ["", "user:password", "etc/etcd"]),
    Pattern(
      "/properties/cluster/properties/node/properties/labels/propertyNames/pattern",
      "\(cluster)\nname = 'prod'\nnode = { labels = { 'TEXT' = 'db' } }",
      right: ["role", "a.b-c_d"], wrong: ["", "a b", "role="]),
    Pattern(
      "/definitions/job/properties/where/items/pattern",
      "\(cluster)\nname = 'prod'\n\(job)\nrun-on = 'one'\nwhere = ['TEXT']",
      right: ["role=db", "!zone=c"], wrong: ["", "role", "role=", "=db", "!!a=b", "a = b"]),
  ]

  @Test(arguments: patterns)
  func `a pattern accepts what the reader accepts`(pattern: Pattern) throws {
    guard case .string(let text)? = ConfigurationSchema.value().value(at: pattern.pointer) else {
      Issue.record("no pattern at \(pattern.pointer)")
      return
    }
    let expression = try Regex(text)
    for (value, isRight) in pattern.right.map({ ($0, true) }) + pattern.wrong.map({ ($0, false) }) {
      #expect(value.contains(expression) == isRight, "the schema: \(value)")
      let bytes = Array(pattern.file.replacing("TEXT", with: value).utf8)
      let result = Configuration.read([ConfigurationSource(path: "a.toml", bytes: bytes)], in: .golden)
      let isTaken = if case .success = result { true } else { false }
      #expect(isTaken == isRight, "the reader: \(value)")
    }
  }

  /// Bounds of a number, or of the count of an array, an object or a string, and the reader's.
  static let bounds: [(pointer: String, range: ClosedRange<Int64>)] = [
    ("/properties/daemon/properties/plugin-hosts-max", 1...ConfigurationLimits.hostCountMax),
    ("/properties/ledger/properties/entries-per-job", 1...ConfigurationLimits.entriesPerJobMax),
    ("/properties/group/additionalProperties/properties/limit", 1...ConfigurationLimits.groupLimitMax),
    ("/properties/expect-schedule", 0...Int64(ConfigurationLimits.expectationCountMax)),
    ("/definitions/path", 0...Int64(JobLimits.pathMax)),
    ("/definitions/environment-file", 0...Int64(JobLimits.environmentFilePathsMax)),
    (
      "/definitions/job/properties/environment-file/oneOf/1", 0...Int64(JobLimits.environmentFilesMax)
    ),
    ("/definitions/writable-path", 0...Int64(JobLimits.writablePathsByteCountMax)),
    (
      "/definitions/job/properties/sandbox/oneOf/1/properties/writable",
      0...Int64(JobLimits.writablePathsMax)
    ),
    ("/definitions/windows", 1...Int64(ComposedSchedule.windowCountMax)),
    (
      "/definitions/schedule/oneOf/1/properties/explicit",
      1...Int64(ConfigurationLimits.explicitInstantCountMax)
    ),
    ("/definitions/schedule/oneOf/1/properties/rdate", 0...Int64(RecurrenceRule.dateCountMax)),
    ("/definitions/schedule/oneOf/1/properties/exdate", 0...Int64(RecurrenceRule.dateCountMax)),
    (civil + "/properties/on", 1...Int64(Weekday.allCases.count)),
    (civil + "/properties/at", 1...Int64(CivilRecurrence.timeCountMax)),
    (pick, 1...Int64(EntryPick.positionCountMax)),
    (pick + "/items", -Int64(EntryPick.positionMax)...Int64(EntryPick.positionMax)),
    ("/definitions/schedule/oneOf/1/properties/any", 1...Int64(ComposedSchedule.memberCountMax)),
    ("/definitions/schedule/oneOf/1/properties/limit", 1...Int64(ComposedSchedule.limitMax)),
    ("/definitions/limits/properties/open-files", ConfigurationLimits.openFileCountRange),
    ("/definitions/limits/properties/processes", ConfigurationLimits.processCountRange),
    ("/definitions/run-limits/properties/tasks", ConfigurationLimits.processCountRange),
    ("/definitions/limits/properties/nice", -20...19),
    ("/definitions/job/properties/concurrency", 1...ConfigurationLimits.concurrencyMax),
    ("/definitions/job/properties/waiting-max", 1...ConfigurationLimits.waitingCountMax),
    ("/definitions/job/properties/groups", 0...Int64(ConfigurationLimits.groupsPerJobMax)),
    ("/definitions/job/properties/retry/properties/attempts", 2...ConfigurationLimits.attemptCountMax),
    ("/definitions/reaction/oneOf/1/properties/after", 1...ConfigurationLimits.incidentFailureCountMax),
    (
      "/definitions/job/properties/priority",
      -ConfigurationLimits.priorityMax...ConfigurationLimits.priorityMax
    ),
    ("/definitions/job/properties/where", 0...Int64(ClusterConfiguration.labelsMax)),
    ("/properties/cluster/properties/node/properties/labels", 0...Int64(ClusterConfiguration.labelsMax)),
    ("/properties/cluster/properties/store", 1...1),
    (
      "/properties/cluster/properties/store/properties/etcd/properties/endpoints",
      1...Int64(ClusterConfiguration.Store.endpointsMax)
    ),
    ("/definitions/job/properties/environment", 0...Int64(JobLimits.variablesMax)),
    ("/definitions/job/properties/credentials", 0...Int64(JobLimits.credentialsMax)),
    ("/definitions/job/properties/description", 0...Int64(ConfigurationLimits.summaryByteCountMax)),
    ("/definitions/expect-schedule/properties/per-day", 0...ConfigurationLimits.entriesPerDayMax),
  ]

  @Test func `bounds are those of the reader`() {
    let schema = ConfigurationSchema.value()
    for (pointer, range) in Self.bounds {
      func number(_ keys: [String]) -> Int64? {
        for key in keys {
          if case .integer(let number)? = schema.value(at: "\(pointer)/\(key)") { return number }
        }
        return nil
      }
      #expect(number(["minimum", "minItems", "minProperties"]) ?? 0 == range.lowerBound, "\(pointer)")
      #expect(
        number(["maximum", "maxItems", "maxLength", "maxProperties"]) == range.upperBound, "\(pointer)")
    }
  }

  @Test func `no pattern and no bound is left out`() {
    let keys = Self.keys(of: ConfigurationSchema.value(), at: "")
    #expect(Set(keys.filter { $0.hasSuffix("/pattern") }) == Set(Self.patterns.map(\.pointer)))
    let bounded = ["/maximum", "/maxItems", "/maxLength", "/maxProperties", "/minimum"].flatMap { suffix in
      keys.filter { $0.hasSuffix(suffix) }.map { String($0.dropLast(suffix.count)) }
    }
    #expect(Set(bounded) == Set(Self.bounds.map(\.pointer)))
  }

  /// Pointers to all members of objects below a value.
  private static func keys(of value: JSONValue, at pointer: String) -> [String] {
    switch value {
    case .object(let object):
      object.flatMap { ["\(pointer)/\($0.key)"] + keys(of: $0.value, at: "\(pointer)/\($0.key)") }
    case .array(let elements):
      elements.enumerated().flatMap { keys(of: $0.element, at: "\(pointer)/\($0.offset)") }
    default: []
    }
  }
}
