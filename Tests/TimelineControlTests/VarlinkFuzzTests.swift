import Foundation
import Testing
import TimelineCore
import TimelineTestSupport

@testable import TimelineControl

@Suite struct VarlinkFuzzTests {
  static let requests = [
    #"{"method":"org.varlink.service.GetInfo"}"#,
    #"{"method":"org.varlink.service.GetInterfaceDescription","parameters":{"interface":"io.timelined.Control"}}"#,
    #"{"method":"io.timelined.Control.Status","parameters":{}}"#,
    #"{"method":"io.timelined.Control.Trigger","parameters":{"job":"räport"},"more":true}"#,
    #"{"method":"io.timelined.Control.Trigger","parameters":{"job":7}}"#,
    #"{"method":"io.timelined.Control.Stop","oneway":true}"#, #"{"method":"org.nobody.X","parameters":null}"#,
    #"{"method":"io.timelined.Control.Why","parameters":{"job":"a","moment":"yesterday 02:30"}}"#,
    #"{"method":"io.timelined.Control.History","parameters":{"since":"2h ago","onlyFailures":true,"limit":9}}"#,
    #"{"method":"io.timelined.Control.Watch","parameters":{"job":"a"},"more":true}"#,
    #"{"method":"io.timelined.Control.Logs","parameters":{"job":"a","limit":-1}}"#,
    #"{"method":"io.timelined.Control.Pause","parameters":{"jobs":["a","b"]}}"#,
    #"{"method":"io.timelined.Control.Resume","parameters":{"job":"a","catchUp":"latest"}}"#,
    #"{"method":"io.timelined.Control.Cancel","parameters":{"run":18446744073709551615},"more":true}"#,
  ]

  private static func stream(of count: Int, _ random: inout SeededGenerator) -> [UInt8] {
    var stream: [UInt8] = []
    for _ in 0..<count {
      stream += requests[Int.random(in: 0..<requests.count, using: &random)].utf8
      stream.append(0)
    }
    return stream
  }

  /// Feeds `bytes` in random portions, answers every call as a daemon would, and returns all output.
  private func converse(_ bytes: [UInt8], _ random: inout SeededGenerator) -> (
    output: [UInt8], connection: VarlinkServerConnection
  ) {
    let connection = VarlinkServerConnection(service: VarlinkService(version: "1"))
    var rest = bytes[...]
    var output: [UInt8] = []
    while !rest.isEmpty && connection.fault == nil {
      if connection.wantsInput {
        let portion = rest.prefix(Int.random(in: 1...200, using: &random))
        rest = rest.dropFirst(portion.count)
        connection.receive(Array(portion))
      }
      while let call = connection.nextCall() {
        answer(call, on: connection)
      }
      let sent = Int.random(in: 0...connection.output.count, using: &random)
      output += connection.output.prefix(sent)
      connection.wrote(sent)
    }
    return (output + connection.output, connection)
  }

  private func answer(_ call: VarlinkCall, on connection: VarlinkServerConnection) {
    do {
      switch try Samples.read(call) {
      case let trigger as Control.Trigger:
        connection.reply(to: call.id, TriggerReply(run: 1, progressText: trigger.job), continues: true)
        connection.reply(to: call.id, TriggerReply(run: 1))
      case let watch as Control.Watch:
        connection.reply(to: call.id, WatchReply(.watching, at: .epoch, job: watch.job), continues: true)
        connection.reply(to: call.id, WatchReply(.stopping, at: .epoch, text: watch.job))
      case let why as Control.Why:
        connection.fail(call.id, ControlError.badMoment(text: why.moment, reason: why.job).varlink)
      case let pause as Control.Pause:
        let jobs = pause.jobs.map {
          PausedJob(job: $0, pausedSince: .epoch, wasPaused: false, runningCount: 0)
        }
        connection.reply(to: call.id, PauseReply(jobs: jobs))
      default: connection.reply(to: call.id, StopReply(runningCount: 0))
      }
    } catch let error as VarlinkError {
      connection.fail(call.id, error)
    } catch {
      Issue.record(error)
    }
  }

  @Test(arguments: [11, 12, 13, 14] as [UInt64])
  func `the answer does not depend on the portions of the input`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<50 {
      let stream = Self.stream(of: 20, &random)
      var answers: Set<[UInt8]> = []
      for _ in 0..<4 {
        let (output, connection) = converse(stream, &random)
        #expect(connection.fault == nil && !connection.isServing, "seed \(seed)")
        answers.insert(output)
      }
      #expect(answers.count == 1, "seed \(seed)")
    }
  }

  @Test(arguments: [21, 22, 23, 24] as [UInt64])
  func `no bytes make it trap, and all output is JSON`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<1_000 {
      var stream = Self.stream(of: 3, &random)
      for _ in 0..<Int.random(in: 1...6, using: &random) {
        let place = Int.random(in: 0..<stream.count, using: &random)
        switch Int.random(in: 0..<4, using: &random) {
        case 0: stream[place] = UInt8.random(in: 0...255, using: &random)
        case 1: stream.remove(at: place)
        case 2: stream.insert(contentsOf: stream[place...].prefix(40), at: place)
        default: stream.insert(Array(#"{}[]":,\0"#.utf8).randomElement(using: &random) ?? 0, at: place)
        }
      }
      let (output, connection) = converse(stream, &random)
      #expect(connection.fault == nil || connection.fault == .malformedRequest, "seed \(seed)")
      for message in output.split(separator: 0) {
        let object = try JSONSerialization.jsonObject(with: Data(message)) as? [String: Any]
        #expect(object?["parameters"] != nil, "seed \(seed)")
      }
    }
  }
}
