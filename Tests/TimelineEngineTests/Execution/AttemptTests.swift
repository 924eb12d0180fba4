import Testing
import TimelineCore
import TimelineEngine
import TimelineEngineTestSupport

@Suite struct `Rare values of an attempt` {
  private static let entry = EntryKey(job: name("a"), nominal: t(0))
  private static let upstream = EntryRecord(
    entry: entry, outcome: .failed, reason: "it broke", endedAt: t(1))

  private func attempt(_ previous: AttemptResult?, _ upstream: EntryRecord?) -> Attempt {
    Attempt(
      run: RunID(number: 1), entry: Self.entry, cause: .reaction, startedAt: t(2),
      previous: previous, upstream: upstream)
  }

  @Test(arguments: [
    nil, AttemptResult(status: .succeeded), AttemptResult(status: .failed, isWorthRetrying: true),
    AttemptResult(status: .cancelled, message: "told to"),
  ])
  func `are read back unchanged`(_ previous: AttemptResult?) {
    for upstream in [nil, Self.upstream] {
      let made = attempt(previous, upstream)
      #expect(made.previous == previous)
      #expect(made.upstream == upstream)
      var set = attempt(AttemptResult(status: .failed, message: "another"), nil)
      set.upstream = upstream
      set.previous = previous
      #expect(set == made)
      #expect(set.hashValue == made.hashValue)
      set.previous = nil
      #expect(set.upstream == upstream)
      set.upstream = nil
      #expect(set == attempt(nil, nil))
    }
  }
}
