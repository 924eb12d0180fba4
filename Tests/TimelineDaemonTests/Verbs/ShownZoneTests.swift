import Testing
import TimelineSystem
import TimelineTestSupport

@Suite struct `The zone in which times are shown` {
  /// Jobs in two zones on a machine in a third; each comes once a second.
  private static func configure(_ workshop: Workshop) throws -> String {
    try workshop.compile(directory: "Tests/BrokenPlugins/steady")
    func job(_ name: String, _ zone: String, _ schedule: String) -> String {
      "[job.\(name)]\nplugin = \"steady\"\nschedule = \(schedule)\ntime-zone = \"\(zone)\"\n"
    }
    return try workshop.configure(
      job("tokyo", "Asia/Tokyo", everySecond) + job("kathmandu", "Asia/Kathmandu", everySecond))
  }

  @Test func `is the job's for every verb, or the one that is asked for`() throws {
    let workshop = try Workshop()
    let path = try Self.configure(workshop)
    let daemon = try DaemonProcess(workshop, arguments: ["--config", path], variables: ["TZ": "UTC"])
    try daemon.begin()
    try daemon.line(containing: "tokyo", "succeeded")
    try daemon.line(containing: "kathmandu", "succeeded")
    let whole = ["-c", path, "--from", "2027-01-01T00:00:00Z"]
    #expect(try daemon.control("release", "tokyo").output.contains(" JST"))
    #expect(try daemon.control("pause", "kathmandu").end == .exited(0))
    #expect(try daemon.control("pause", "kathmandu").output.contains(" +0545"))
    let next = try daemon.control("next", "kathmandu", "-n", "1")
    #expect(
      next.output.contains(" +0545")
        && next.errors.hasPrefix("timelinectl: note: kathmandu: paused since ")
        && next.errors.contains(" +0545"), "\(next)")
    #expect(try daemon.control("resume", "kathmandu").end == .exited(0))
    let verbs: [[String]] = [
      ["list"], ["history"], ["logs", "tokyo"], ["why", "tokyo", "now"], ["status"],
      ["dry-run", "--for", "2s"] + whole, ["next", "tokyo", "-n", "1"] + whole,
      ["explain", "tokyo"] + whole,
    ]
    for words in verbs {
      let own = try daemon.control(words)
      // The status is about the next job.
      let shown = words == ["status"] ? ["UTC"] : [" JST"]
      for part in shown { #expect(own.output.contains(part), "\(words): \(own)") }
      if ["list", "history", "dry-run"].contains(words[0]) {
        #expect(own.output.contains(" +0545"), "\(words): \(own)")
      }
      let utc = try daemon.control(words + ["--utc"])
      #expect(utc.output.contains(" UTC") && !utc.output.contains(" JST"), "\(words): \(utc)")
      #expect(!utc.output.contains(" +0545"), "\(words): \(utc)")
      let other = try daemon.control(words + ["--zone", "America/Phoenix"])
      #expect(other.output.contains(" MST") && !other.output.contains(" JST"), "\(words): \(other)")
      #expect(!other.output.contains(" UTC"), "\(words): \(other)")
      let none = try daemon.control(words + ["--zone", "Mars/Olympus"])
      #expect(none.end == .exited(64) && none.errors.contains("Mars/Olympus"), "\(words): \(none)")
    }
    for (options, marks) in [
      ([], [" JST ", " +0545 "]), (["--utc"], [" UTC "]), (["--zone", "Asia/Dhaka"], [" +06 "]),
    ] {
      let watch = try StartedProgram(
        [BuiltProgram.control, "--socket", daemon.socketPath, "watch"] + options, on: daemon.loop)
      try daemon.wait(for: "\(marks)") { marks.allSatisfy { watch.printed.contains($0) } }
    }
    let json = try daemon.control("history", "--json", "--zone", "Asia/Tokyo").output
    #expect(json.contains("Z\"") && !json.contains("JST"))
    #expect(try daemon.stop() == .exited(0))
  }

  @Test func `is the job's in plans, each job its own`() throws {
    let workshop = try Workshop()
    let path = try Self.configure(workshop)
    let empty = try workshop.write("", to: "empty.toml")
    let words = ["plan", empty, path, "--from", "2027-01-01T00:00:00Z", "--for", "2s"]
    func run(_ more: String...) throws -> String {
      try StartedProgram.run([BuiltProgram.control] + words + more).output
    }
    #expect(try run().contains("added    2027-01-01 09:00:00 JST"))
    #expect(try run().contains("added    2027-01-01 05:45:00 +0545"))
    #expect(try run("--utc").contains("added    2027-01-01 00:00:00 UTC"))
    #expect(try run("--zone", "America/Phoenix").contains("added    2026-12-31 17:00:00 MST"))
  }
}
