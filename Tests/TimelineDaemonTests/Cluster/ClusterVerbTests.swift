import Foundation
import Testing
import TimelineControl
import TimelineSystem
import TimelineTestSupport

@testable import TimelineDaemon

@Suite struct `timelinectl cluster` {
  @Test func `is refused by a daemon without a cluster`() throws {
    let (daemon, _) = try `The control socket of a real daemon`.daemon(try Workshop())
    for words in [
      ["cluster"], ["cluster", "status"], ["cluster", "activate", "held"], ["cluster", "leave"],
    ] {
      let answer = try daemon.control(words)
      #expect(answer.end == .exited(1), "\(words): \(answer)")
      #expect(
        answer.errors
          == "timelinectl: error: timelined is a node of no cluster: [cluster] in its configuration makes it one\n",
        "\(words)")
    }
    #expect(try daemon.stop() == .exited(0))
  }

  @Test func `init reports what is missing`() throws {
    let workshop = try Workshop()
    let path = try workshop.configure("[job.a]\nplugin = \"exec\"\nschedule = \"every-minute\"")
    let without = try `timelinectl without a daemon`.run("cluster", "init", "--config", path)
    #expect(without.end == .exited(1))
    #expect(
      without.errors
        == "timelinectl: error: \(path): no cluster: describe it under the header [cluster]\n")
    _ = try workshop.configure(
      "[cluster]\nname = \"prod\"\nstore = { postgresql = { credential = \"pg\" } }\n")
    let named = try `timelinectl without a daemon`.run("cluster", "init", "--config", path)
    #expect(named.end == .exited(1))
    #expect(named.errors.contains("credential pg: the unit's credentials cannot be read here"))
  }
}
