import Foundation
import Glibc
import Testing
import TimelineControl
import TimelineCore
import TimelineSystem
import TimelineTestSupport

@Suite struct `A daemon that must not start` {
  static let job = "[job.steady]\nplugin = \"steady\"\nschedule = \(never)"

  @Test func `reports all errors of its configuration and exits with 78`() throws {
    let workshop = try Workshop()
    let path = try workshop.configure(
      """
      [job.first]
      plugin = "steady"
      schedule = { periodic = { by = "0s" } }
      [job.second]
      plugin = "steady"
      shedule = "every-minute"
      """)
    let daemon = try DaemonProcess(workshop)
    #expect(try daemon.finish() == .exited(78))
    for place in ["\(path):6:", "\(path):9:"] { #expect(daemon.errors.contains(place), "\(daemon.errors)") }
    #expect(daemon.errors.contains("schedule"))
    #expect(daemon.lines.isEmpty)
    #expect(!FileManager.default.fileExists(atPath: workshop.path + "/state"), "it has touched nothing")
  }

  @Test func `reports an error in a job's parameters and exits with 78`() throws {
    let workshop = try Workshop()
    try workshop.compileGate()
    let path = try workshop.configure(
      "[job.held]\nplugin = \"gate\"\nschedule = \(never)\nwith = { fifi = \"x\" }")
    let daemon = try DaemonProcess(workshop)
    #expect(try daemon.finish() == .exited(78))
    #expect(daemon.errors.contains("\(path):7:10: "), "\(daemon.errors)")
    #expect(daemon.errors.contains("fifo"), "\(daemon.errors)")
  }

  @Test func `names the remedy for a control socket in a missing directory, and reports nothing else`()
    throws
  {
    let workshop = try Workshop()
    try workshop.write("secret", to: "key")
    try workshop.configure(
      "[job.a]\nplugin = \"steady\"\nschedule = \(never)\ncredentials = { key = '\(workshop.path)/key' }")
    let daemon = try DaemonProcess(workshop, arguments: ["--control", workshop.path + "/none/control.sock"])
    #expect(try daemon.finish() == .exited(70))
    let error = "control socket: \(workshop.path)/none: no such file or directory: create the directory"
    #expect(daemon.errors.contains(error) && !daemon.errors.contains("credentials"), "\(daemon.errors)")
  }

  @Test func `names the missing file and exits with 78`() throws {
    let workshop = try Workshop()
    let daemon = try DaemonProcess(workshop)
    #expect(try daemon.finish() == .exited(78))
    #expect(daemon.errors.contains("\(workshop.path)/daemon.toml"), "\(daemon.errors)")
    #expect(
      daemon.errors.contains("no such file or directory: name the configuration that you mean"),
      "\(daemon.errors)")
  }

  @Test(
    .enabled(if: isRoot, "only a daemon with root's rights distrusts its files"),
    arguments: ["daemon.toml", "jobs.d", "jobs.d/more.toml", "."])
  func `refuses a configuration that others can write`(place: String) throws {
    let workshop = try Workshop()
    try workshop.configure(Self.job)
    try workshop.write("[job.more]\nplugin = \"steady\"\nschedule = \(never)", to: "jobs.d/more.toml")
    let open = place == "." ? workshop.path : workshop.path + "/" + place
    #expect(unsafe chmod(open, 0o777) == 0)
    let daemon = try DaemonProcess(workshop)
    #expect(try daemon.finish() == .exited(78))
    #expect(daemon.errors.contains("chmod go-w \(open)"), "\(daemon.errors)")
    #expect(unsafe chmod(open, 0o755) == 0)
  }

  @Test func `leaves a living daemon's socket and state alone`() throws {
    let workshop = try Workshop()
    try workshop.compile(directory: "Tests/BrokenPlugins/steady")
    try workshop.configure(Self.job)
    let first = try DaemonProcess(workshop)
    try first.begin()
    let sameSocket = try DaemonProcess(workshop, arguments: ["--state", workshop.path + "/other"])
    #expect(try sameSocket.finish() == .exited(70))
    #expect(sameSocket.errors.contains(first.socketPath), "\(sameSocket.errors)")
    #expect(sameSocket.errors.contains("(timelined) answers there"), "\(sameSocket.errors)")
    let sameState = try DaemonProcess(workshop, arguments: ["--control", workshop.path + "/other.sock"])
    #expect(try sameState.finish() == .exited(70))
    #expect(sameState.errors.contains(workshop.path + "/state"), "\(sameState.errors)")
    #expect(try first.control("trigger", "steady", "--wait").end == .exited(0))
    #expect(try first.stop() == .exited(0))
    // Files of an earlier daemon are no obstacle, even if it had no time to remove them.
    let second = try DaemonProcess(workshop)
    try second.begin()
    try second.child.signal(.kill)
    #expect(try second.finish() == .signalled(.kill))
    let third = try DaemonProcess(workshop)
    try third.begin()
    #expect(try third.status().jobCount == 1)
    #expect(try third.stop() == .exited(0))
  }

  @Test func `refuses invalid arguments`() throws {
    let workshop = try Workshop()
    try workshop.configure(Self.job)
    for (words, part) in [
      (["--clock", "scaled:0x"], "expected 'system' or 'scaled:N'"),
      (["--clock", "scaled:-1"], "max, or 0 to start paused"),
      (["--state", ""], "--state: the path is empty"), (["--control", ""], "--control: the path is empty"),
      (["--clock", "system", "--from", "2027-01-01T00:00:00Z"], "--from needs a clock of its own"),
      (["--clock", "scaled:2", "--from", "noon"], "--from noon"),
    ] {
      let daemon = try DaemonProcess(workshop, arguments: words)
      #expect(try daemon.finish() == .exited(64))
      #expect(daemon.errors.hasPrefix("timelined: error: "), "\(daemon.errors)")
      #expect(daemon.errors.contains(part), "\(daemon.errors)")
    }
  }

  @Test func `starts without the plugins of some jobs, and names the missing plugins`() throws {
    let workshop = try Workshop()
    try workshop.compile(directory: "Tests/BrokenPlugins/steady")
    let path = try workshop.configure(
      Self.job + "\n[job.absent]\nplugin = \"nobody\"\nschedule = \(never)")
    let daemon = try DaemonProcess(workshop)
    try daemon.begin()
    try daemon.line(containing: "error: ", "\(path):8:10: ", "nobody")
    let absent = try daemon.control("trigger", "absent")
    #expect(absent.end == .exited(1) && absent.output.contains("failed"), "\(absent)")
    #expect(absent.output.contains("nobody"), "\(absent)")
    #expect(try daemon.control("trigger", "steady", "--wait").end == .exited(0))
    #expect(try daemon.stop() == .exited(0))
  }

  @Test func `starts without the plugin of a disabled job, and warns of it`() throws {
    let workshop = try Workshop()
    try workshop.compile(directory: "Tests/BrokenPlugins/steady")
    let path = try workshop.configure(
      Self.job + "\n[job.absent]\nplugin = \"nobody\"\nschedule = \(never)\nenabled = false")
    let daemon = try DaemonProcess(workshop)
    try daemon.begin()
    try daemon.line(containing: "warning: ", "\(path):8:10: ", "nobody")
    #expect(try daemon.control("trigger", "absent").end == .exited(1))
    #expect(try daemon.control("trigger", "steady", "--wait").end == .exited(0))
    #expect(try daemon.stop() == .exited(0))
  }

  @Test(arguments: ["a file", "a link that leads nowhere"])
  func `refuses a file jobs_d that is no directory`(what: String) throws {
    let workshop = try Workshop()
    let path = try workshop.configure(Self.job)
    let jobs = workshop.path + "/jobs.d"
    if what == "a file" {
      try workshop.write("", to: "jobs.d")
    } else {
      try FileManager.default.createSymbolicLink(atPath: jobs, withDestinationPath: workshop.path + "/gone")
    }
    let daemon = try DaemonProcess(workshop)
    #expect(try daemon.finish() == .exited(78))
    #expect(daemon.errors.contains("timelined: error: \(jobs): "), "\(daemon.errors)")
    #expect(daemon.errors.contains("make it a directory"), "\(daemon.errors)")
    let checked = try StartedProgram.run([BuiltProgram.control, "check", path, "--skip-plugins"])
    #expect(checked.end == .exited(1) && checked.errors.contains(jobs), "\(checked)")
  }

  @Test func `logs a hundred warnings and the number of further ones`() throws {
    let workshop = try Workshop()
    try workshop.compile(directory: "Tests/BrokenPlugins/steady")
    // Each in-process job causes a warning, because its plugin may harm the daemon.
    // One more warning is that the jobs fall due together.
    let jobs = (0..<106).map {
      "[job.j\($0)]\nplugin = \"steady\"\nisolation = \"in-process\"\nschedule = \(never)\n"
    }
    try workshop.configure(jobs.joined())
    let daemon = try DaemonProcess(workshop)
    try daemon.begin()
    try daemon.line(containing: "7 more warnings about the configuration", "timelinectl check")
    #expect(daemon.lines.count { $0.contains("daemon.toml:") } == 100)
    #expect(try daemon.stop() == .exited(0))
  }
}
