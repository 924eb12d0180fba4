import Testing
import TimelineConfiguration
import TimelineCore
import TimelineTestSupport

/// Jobs in one file, which share their common parts, against the same jobs in files of their own.
@Suite struct AlikeJobsTests {
  private static let rests = [
    "plugin = 'log'\nwith = { message = 'x' }",
    "plugin = 'log'\nwith = { message = 'x', level = 3, ratio = 0.5, deep = { list = [1, 'a', 2026-01-02] } }",
    "plugin = 'exec'\nwith = { message = 'x' }\ntimeout = '10m'",
    "plugin = 'exec'\nmissed = 'all'\noverlap = 'buffer-all'\nretry = { attempts = 3 }",
    "plugin = 'exec'\nprecision = 'spin'\ntime-zone = 'Europe/Berlin'",
    "plugin = 'exec'\nenvironment = { A = 'b' }\nlimits = { memory = '256M' }\nenabled = false",
    "plugin = 'log'\ndescription = 'one'\nuser = 'nobody'",
    "plugin = 'log'\ngrace = '10s'",
    "plugin = 'nothing'",
    "plugin = 'log'\nwith = 3\numask = '1'",
  ]
  /// The number of ``rests`` without a diagnostic, and of ``schedules`` without an error; these come first.
  private static let (rightRests, rightSchedules) = (7, 9)
  private static let schedules = [
    "'every-minute'", "{ cron = '5 4 * * *' }", "{ cron = '6 4 * * *', jitter = '1s' }",
    "{ cron = '7 4 * * 1', accuracy = '1s' }",
    "{ periodic = { by = '1h' } }", "{ periodic = { by = '2s' } }", "{ explicit = [2020-01-01T00:00:00Z] }",
    "{ calendar = 'Mon 08:00' }", "{ any = [{ cron = '8 8 * * *' }, 'every-minute'] }",
    "{ animation = {} }", "{ periodic = { by = '10ms' } }", "{ cron = '5 4 31 2 *' }", "{ cron = 'x' }", "3",
    "{}",
  ]

  /// Reads the jobs in one file, and each alone on the same lines; returns the diagnostics, and the jobs if none is wrong.
  private func read(_ texts: [String]) throws -> (together: [String], alone: [String], jobs: [(Job, Job)]) {
    var (line, alone, single) = (0, [Diagnostic](), [Job]())
    for text in texts {
      let bytes = Array((String(repeating: "\n", count: line) + text).utf8)
      line += text.split(separator: "\n", omittingEmptySubsequences: false).count - 1
      switch Configuration.read([ConfigurationSource(path: "a.toml", bytes: bytes)], in: .golden) {
      case .success(let configuration):
        alone += configuration.warnings
        single += configuration.jobs
      case .failure(let refusal): alone += refusal.diagnostics
      }
    }
    let source = ConfigurationSource(path: "a.toml", bytes: Array(texts.joined().utf8))
    let texts = alone.map { $0.text() }
    switch Configuration.read([source], in: .golden) {
    case .success(let configuration):
      let said = configuration.warnings.map { $0.text() }
      return (said.filter { !$0.contains("at one instant") }, texts, Array(zip(configuration.jobs, single)))
    case .failure(let refusal): return (refusal.diagnostics.map { $0.text() }, texts, [])
    }
  }

  private func job(_ index: Int, _ rest: String, _ schedule: String, isFirst: Bool) -> String {
    let schedule = "schedule = \(schedule)"
    return "[job.j\(index)]\n" + (isFirst ? [schedule, rest] : [rest, schedule]).joined(separator: "\n")
      + "\n"
  }

  @Test(arguments: [true, false]) func `jobs in a row are read as each alone`(_ areRight: Bool) throws {
    let seed: UInt64 = 1
    var random = SeededGenerator(seed: seed)
    for _ in 0..<30 {
      let rests = areRight ? Self.rests.prefix(Self.rightRests) : Self.rests[...]
      let schedules = areRight ? Self.schedules.prefix(Self.rightSchedules) : Self.schedules[...]
      var rest = rests[0]
      let texts = (0..<40).map { index in
        if Int.random(in: 0..<4, using: &random) == 0 { rest = rests.randomElement(using: &random) ?? rest }
        let schedule = schedules.randomElement(using: &random) ?? ""
        return job(index, rest, schedule, isFirst: Int.random(in: 0..<8, using: &random) == 0)
      }
      let (together, alone, jobs) = try read(texts)
      #expect(together == alone, "seed \(seed)")
      if areRight { #expect(jobs.count == texts.count, "seed \(seed)") }
      for (one, other) in jobs {
        #expect(one.definition == other.definition, "seed \(seed)")
        #expect(one.parameters == other.parameters && one.summary == other.summary, "seed \(seed)")
        #expect(one.zone == other.zone && one.setup == other.setup && one.user == other.user, "seed \(seed)")
        #expect(one.timing == other.timing && one.isEnabled == other.isEnabled, "seed \(seed)")
        #expect(one.precision == other.precision && one.plugin == other.plugin, "seed \(seed)")
      }
    }
  }

  @Test func `a name given twice is found however alike the jobs are`() throws {
    let text = job(1, Self.rests[0], Self.schedules[0], isFirst: false)
    let sources = ["a.toml", "b.toml"].map { ConfigurationSource(path: $0, bytes: Array(text.utf8)) }
    guard case .failure(let refusal) = Configuration.read(sources, in: .golden) else {
      Issue.record("it was taken")
      return
    }
    #expect(refusal.diagnostics.map(\.message) == ["there are two jobs `j1`"])
  }
}
