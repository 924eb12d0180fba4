import Testing
import TimelineCore
import TimelineTestSupport

import TimelineEngine
import TimelineEngineTestSupport

@testable import TimelineRehearsal

@Suite struct `Attempts of a simulation` {
  /// Durations to draw from: one for all, a few, any.
  @Test(arguments: [[5], [0, 3, 60], Array(0...40)] as [[Int64]])
  func `end in the order of a full sort`(_ durations: [Int64]) throws {
    let seed: UInt64 = 77
    var dice = SeededGenerator(seed: seed)
    var attempts = SimulatedAttempts()
    var simple: [SimulatedAttempts.Ending] = []
    var now: Int64 = 0
    var runs: UInt64 = 0
    for step in 0..<5_000 {
      if dice.happens(percent: 50) { now += Int64.random(in: 0...3, using: &dice) }
      if dice.happens(percent: 52) {
        runs += 1
        // A later attempt of a run has the number of an older one.
        let run = dice.happens(percent: 10) ? runs / 2 : runs
        guard !simple.contains(where: { $0.run.number == run }) else { continue }
        let ending = SimulatedAttempts.Ending(
          at: t(now + (durations.randomElement(using: &dice) ?? 0)), run: RunID(number: run),
          outcome: AttemptResult(status: .succeeded))
        attempts.insert(ending.run, at: ending.at, ending.outcome)
        simple.append(ending)
      } else if dice.happens(percent: 5), let stopped = simple.randomElement(using: &dice) {
        attempts.hasten(stopped.run, to: t(now), AttemptResult(status: .cancelled))
        if stopped.at > t(now) {
          simple.removeAll { $0.run == stopped.run }
          simple.append(
            SimulatedAttempts.Ending(
              at: t(now), run: stopped.run, outcome: AttemptResult(status: .cancelled)))
        }
      } else {
        simple.sort { ($0.at, $0.run) < ($1.at, $1.run) }
        let expected = simple.first
        try #require(attempts.firstEnd == expected?.at, "seed \(seed), step \(step)")
        let ending = attempts.removeFirst()
        try #require(ending?.run == expected?.run, "seed \(seed), step \(step)")
        #expect(ending?.outcome == expected?.outcome, "seed \(seed), step \(step)")
        if !simple.isEmpty { simple.removeFirst() }
      }
    }
  }
}
