import Foundation
import Testing
import TimelineCore

@testable import TimelineConfiguration

/// A listing means the same as the files that it was made of.
@Suite struct ListingTests {
  private func expectTheSame(_ sources: [ConfigurationSource]) throws {
    let configuration = try Configuration.read(sources, in: .golden).get()
    let listing = configuration.listing()
    let printed = ConfigurationSource(path: "printed.toml", bytes: Array(listing.text.utf8))
    let again = try Configuration.read([printed], in: .golden).get()
    #expect(again.daemon == configuration.daemon)
    #expect(again.groups == configuration.groups)
    #expect(again.files == configuration.files)
    #expect(again.expectations.map(\.expectation) == configuration.expectations.map(\.expectation))
    #expect(again.jobs.map(\.name) == configuration.jobs.map(\.name))
    for (job, former) in zip(again.jobs, configuration.jobs) {
      #expect(job.schedule == former.schedule && job.revision == former.revision, "\(job.name)")
      #expect(job.traits.values == former.traits.values, "\(job.name)")
      #expect(job.parameters == former.parameters && job.summary == former.summary, "\(job.name)")
    }
    // They come in the order of the lines, which is the reference's in what was printed.
    #expect(again.warnings.map(\.message).sorted() == configuration.warnings.map(\.message).sorted())
    // The same once more except for the origins: every default is in the text now.
    #expect(
      again.listing().tables.map(\.values).map { $0.map { [$0.key, $0.text] } }
        == listing.tables.map(\.values).map { $0.map { [$0.key, $0.text] } })
  }

  @Test(arguments: GoldenCase.all(in: "Right"))
  func `a right file means the same when it is printed and read again`(golden: GoldenCase) throws {
    try expectTheSame(golden.sources())
  }

  /// Files with warnings alone are right too.
  @Test func `a file with warnings means the same when it is printed and read again`() throws {
    var count = 0
    for golden in GoldenCase.all(in: "Wrong") {
      guard let sources = try? golden.sources(), sources.count == 1,
        case .success = Configuration.read(sources, in: .golden)
      else { continue }
      count += 1
      try expectTheSame(sources)
    }
    #expect(count > 5)
  }

  @Test func `defaults are listed beside the values of the files, each with its origin`() throws {
    let sources = [
      ("main.toml", "[daemon]\nplugin-hosts-max = 8\n\n[group.\"a.b\"]\nlimit = 2\n"),
      (
        "jobs.d/x.toml",
        "[job.x]\nplugin = \"log\"\nschedule.cron = \"@daily\"\nretry.attempts = 3\ntimeout = \"1m\"\n"
      ),
    ].map { ConfigurationSource(path: $0, bytes: Array($1.utf8)) }
    let listing = try Configuration.read(sources, in: .golden).get().listing(
      [.init("daemon", "state-directory", string: "/s", origin: "--state")])
    let lines = listing.text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      line.split(separator: " # ").map { $0.trimmingCharacters(in: .whitespaces) }.joined(separator: " # ")
    }
    #expect(
      lines == [
        "[daemon] # main.toml:1", #"time-zone = "UTC" # default"#, #"state-directory = "/s" # --state"#,
        #"log-level = "info" # default"#, "plugin-hosts-max = 8 # main.toml:2",
        #"drain-timeout = "30s" # default"#, #"mode = "auto" # default"#,
        "",
        "[ledger]", #"retention = "30d" # default"#, "entries-per-job = 10000 # default",
        #"damaged = "set-aside" # default"#, "", #"[group."a.b"] # main.toml:4"#, "limit = 2 # main.toml:5",
        "",
        "[job.x] # jobs.d/x.toml:1", #"plugin = "log" # jobs.d/x.toml:2"#,
        #"schedule = { cron = "@daily" } # jobs.d/x.toml:3"#, #"time-zone = "UTC" # default"#,
        "with = {} # default", #"timeout = "1m" # jobs.d/x.toml:5"#, #"grace = "10s" # default"#,
        #"expected-duration = "0s" # default"#, #"missed = "latest" # default"#,
        #"overlap = "skip" # default"#,
        "concurrency = 1 # default",
        #"retry = { attempts = 3, backoff = { from = "1s", to = "1m" }, jitter = "10%" } # jobs.d/x.toml:4"#,
        #"delivery = "at-most-once" # default"#, "priority = 0 # default",
        "no-new-privileges = true # default", #"sandbox = "default" # default"#,
        #"isolation = "host" # default"#, #"precision = "timer" # default"#, "enabled = true # default", "",
      ], "\(listing.text)")
    let job = try #require(listing.tables.last)
    #expect(job.path == ["job", "x"] && job.origin == "jobs.d/x.toml:1")
    let json = listing.jsonLines.split(separator: "\n")
    #expect(json.count == listing.tables.count)
    #expect(
      json[0]
        == #"{"table":["daemon"],"origin":"main.toml:1","values":{"time-zone":"UTC","state-directory":"/s","#
        + #""log-level":"info","plugin-hosts-max":8,"drain-timeout":"30s","mode":"auto"},"origins":{"time-zone":"default","#
        + #""state-directory":"--state","log-level":"default","plugin-hosts-max":"main.toml:2","drain-timeout":"default","mode":"default"}}"#
    )
  }

  @Test func `a job is listed with the defaults of its file, each with its origin`() throws {
    let text =
      "[defaults]\nplugin = 'log'\npriority = 7\non-failure = { job = 'b', remind = '24h' }\nenvironment = { A = '1', B = '1' }\n"
      + "[job.a]\nschedule = 'every-minute'\nenvironment.B = '2'\n[job.b]\nschedule = 'on-demand'\n"
    let source = ConfigurationSource(path: "a.toml", bytes: Array(text.utf8))
    let tables = try Configuration.read([source], in: .golden).get().listing().tables.suffix(2)
    let lines = tables.map { table in
      table.values.filter { $0.origin != "default" }.map { "\($0.key) = \($0.text) # \($0.origin)" }
    }
    #expect(
      lines == [
        [
          #"plugin = "log" # a.toml:2"#, "schedule = \"every-minute\" # a.toml:7", "priority = 7 # a.toml:3",
          #"on-failure = { job = "b", after = 1, remind = "1d" } # a.toml:4"#,
          #"environment = { A = "1", B = "2" } # a.toml:8"#,
        ],
        [
          #"plugin = "log" # a.toml:2"#, "schedule = \"on-demand\" # a.toml:10", "priority = 7 # a.toml:3",
          #"environment = { A = "1", B = "1" } # a.toml:5"#,
        ],
      ])
  }

  /// Tables of low-frequency mode, and how they are listed.
  static let lowFrequency: [(written: String, listed: String)] = [
    ("{}", #"{ on-battery = false, cadence = "minutes" }"#),
    (
      #"{ pressure = { io = "40%", cpu = "060%" } }"#,
      #"{ on-battery = false, pressure = { cpu = "60%", io = "40%", for = "30s", release = "50%" }, cadence = "minutes" }"#
    ),
    (
      #"{ cadence = "seconds", pressure = { memory = "5%", release = "80%", for = "0s" }, on-battery = true }"#,
      #"{ on-battery = true, pressure = { memory = "5%", for = "0s", release = "80%" }, cadence = "seconds" }"#
    ),
  ]

  @Test(arguments: lowFrequency.indices)
  func `conditions of low-frequency mode have their defaults`(index: Int) throws {
    let (written, listed) = Self.lowFrequency[index]
    let text = "[daemon]\nlow-frequency = \(written)\n"
    let source = ConfigurationSource(path: "a.toml", bytes: Array(text.utf8))
    let values = try Configuration.read([source], in: .golden).get().listing().tables[0].values
    #expect(values.first { $0.key == "low-frequency" }?.text == listed)
  }

  @Test func `a comment has no control characters, and a key its quotes`() throws {
    let source = ConfigurationSource(
      path: "a\u{1B}b\n.toml",
      bytes: Array(
        "[job.\"a.b\"]\nplugin = \"log\"\nschedule = \"on-demand\"\nwith = { \"é \" = \"x\\n\" }".utf8))
    let text = try Configuration.read([source], in: .golden).get().listing().text
    #expect(text.contains(#"[job."a.b"]"#) && text.contains(#"with = { "é " = "x\n" }"#), "\(text)")
    #expect(text.contains("# a?b?.toml:1\n") && !text.contains("\u{1B}"), "\(text)")
  }
}
