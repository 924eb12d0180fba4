import Foundation
import Testing
import TimelineControl
import TimelineCore
import TimelineSystem
import TimelineTestSupport

@testable import TimelineDaemon

@Suite struct `Watching a real daemon` {
  @Test func `watch shows starts, progress, ends and reloads as they happen`() throws {
    let workshop = try Workshop()
    let (daemon, gate) = try `The control socket of a real daemon`.daemon(workshop)
    let all = try Self.watch(daemon)
    let held = try Self.watch(daemon, "held", "--json")
    #expect(try daemon.control("trigger", "held").end == .exited(0))
    try daemon.wait(for: "its progress") {
      held.printed.contains("halfway") && all.printed.contains("halfway")
    }
    try gate.open()
    try daemon.wait(for: "its end") { held.printed.contains("\"ended\"") }
    try daemon.wait(for: "another job") { all.printed.contains("steady    succeeded") }
    #expect(try daemon.control("reload").end == .exited(0))
    try daemon.wait(for: "the reload") {
      all.printed.contains("reloaded") && held.printed.contains("\"reloaded\"")
    }
    let replies = try `The verbs that look back and hold on, on a real daemon`.decode(
      WatchReply.self, held.printed.components(separatedBy: "\n").dropLast().joined(separator: "\n"))
    let own = replies.filter { $0.kind != "clock-stepped" }
    #expect(own.map(\.kind) == ["watching", "started", "progress", "ended", "reloaded"])
    #expect(own.allSatisfy { $0.job == nil || $0.job == "held" })
    #expect(Set(own.compactMap(\.run)).count == 1 && own[3].end?.outcome == "succeeded")
    for part in ["-- ", "watching", "held      started     run ", "manual", "50 %  halfway", "3 unchanged"] {
      #expect(all.printed.contains(part), "\(part) in \(all.printed)")
    }
    try daemon.child.signal(.terminate)
    try daemon.wait(for: "the end of the watchers") { all.result != nil && held.result != nil }
    #expect(all.result?.end == .exited(69) && all.result?.errors.contains("timelined has ended") == true)
    #expect(all.printed.contains("stopping"))
    #expect(try daemon.finish() == .exited(0))
  }

  @Test func `logs --follow goes on with every line`() throws {
    let workshop = try Workshop()
    let (daemon, gate) = try `The control socket of a real daemon`.daemon(workshop)
    #expect(try daemon.control("trigger", "held").end == .exited(0))
    let follower = try StartedProgram(
      [BuiltProgram.control, "-s", daemon.socketPath, "logs", "held", "--follow"], on: daemon.loop)
    try daemon.wait(for: "what was written before") { follower.printed.contains("running\nat the gate\n") }
    try gate.open()
    try daemon.wait(for: "the next line") { follower.printed.hasSuffix("at the gate\nthrough\n") }
    try follower.child.signal(.interrupt)
    try daemon.wait(for: "its end") { follower.result != nil }
    #expect(follower.result?.end == .signalled(.interrupt))
    #expect(try daemon.stop() == .exited(0))
  }

  @Test func `the number of watchers is limited, and they leave room for other clients`() throws {
    let workshop = try Workshop()
    let (daemon, _) = try `The control socket of a real daemon`.daemon(workshop)
    let deaf = try (0..<ControlPlaces.watching.max).map { _ in
      try DeafClient(
        daemon, asks: "{\"method\":\"io.timelined.Control.Watch\",\"parameters\":{},\"more\":true}\0")
    }
    try daemon.wait(for: "them to be heard") { deaf.allSatisfy(\.hasReply) }
    let refused = try daemon.control("watch")
    let limit = ControlPlaces.watching.max
    let words = "too many clients: the daemon serves \(limit) of this kind"
    #expect(refused.end == .exited(69) && refused.errors.contains(words), "\(refused)")
    deaf[0].hangUp()
    try daemon.wait(for: "room for another") {
      (try? Self.watch(daemon))?.printed.contains("watching") == true
    }
    #expect(try daemon.status().jobCount == 3)
    #expect(try daemon.stop() == .exited(0))
    let steady = daemon.settled("steady")
    #expect(steady.allSatisfy { $0.outcome == "succeeded" }, "\(steady)")
  }

  private static func watch(_ daemon: DaemonProcess, _ words: String...) throws -> StartedProgram {
    let program = try StartedProgram(
      [BuiltProgram.control, "-s", daemon.socketPath, "watch"] + words, on: daemon.loop)
    try daemon.wait(for: "the watcher") { program.printed.contains("watching") || program.result != nil }
    return program
  }
}

/// A client that sends one request and then only checks whether there is an answer.
private final class DeafClient {
  private(set) var hasReply = false
  private let stream: ByteStream
  private var watch: Watch?

  init(_ daemon: DaemonProcess, asks question: String) throws {
    stream = try ByteStream.connect(to: daemon.socketPath, atMost: Patience.usual)
    guard case .wrote = try stream.write(Array(question.utf8)[...]) else {
      throw TestFailure("nobody listens")
    }
    watch = try daemon.loop.watch(stream.rawValue, for: .reading) { [unowned self] _ in
      hasReply = true
      watch?.update([])
    }
  }

  deinit { hangUp() }

  func hangUp() {
    watch?.cancel()
    watch = nil
    stream.close()
  }
}
