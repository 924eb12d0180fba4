import Testing
import TimelineConfiguration

@testable import TimelineLoading

@Suite struct `Limits of runs that the service cannot enforce` {
  private func note(_ jobs: [String], having controllers: Set<String>?) throws -> String? {
    let text = jobs.enumerated().map { index, keys in
      "[job.j\(index)]\nplugin = 'exec'\nschedule = 'on-demand'\n\(keys)\n"
    }
    let source = ConfigurationSource(path: "test.toml", bytes: Array(text.joined().utf8))
    let context = ConfigurationContext(zone: { _ in nil })
    return RunLimitsSupport.note(
      on: try Configuration.read([source], in: context).get(), having: controllers)
  }

  private static let all: Set<String> = ["memory", "pids", "cpu"]
  private static let three = "run-limits = { memory = '64M', cpu = '50%', tasks = 9 }"

  /// Keys of the jobs `j0` and so on, the controllers, and words of the note; none for no note.
  @Test(
    arguments: [
      ([""], nil, []), ([three], all, []),
      ([three], ["memory", "pids"], ["`run-limits.cpu` of j0", "cpu-limits.conf"]),
      (["", three], nil, ["`run-limits` of j1", "no control group"]),
      ([three], ["cpu"], ["`run-limits.memory`, `run-limits.tasks` of j0", "controllers memory, pids:"]),
      (["run-limits = { memory = '64M' }", three], ["memory", "pids"], ["`run-limits.cpu` of j1 cannot"]),
      (["run-limits = { memory = '64M' }"], ["memory"], []),
      ([three + "\nenabled = false"], nil, []),
      (["run-limits = { memory = '64M', unsupported = 'refuse' }"], nil, []),
      (Array(repeating: three, count: 7), nil, ["j0, j1, j2, j3, j4 and 2 more jobs"]),
    ] as [([String], Set<String>?, [String])])
  func `are reported with their jobs and the remedy`(
    jobs: [String], controllers: Set<String>?, words: [String]
  ) throws {
    let note = try note(jobs, having: controllers)
    #expect((note == nil) == words.isEmpty, "\(note ?? "")")
    for word in words { #expect(note?.contains(word) == true, "\(word): \(note ?? "")") }
  }
}
