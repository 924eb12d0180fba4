import Foundation
import Testing
import TimelineCore
import TimelineEngine
import TimelineSystem
import TimelineWire

@testable import TimelinePlugins

/// What is handed on many times for a run.
@Suite struct `A run and its kind are values` {
  @Test func `A copy that is changed leaves the other as it was, and the same parts are equal`() throws {
    let kind = HostKind(pluginPath: "/a.so", user: "u")
    var other = kind
    #expect(kind == other && kind.hashValue == HostKind(pluginPath: "/a.so", user: "u").hashValue)
    #expect(kind == HostKind(pluginPath: "/a.so", user: "u"))
    other.setup.workingFolder = "/tmp"
    #expect(
      kind != other && kind.setup.workingFolder == nil && other.pluginPath == "/a.so" && other.user == "u")
    other.setup.workingFolder = nil
    #expect(kind == other)
    other.isolation = .inProcess
    #expect(kind.isolation == .host && kind != other)

    let attempt = Attempt(
      run: RunID(number: 1), entry: EntryKey(job: try #require(JobName("job")), nominal: .epoch),
      cause: .schedule, startedAt: .epoch)
    let run = PluginRun(attempt: attempt, kind: kind, parameters: "{}", cursor: [1])
    var changed = run
    changed.notBefore = MonotonicInstant(nanosecondsSinceBoot: 5)
    changed.attempt.number = 2
    #expect(run != changed && run.notBefore == nil && run.attempt.number == attempt.number)
    #expect(changed.kind == kind && changed.cursor == [1] && changed.run == run.run && changed.job == run.job)
    #expect(run == PluginRun(attempt: attempt, kind: HostKind(pluginPath: "/a.so", user: "u"), cursor: [1]))
    let spun = PluginRun(attempt: attempt, kind: kind, cursor: [1], spin: .microseconds(200))
    #expect(spun != run)
    #expect(try RunRequest(spun).spin == 200_000 && RunRequest(run).spin == 0, "its host is told")
    let awaited = PluginRun(attempt: attempt, kind: kind, cursor: [1], isAwaited: true)
    #expect(awaited != run)
    #expect(try RunRequest(awaited).isAwaited && !RunRequest(run).isAwaited, "its host is told")
  }
}

@Suite struct `What is sent to a host` {
  @Test func `A run says which processor it was sent from, other messages are as they were`() throws {
    let request = try RunRequest(run: 1, runKey: "k", nominal: .epoch, actual: .epoch)
    guard case .run(let sent) = DaemonMessage.run(request).sentNow else {
      Issue.record("a run is sent as a run")
      return
    }
    #expect(request.processor == .max && Int(sent.processor) < ProcessInfo.processInfo.processorCount)
    var told = request
    told.processor = sent.processor
    #expect(sent == told)
    #expect(DaemonMessage.cancel(run: 1).sentNow == .cancel(run: 1))
  }
}

@Suite struct `How soon a host answers` {
  /// For each question, in microseconds after it, when the answer came; and which questions were waited for.
  @Test(
    arguments: [
      ([10, 10, 10], [true, true, true]),
      ([10, 9_000, 10, 10], [true, true, true, true]),
      (
        [9_000, 9_000, 9_000, 9_000, 9_000, 9_000, 9_000, 9_000, 9_000],
        [true, true, true, false, true, false, false, false, true]
      ),
      ([9_000, 9_000, 9_000, 10, 10], [true, true, true, false, true]),
    ] as [([Int64], [Bool])])
  func `Who was late is waited for more and more rarely, until it is in time`(
    answers: [Int64], expected: [Bool]
  ) {
    var habit = AnswerHabit()
    var now = MonotonicInstant(nanosecondsSinceBoot: 0)
    var waited: [Bool] = []
    for answer in answers {
      waited.append(habit.ask(at: now))
      now = now + .microseconds(answer)
      habit.hear(at: now)
      // That something will not come is said again at the end of a host.
      habit.hear(at: now + .seconds(1))
      now = now + .seconds(1)
    }
    #expect(waited == expected)
  }
}
