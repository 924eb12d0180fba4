import CTimelinePlugin
import Synchronization
import Testing
import TimelineCore
import TimelinePluginKit
import TimelineWire

@testable import TimelineHosting

/// The Swift interface of the contract, called through its table in this process. Serialized: a process has one call of a
/// plugin at a time.
@Suite(.serialized) struct PluginKitTests {
  /// A plugin that performs the action in `/act`.
  private final class Actor: TimelinePlugin {
    static let name = "actor"
    static let version = "1"
    static let summary = "does as told"
    static let alive = Atomic<Int>(0)

    private let parameters: Parameters

    init(_ opening: Opening) throws {
      opening.log(
        "opening", level: .debug, fields: ["job": opening.job, "rehearsal": "\(opening.isRehearsal)"])
      if try opening.parameters.text("/act", default: "") == "refuse" { throw RetryableFailure("not yet") }
      parameters = opening.parameters
      Self.alive.add(1, ordering: .relaxed)
    }

    deinit { Self.alive.subtract(1, ordering: .relaxed) }

    func run(_ context: RunContext) throws -> String? {
      switch try parameters.text("/act") {
      case "tell":
        return "\(context.attempt) \(context.job) \(context.runKey) \(context.nominal) \(context.actual) "
          + "\(context.deadline ?? -1) \(context.entryCount) \(context.cadence) \(context.isLowFrequency) "
          + "\(context.isRehearsal) \(context.previous?.text ?? "-") \(context.cursor) \(context.movedFrom)"
      case "upstream":
        return try context.upstream.map { "\(try $0.text("/job")) \(try $0.text("/outcome"))" }
      case "present": return "\(context.cadenceNow) \(context.isLowFrequencyNow)"
      case "retry": throw RetryableFailure("busy")
      case "fail": throw Failure("broken")
      case "cancel": throw CancellationError()
      case "cursor":
        try context.setCursor(context.cursor + [1])
        context.report(progress: 0.5, "half")
        return nil
      case "big-cursor":
        try context.setCursor(Array(repeating: 0, count: Int(TIMELINED_CURSOR_MAX) + 1))
        return nil
      case "wait":
        let asked = Mutex(0)
        context.whenCancelled { asked.withLock { $0 += 1 } }
        context.log("waiting")
        while !context.isCancelled {}
        context.whenCancelled { asked.withLock { $0 += 10 } }
        return "asked \(asked.withLock { $0 })"
      case let act: throw Failure("no act called \(act)")
      }
    }
  }

  /// Records the messages; asks the run to stop when it logs that it waits.
  private final class Stage: RunListener, Sendable {
    let messages = Mutex<[HostMessage]>([])
    private let running = Mutex<RunningCall?>(nil)
    private let stops: Bool

    init(stops: Bool = false) { self.stops = stops }
    func runBegins(_ running: RunningCall) { self.running.withLock { $0 = running } }
    func runEnded() { running.withLock { $0 = nil } }

    func hear(_ message: HostMessage) {
      messages.withLock { $0.append(message) }
      if stops, case .log(let line) = message, line.message == "waiting" {
        running.withLock { $0 }?.askToStop()
      }
    }
  }

  private func instance(_ act: String, _ stage: Stage) throws -> PluginInstance {
    let table = unsafe try #require(unsafe export(Actor.self, to: HostTable.shared.pointer))
    let plugin = try unsafe LoadedPlugin(
      table: table.assumingMemoryBound(to: timelined_plugin.self), path: "/x")
    #expect(plugin.description.name == "actor" && plugin.description.parametersSchema == nil)
    let job = try #require(JobName("stage"))
    return try PluginInstance(
      plugin, OpenRequest(job: job, parameters: #"{"act":"\#(act)"}"#, isRehearsal: true)
    ) { stage.hear($0) }
  }

  private func end(
    _ act: String, stops: Bool = false, cursor: [UInt8] = [], upstream: String? = nil
  ) throws -> (RunEnd, [HostMessage]) {
    let stage = Stage(stops: stops)
    let instance = try self.instance(act, stage)
    let request = try RunRequest(
      run: 3, runKey: "key", nominal: .epoch + .nanoseconds(1), actual: .epoch + .nanoseconds(2), attempt: 2,
      entryCount: 4, previous: .init(status: .failed, text: "before"), cursor: cursor, upstream: upstream,
      movedFrom: [WallInstant(nanosecondsSinceEpoch: -5), .epoch])
    let end = instance.run(request, listener: stage) { stage.hear($0) }
    instance.close()
    return (end, stage.messages.withLock { $0 })
  }

  @Test func `a run gets its context and returns its result`() throws {
    let (end, messages) = try end("tell", cursor: [9])
    #expect(end.status == .succeeded && end.cursor == nil)
    #expect(end.text == "2 stage key 1 2 -1 4 live false true before [9] [-5, 0]")
    #expect(
      messages == [
        .log(
          LogLine(
            run: nil, level: .debug, message: "opening",
            fields: [.init(key: "job", value: "stage"), .init(key: "rehearsal", value: "true")]))
      ])
  }

  @Test func `a run can read the present mode`() throws {
    #expect(try end("present").0.text == "live false")
  }

  @Test func `a run gets the upstream that it reacts to`() throws {
    #expect(
      try end("upstream", upstream: #"{"job":"other","outcome":"missed"}"#).0.text == "other missed")
    #expect(try end("upstream").0.text == "")
  }

  @Test(
    arguments: [
      ("retry", .failedForNow, "busy"), ("fail", .failed, "broken"), ("cancel", .cancelled, ""),
      ("none", .failed, "no act called none"),
      (
        "big-cursor", .failed,
        "the new cursor was not taken: it has 16385 bytes and at most 16384 are allowed, keep a place in the work in "
          + "it and the work elsewhere"
      ),
    ] as [(String, RunStatus, String)])
  func `an error thrown by a run becomes its end`(act: String, status: RunStatus, text: String) throws {
    let (end, _) = try end(act)
    #expect(end.status == status && end.text == text)
  }

  @Test func `the cursor and progress are passed on`() throws {
    let (end, messages) = try end("cursor", cursor: [7])
    #expect(end.status == .succeeded && end.cursor == [7, 1] && end.text == "")
    #expect(messages.last == .progress(Progress(run: 3, millionths: 500_000, text: "half")))
  }

  @Test func `an action for cancellation is called once, or immediately if it is set late`() throws {
    let (end, _) = try end("wait", stops: true)
    #expect(end.text == "asked 11")
  }

  @Test func `an instance is released when the job is closed or init throws`() throws {
    #expect(throws: OpenFailure(status: .failedForNow, text: "not yet")) {
      try self.instance("refuse", Stage())
    }
    let instance = try self.instance("tell", Stage())
    #expect(Actor.alive.load(ordering: .relaxed) == 1)
    instance.close()
    #expect(Actor.alive.load(ordering: .relaxed) == 0)
  }
}
