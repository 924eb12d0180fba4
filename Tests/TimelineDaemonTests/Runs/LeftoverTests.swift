import Foundation
import Glibc
import Testing
import TimelineControl
import TimelineCore
import TimelineSystem
import TimelineTestSupport

@Suite struct `Leftovers of a job's runs` {
  @Test func `are ended with the run, or outlive a reload and the daemon, as configured`() throws {
    let workshop = try Workshop()
    try workshop.compile(directory: "Tests/BrokenPlugins/escapes")
    try workshop.configure(
      ["kill", "keep"].map { policy in
        """
        [job.\(policy)]
        plugin = "escapes"
        schedule = \(never)
        leftovers = "\(policy)"
        with = { hangs = false }

        """
      }.joined())
    let daemon = try DaemonProcess(workshop)
    try daemon.begin()
    for job in ["kill", "keep"] { _ = try daemon.control("trigger", job) }
    try daemon.line(containing: "kill", "left behind by the run and ended with it: 1 process: ")
    let line = try daemon.line(containing: "keep", "left behind by the run and kept: 1 process: ")
    let word = try #require(line.split(separator: "(pid ").last?.prefix { $0.isNumber })
    let process = try #require(pid_t(word))
    defer { kill(process, SIGKILL) }
    try daemon.wait(for: "both ends") { daemon.settled.count == 2 }
    #expect(daemon.settled.allSatisfy { $0.outcome == "succeeded" })
    #expect(try daemon.control("reload").end == .exited(0))
    #expect(try daemon.stop() == .exited(0))
    #expect(kill(process, 0) == 0)
  }
}
