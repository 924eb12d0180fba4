import Testing
import TimelineCore
import TimelineEngine
import TimelineSystem
import TimelineWire

@testable import TimelineHostPool

/// Values that are copied many times per run.
@Suite struct `A run and its kind are values` {
  @Test func `a change of a copy does not affect the original, and equal parts make equal values`() throws {
    let kind = HostSpec(pluginPath: "/a.so", user: "u")
    var other = kind
    #expect(kind == other && kind.hashValue == HostSpec(pluginPath: "/a.so", user: "u").hashValue)
    #expect(kind == HostSpec(pluginPath: "/a.so", user: "u"))
    other.setup.workingDirectory = "/tmp"
    #expect(
      kind != other && kind.setup.workingDirectory == nil && other.pluginPath == "/a.so" && other.user == "u")
    other.setup.workingDirectory = nil
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
    #expect(run == PluginRun(attempt: attempt, kind: HostSpec(pluginPath: "/a.so", user: "u"), cursor: [1]))
    let spun = PluginRun(attempt: attempt, kind: kind, cursor: [1], spin: .microseconds(200))
    #expect(spun != run)
    #expect(try RunRequest(spun).spin == 200_000 && RunRequest(run).spin == 0, "its host is told")
  }
}
