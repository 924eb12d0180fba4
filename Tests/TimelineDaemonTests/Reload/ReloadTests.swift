import Foundation
import Glibc
import Testing
import TimelineControl
import TimelineCore
import TimelineSystem
import TimelineTestSupport

@Suite struct `A reload of the running daemon` {
  /// Two jobs that do not change, one whose runs log `word`, and one more.
  static func configure(_ workshop: Workshop, _ gate: Gate, word: String, last: String) throws {
    try workshop.configure(
      """
      [job.steady]
      plugin = "steady"
      schedule = \(eachSecond)
      [job.held]
      plugin = "gate"
      schedule = \(never)
      with = { fifo = "\(gate.path)", word = "old" }
      [job.changing]
      plugin = "gate"
      schedule = \(never)
      with = { word = "\(word)" }
      [job.\(last)]
      plugin = "steady"
      schedule = \(never)
      """)
  }

  @Test func `keeps the phase and the run of unchanged jobs, and applies the rest`() throws {
    let workshop = try Workshop()
    try workshop.compileGate()
    try workshop.compile(directory: "Tests/BrokenPlugins/steady")
    let gate = try Gate(in: workshop)
    try Self.configure(workshop, gate, word: "before", last: "leaving")
    let daemon = try DaemonProcess(workshop)
    try daemon.begin()
    #expect(try daemon.control("trigger", "held").end == .exited(0))
    #expect(try daemon.control("trigger", "changing", "--wait").end == .exited(0))
    try daemon.line(containing: "changing", "before")
    try daemon.wait(for: "an entry") { daemon.settled("steady").count >= 1 }

    try Self.configure(workshop, gate, word: "after", last: "coming")
    let reply = try daemon.control("reload", "--json")
    let changes = try JSONDecoder().decode(ReloadReply.self, from: Data(reply.output.utf8))
    #expect(changes.added == ["coming"])
    #expect(changes.changed == ["changing"])
    #expect(changes.removed == ["leaving"])
    #expect(changes.unchangedCount == 2)
    try daemon.line(
      containing: "configuration reloaded: added coming; changed changing; removed leaving; 2 unchanged")

    #expect(try daemon.list().map(\.name) == ["steady", "held", "changing", "coming"])
    #expect(try daemon.list().first { $0.name == "held" }?.running.count == 1)
    #expect(try daemon.control("trigger", "changing", "--wait").end == .exited(0))
    try daemon.line(containing: "changing", "after")
    #expect(try daemon.control("trigger", "coming", "--wait").end == .exited(0))
    let gone = try daemon.control("trigger", "leaving", "--wait")
    #expect(gone.end == .exited(1) && gone.errors.contains("leaving"), "\(gone)")
    try gate.open()
    try daemon.line(containing: "held", "old")
    let seen = daemon.settled("steady").count
    try daemon.wait(for: "two more entries") { daemon.settled("steady").count >= seen + 2 }
    #expect(try daemon.stop() == .exited(0))

    #expect(daemon.settled("held").map(\.outcome) == ["succeeded"])
    let entries = daemon.settled("steady")
    #expect(entries.allSatisfy { $0.outcome == "succeeded" }, "\(entries)")
    let seconds = try entries.map { try #require($0.second, "\($0)") }
    for (earlier, later) in zip(seconds, seconds.dropFirst()) {
      #expect(later == (earlier + 1) % 86_400, "no entry twice and none left out: \(entries.map(\.entry))")
    }
  }

  @Test(arguments: [
    ("[job.steady]\nplugin = \"steady\"\nschedule = { periodic = { bye = \"1s\" } }", "6:27: ", "bye"),
    ("[job.steady]\nplugin = \"nobody\"\nschedule = \(never)", "5:10: ", "nobody"),
    (
      "[job.steady]\nplugin = \"gate\"\nschedule = \(never)\nwith = { wrod = \"x\" }", "7:10: ", "word"
    ),
  ])
  func `of an invalid file is refused with the place, and changes nothing`(
    jobs: String, place: String, word: String
  ) throws {
    let workshop = try Workshop()
    try workshop.compileGate()
    try workshop.compile(directory: "Tests/BrokenPlugins/steady")
    let path = try workshop.configure("[job.steady]\nplugin = \"steady\"\nschedule = \(eachSecond)")
    let daemon = try DaemonProcess(workshop)
    try daemon.begin()
    let before = try daemon.list().map { "\($0.name) \($0.plugin) \($0.schedule)" }
    try workshop.configure(jobs)
    let refused = try daemon.control("reload")
    #expect(refused.end == .exited(1))
    #expect(refused.errors.contains("\(path):\(place)"), "\(refused.errors)")
    #expect(refused.errors.contains(word), "\(refused.errors)")
    try daemon.line(containing: "error: ", "the old one stays in force")
    try daemon.line(containing: "\(path):\(place)")
    #expect(try daemon.list().map { "\($0.name) \($0.plugin) \($0.schedule)" } == before)
    try FileManager.default.removeItem(atPath: path)
    let absent = try daemon.control("reload")
    #expect(
      absent.end == .exited(1) && absent.errors.contains("in force:\n\(path): no such file"), "\(absent)")
    let seen = daemon.settled("steady").count
    try daemon.wait(for: "another entry") { daemon.settled("steady").count > seen }
    #expect(daemon.settled("steady").allSatisfy { $0.outcome == "succeeded" })
    #expect(try daemon.stop() == .exited(0))
  }

  @Test
  func `warns of a key that only a restart changes for as long as it differs from the value at the start`()
    throws
  {
    let workshop = try Workshop()
    try workshop.compile(directory: "Tests/BrokenPlugins/steady")
    func reload(_ daemon: DaemonProcess, hostsMax: Int, job: String) throws -> Int {
      try workshop.configure(
        "[job.\(job)]\nplugin = \"steady\"\nschedule = \(never)", daemon: "plugin-hosts-max = \(hostsMax)")
      #expect(try daemon.control("reload").end == .exited(0))
      try daemon.line(containing: "configuration reloaded: ", job)
      return daemon.lines.count {
        $0.contains("daemon.plugin-hosts-max: changed, but in force only after a restart")
      }
    }
    try workshop.configure(
      "[job.one]\nplugin = \"steady\"\nschedule = \(never)", daemon: "plugin-hosts-max = 20")
    let daemon = try DaemonProcess(workshop)
    try daemon.begin()
    #expect(try reload(daemon, hostsMax: 21, job: "two") == 1)
    #expect(try reload(daemon, hostsMax: 21, job: "three") == 2, "it is not in force any more than before")
    #expect(try reload(daemon, hostsMax: 20, job: "four") == 2, "it is what is in force")
    #expect(try daemon.stop() == .exited(0))
  }

  @Test func `is answered twice if it is requested twice at once`() throws {
    let workshop = try Workshop()
    try workshop.compile(directory: "Tests/BrokenPlugins/steady")
    try workshop.configure("[job.steady]\nplugin = \"steady\"\nschedule = \(never)")
    let daemon = try DaemonProcess(workshop)
    try daemon.begin()
    let words = [BuiltProgram.control, "--socket", daemon.socketPath, "reload"]
    let all = try (0..<4).map { _ in try StartedProgram(words, on: daemon.loop) }
    try daemon.child.signal(.hangUp)
    try daemon.wait(for: "four answers") { all.allSatisfy { $0.result != nil } }
    for program in all {
      #expect(program.result?.end == .exited(0) && program.result?.output == "1 unchanged\n")
    }
    #expect(try daemon.stop() == .exited(0))
  }

  /// A change after which a loaded plugin may not be loaded any more.
  enum Spoiling: String, CaseIterable {
    case mode, owner, directory

    /// Applies the change to the plugin at `path`, or reverts it.
    func spoil(_ path: String, _ isSpoilt: Bool = true) throws {
      let directory = path.split(separator: "/").dropLast().joined(separator: "/")
      let isDone =
        switch self {
        case .mode: unsafe chmod(path, isSpoilt ? 0o666 : 0o755)
        case .owner: unsafe chown(path, isSpoilt ? 65534 : geteuid(), gid_t.max)
        case .directory: unsafe chmod("/" + directory, isSpoilt ? 0o777 : 0o755)
        }
      try #require(isDone == 0)
    }

    var parts: [String] {
      switch self {
      case .mode: ["its mode is 0666", "run chmod go-w"]
      case .owner: ["belongs to user 65534", "run chown root"]
      case .directory: ["may replace it: the mode of", "is 0777", "run chmod go-w"]
      }
    }
  }

  @Test(arguments: Spoiling.allCases, ["host", "in-process"])
  func `refuses a plugin that is not trusted any more since its host was started`(
    _ spoiling: Spoiling, isolation: String
  ) throws {
    if spoiling == .owner, !isRoot { return }
    let workshop = try Workshop()
    try FileManager.default.createDirectory(
      atPath: workshop.path + "/plugins", withIntermediateDirectories: true)
    let plugin = workshop.path + "/plugins/steady.so"
    try FileManager.default.copyItem(
      atPath: try workshop.compile(directory: "Tests/BrokenPlugins/steady"), toPath: plugin)
    let path = try workshop.configure(
      "[job.job]\nplugin = \"\(plugin)\"\nschedule = \(never)\nisolation = \"\(isolation)\"")
    let daemon = try DaemonProcess(workshop)
    try daemon.begin()
    #expect(try daemon.control("trigger", "job", "--wait").end == .exited(0))
    try spoiling.spoil(plugin)
    for words in [["reload"], ["check", path, "--host", BuiltProgram.host]] {
      let refused = try daemon.control(words)
      #expect(refused.end == .exited(1), "\(refused)")
      for part in [plugin] + spoiling.parts {
        #expect((refused.errors + refused.output).contains(part), "\(refused)")
      }
    }
    if isolation == "host" {
      let run = try daemon.control("trigger", "job", "--wait")
      #expect(run.end == .exited(1) && (run.errors + run.output).contains(spoiling.parts[0]), "\(run)")
    }
    try spoiling.spoil(plugin, false)
    let reload = try daemon.control("reload")
    #expect(reload.end == .exited(0) && reload.output == "1 unchanged\n", "\(reload)")
    #expect(try daemon.control("trigger", "job", "--wait").end == .exited(0))
    #expect(try daemon.stop() == .exited(0))
  }

  @Test func `names the keys that only a restart can change`() throws {
    let workshop = try Workshop()
    try workshop.compile(directory: "Tests/BrokenPlugins/steady")
    let job = "[job.steady]\nplugin = \"steady\"\nschedule = \(never)"
    try workshop.configure(job)
    let daemon = try DaemonProcess(workshop)
    try daemon.begin()
    try workshop.configure(
      "[control]\nsocket = \"/elsewhere/control.sock\"\n" + job, daemon: "state-directory = \"/elsewhere\"")
    #expect(try daemon.control("reload").end == .exited(0))
    try daemon.line(containing: "warning: ", "daemon.state-directory, control.socket", "restart")
    #expect(try daemon.stop() == .exited(0))
  }
}

extension SettledLine {
  /// Whether its run began less than a second after the entry, or longer on a slow machine.
  var isOnTime: Bool {
    let lateness = line.firstMatch(of: #/  late (\S+)/#).flatMap { try? ElapsedTime(parsing: String($0.1)) }
    return lateness.map { $0 < Patience.scaled(.seconds(1)) } ?? false
  }

  /// The second of the day that the entry names.
  var second: Int? {
    let parts = entry.split(separator: " ").last?.split(separator: ":").compactMap { Int($0) } ?? []
    return parts.count == 3 ? parts[0] * 3_600 + parts[1] * 60 + parts[2] : nil
  }
}
