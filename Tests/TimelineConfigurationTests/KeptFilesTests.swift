import Testing
import TimelineCore
import TimelineEngine
import TimelineTestSupport

@testable import TimelineConfiguration

/// A file that says what it said before is not read again: what comes of the files is what comes of reading them all.
@Suite struct KeptFilesTests {
  private static let heads = [
    "", "", "", "", "[group.db]\nlimit = 2\n", "[holidays.h]\ndates = [2026-12-25]\n",
    "[[expect-schedule]]\njob = 'f1-0'\n", "[daemon]\n", "surplus = 1\n",
  ]
  private static let rests = [
    "plugin = 'log'\nwith = { message = 'x' }", "plugin = 'log'\nwith = { message = 'x' }",
    "plugin = 'exec'\nwith = { command = ['a'] }\ntimeout = '10m'", "plugin = 'exec'\nconcurrency = 3",
    "plugin = 'log'\ntime-zone = 'Europe/Berlin'", "plugin = 'log'\nenabled = false",
    "plugin = 'log'\ngroups = ['db']", "plugin = 'log'\non-failure = 'f0-0'", "plugin = 'http'",
  ]
  private static let schedules = [
    "{ cron = '5 4 * * *' }", "{ cron = '6 4 * * *' }", "{ cron = '7 4 1 1 *', jitter = '1s' }",
    "'every-minute'", "'on-demand'", "{ cron = '@reboot' }", "{ periodic = { by = '1h' } }",
    "{ explicit = [2026-08-01T00:00:00Z] }", "{ cron = '0 * * * *', ends = 2026-08-01T00:00:00Z }",
    "{ calendar = 'Mon 08:00 Europe/Berlin' }", "{ cron = '1 1 * * *', except = ['holidays h'] }",
    "{ cron = 'wrong' }",
  ]

  /// The text of one file; mostly nothing is wrong with it.
  private func file(_ name: String, _ random: inout SeededGenerator) -> String {
    let isPlain = Int.random(in: 0..<10, using: &random) > 0
    var text = isPlain ? "" : Self.heads.randomElement(using: &random) ?? ""
    for number in 0..<Int.random(in: 1...4, using: &random) {
      let rest = isPlain ? Self.rests[number % 5] : Self.rests.randomElement(using: &random) ?? ""
      let schedule = isPlain ? Self.schedules.prefix(10) : Self.schedules[...]
      let owner = isPlain || Bool.random(using: &random) ? name : "f0"
      text +=
        "[job.\(owner)-\(number)]\n\(rest)\nschedule = \(schedule.randomElement(using: &random) ?? "")\n"
    }
    return text
  }

  /// Everything that a configuration says, and where it says it.
  private func account(_ result: Result<Configuration, ConfigurationRefusal>) -> [String] {
    switch result {
    case .failure(let refusal): return refusal.diagnostics.map { $0.text() }
    case .success(let configuration):
      let jobs = configuration.jobs.enumerated().map { index, job in
        "\(job.name) \(job.schedule) \(job.revision) \(job.plugin) \(job.parameters) \(job.isEnabled) \(job.zone.name)"
          + " \(job.timing) \(job.policies) \(configuration.place(of: job.name)) \(configuration.pluginPlace(ofJobAt: index))"
      }
      let schema = #"{ "type": "object", "properties": { "message": { "type": "integer" } } }"#
      let checked = configuration.check(parametersOf: configuration.jobs.map(\.name), against: schema)
      return configuration.warnings.map { $0.text() } + jobs + checked.map { $0.text() }
        + configuration.sources.map { "\($0.path) \($0.bytes.count)" }
        + configuration.groups.map { "\($0.key) \($0.value)" }.sorted()
        + ["\(configuration.expectations.count) \(configuration.files.count) \(configuration.daemon)"]
    }
  }

  private func equal(_ kept: Configuration, _ read: Configuration) -> Bool {
    zip(kept.jobs, read.jobs).allSatisfy { $0.definition == $1.definition && $0.zone == $1.zone }
  }

  @Test func `files that stay are what they would be if they were read`() throws {
    let seed = UInt64.random(in: 0...UInt64.max)
    var random = SeededGenerator(seed: seed)
    var keptCount = 0
    for _ in 0..<60 {
      var texts = (0..<6).map { (name: "f\($0)", text: file("f\($0)", &random)) }
      var former: Configuration?
      for round in 0..<12 {
        edit(&texts, &random)
        var context = ConfigurationContext.golden
        context.now = try WallInstant(rfc3339: round < 8 ? "2026-07-01T00:00:00Z" : "2026-09-01T00:00:00Z")
        context.startOfMachine = .epoch
        if round % 4 == 3 { context.pluginNames = { _ in ["log", "exec"] } }
        if round % 5 == 4 {
          let zone = context.zone
          context.zone = { name in name == "Europe/Berlin" ? zone("America/New_York") : zone(name) }
        }
        if round == 10 { context.machineZone = try #require(context.zone("America/New_York")) }
        let sources = texts.map { ConfigurationSource(path: "\($0.name).toml", bytes: Array($0.text.utf8)) }
        let read = Configuration.read(sources, in: context)
        let kept = Configuration.read(sources, in: context, keeping: former)
        #expect(account(kept) == account(read), "seed \(seed)")
        guard case .success(var configuration) = kept, case .success(let all) = read else { continue }
        #expect(equal(configuration, all), "seed \(seed)")
        if let former {
          let files = FormerFiles(of: former)
          keptCount += sources.dropFirst().count { files.file($0) != nil }
        }
        configuration.settle()
        former = configuration
      }
    }
    #expect(keptCount > 100, "seed \(seed): some files must have been kept")
  }

  private func edit(_ texts: inout [(name: String, text: String)], _ random: inout SeededGenerator) {
    let place = Int.random(in: 0..<texts.count, using: &random)
    switch Int.random(in: 0..<6, using: &random) {
    case 0: texts[place].text = file(texts[place].name, &random)
    case 1 where place > 0 && texts.count > 2: texts.remove(at: place)
    case 2:
      let name = "g\(Int.random(in: 0..<1_000, using: &random))"
      if !texts.contains(where: { $0.name == name }) { texts.append((name, file(name, &random))) }
    // Of the same length.
    case 3: texts[place].text.replace("'x'", with: "'y'")
    case 4: texts[place].text.replace("cron = '5", with: "cron = '8")
    default: break
    }
  }

  @Test func `a file of the same length and with other bytes is read again`() throws {
    func read(_ minute: Int, keeping former: Configuration?) throws -> Configuration {
      let job = "plugin = 'log'\nschedule = { cron = '\(minute) 4 * * *' }\n"
      let sources = [("main", "a", 1), ("one", "b", minute), ("two", "c", 1)].map { path, name, _ in
        ConfigurationSource(
          path: path,
          bytes: Array(
            "[job.\(name)]\n\(path == "one" ? job : job.replacing("\(minute) 4", with: "1 4"))".utf8))
      }
      return try Configuration.read(sources, in: .golden, keeping: former).get()
    }
    var first = try read(5, keeping: nil)
    first.settle()
    let second = try read(6, keeping: first)
    #expect(second.jobs[1].schedule.description.contains("6 4"))
    #expect(second.jobs[1].definition != first.jobs[1].definition)
    let files = FormerFiles(of: first)
    #expect(second.sources.map { files.file($0) != nil } == [false, false, true])
  }

  @Test func `a name that a kept file has too is told of in both places`() throws {
    let job = "plugin = 'log'\nschedule = 'every-minute'\n"
    func sources(_ main: String) -> [ConfigurationSource] {
      [("main", main), ("one", "\n\n[job.b]\n\(job)[job.c]\n\(job)")].map { path, text in
        ConfigurationSource(path: path, bytes: Array(text.utf8))
      }
    }
    var first = try Configuration.read(sources("[job.a]\n\(job)"), in: .golden).get()
    first.settle()
    let refusal = #expect(throws: ConfigurationRefusal.self) {
      _ = try Configuration.read(sources("[job.c]\n\(job)"), in: .golden, keeping: first).get()
    }
    let diagnostic = try #require(refusal?.diagnostics.first)
    #expect(diagnostic.place.path == "one" && diagnostic.place.line == 6)
    #expect(diagnostic.notes.first?.place.path == "main")
  }
}
