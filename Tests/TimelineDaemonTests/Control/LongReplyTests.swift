import Foundation
import Testing
import TimelineControl
import TimelineCore
import TimelineSystem
import TimelineTestSupport

@testable import TimelineDaemon

@Suite struct `Replies that are long lists, of a real daemon` {
  @Test func `come in portions to a client that accepts more, and whole or not at all to others`() throws {
    let workshop = try Workshop()
    try workshop.compile(directory: "Tests/BrokenPlugins/steady")
    let names = (0..<1_001).map { "job-\($0)" }
    try workshop.configure(
      names.map { "[job.\($0)]\nplugin = \"steady\"\nschedule = \"on-demand\"\n" }.joined())
    let daemon = try DaemonProcess(workshop)
    try daemon.begin()

    let portions = try replies(of: daemon, to: "List", more: true)
    let jobs = try portions.map { try JSONDecoder().decode(Reply<ListReply>.self, from: $0).parameters.jobs }
    #expect(jobs.map(\.count) == Array(repeating: 50, count: 20) + [1])
    #expect(jobs.joined().map(\.name) == names)
    #expect(try daemon.list().map(\.name) == names)
    let refusal = try replies(of: daemon, to: "List", more: false)
    #expect(refusal.count == 1 && String(decoding: refusal[0], as: UTF8.self).contains("ReplyTooLong"))

    let pages = try replies(of: daemon, to: "Metrics", more: true)
    let metrics = try pages.map { try JSONDecoder().decode(Reply<MetricsReply>.self, from: $0).parameters }
    #expect(metrics.map(\.jobs.count) == jobs.map(\.count))
    #expect(metrics.flatMap(\.jobs).map(\.job) == names)
    let tooMuch = try replies(of: daemon, to: "Metrics", more: false)
    #expect(tooMuch.count == 1 && String(decoding: tooMuch[0], as: UTF8.self).contains("ReplyTooLong"))

    for name in names.prefix(60) {
      #expect(try daemon.control("trigger", name, "--wait").end == .exited(0))
    }
    let bits = try replies(of: daemon, to: "History", parameters: #"{"limit":55}"#, more: true)
    let histories = try bits.map { try JSONDecoder().decode(Reply<HistoryReply>.self, from: $0).parameters }
    #expect(histories.map(\.entries.count) == [50, 5] && histories.allSatisfy(\.isCut))
    let whole = try replies(of: daemon, to: "History", parameters: #"{"limit":55}"#, more: false)
    let history = try JSONDecoder().decode(Reply<HistoryReply>.self, from: try #require(whole.first))
      .parameters
    #expect(whole.count == 1 && history.entries == Array(histories.map(\.entries).joined()))
    #expect(history.entries.map(\.job) == Array(names[5..<60]))

    // One job less fits into one reply, and no entries are one empty reply.
    try workshop.configure(
      names.dropLast().map { "[job.\($0)]\nplugin = \"steady\"\nschedule = \"on-demand\"\n" }.joined())
    #expect(try daemon.control("reload").end == .exited(0))
    #expect(try replies(of: daemon, to: "List", more: false).map(\.count).reduce(0, +) > 100_000)
    let none = #"{"job":"job-999"}"#
    #expect(try replies(of: daemon, to: "History", parameters: none, more: true).count == 1)
    #expect(try daemon.stop() == .exited(0))
  }

  private struct Reply<Parameters: Decodable>: Decodable {
    var parameters: Parameters
  }

  /// Every reply to one call, in their order.
  private func replies(
    of daemon: DaemonProcess, to method: String, parameters: String = "{}", more: Bool
  ) throws -> [Data] {
    let stream = try ByteStream.connect(to: daemon.socketPath, atMost: Patience.usual)
    defer { stream.close() }
    let call =
      #"{"method":"io.timelined.Control.\#(method)","parameters":\#(parameters),"more":\#(more)}"# + "\0"
    guard case .wrote(call.utf8.count) = try stream.write(Array(call.utf8)[...]) else {
      throw TestFailure("not all of the request was taken")
    }
    var received: [UInt8] = []
    let watch = try daemon.loop.watch(stream.rawValue, for: .reading) { _ in
      if case .bytes(let bytes)? = try? stream.read(atMost: 1 << 16) { received += bytes }
    }
    defer { watch.cancel() }
    try daemon.wait(for: "the last reply") {
      guard received.last == 0, let last = received.dropLast().split(separator: 0).last else { return false }
      return !String(decoding: last, as: UTF8.self).hasPrefix(#"{"continues":true"#)
    }
    return received.split(separator: 0).map { Data($0) }
  }
}
