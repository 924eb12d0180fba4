import Testing
import TimelineCore
import TimelineEngine

@Suite struct `The engine through a hard life` {
  /// Four parts, so that two cores share the work.
  @Test(arguments: [UInt64(0), 500, 1_000, 1_500])
  func `two thousand seeds keep every invariant`(_ first: UInt64) {
    var (events, starts) = (0, 0)
    for seed in first..<first + 500 {
      var ordeal = Ordeal(seed: seed)
      ordeal.endure()
      events += ordeal.eventCount
      starts += ordeal.startCount
      #expect(ordeal.invariants.violations == [], "seed \(seed)")
      guard ordeal.invariants.violations.isEmpty else {
        var again = Ordeal(seed: seed)
        again.isTraced = true
        again.endure()
        return
      }
    }
    print("Seeds \(first)..<\(first + 500): \(events) events, \(starts) attempts, no invariant broken")
    #expect(starts > 5_000, "the ordeal has become too easy")
  }

  @Test func `the same seed gives the same life`() {
    var (first, second) = (Ordeal(seed: 42), Ordeal(seed: 42))
    first.endure()
    second.endure()
    #expect(first.eventCount == second.eventCount)
    #expect(first.startCount == second.startCount)
  }
}

@Suite struct `Planted faults are caught` {
  /// Whether any of some seeds finds what the doctor did to the effects.
  private func isCaught(_ doctor: @escaping (inout [EngineEffect]) -> Void) -> Bool {
    (UInt64(1)...20).contains { seed in
      var ordeal = Ordeal(seed: seed, doctor: doctor)
      ordeal.endure()
      return !ordeal.invariants.violations.isEmpty
    }
  }

  @Test func `an entry fired twice`() {
    #expect(
      isCaught { effects in
        guard var again = effects.starts.last else { return }
        again.run = RunID(number: again.run.number + 10_000)
        effects.append(.start(again))
      })
  }

  @Test func `an entry lost`() {
    #expect(
      isCaught { effects in
        effects.removeAll { if case .settle(let record) = $0 { record.run == nil } else { false } }
      })
  }

  @Test func `a run whose end is never told`() {
    #expect(
      isCaught { effects in
        effects.removeAll { if case .settle(let record) = $0 { record.run != nil } else { false } }
      })
  }

  @Test func `a wake-up for the wrong instant`() {
    #expect(
      isCaught { effects in
        effects = effects.map {
          if case .arm(let deadline?) = $0 { .arm(deadline + .nanoseconds(1)) } else { $0 }
        }
      })
  }

  @Test func `a start that ought to have waited for its claim`() {
    #expect(
      isCaught { effects in
        for key in effects.claims {
          effects.append(
            .start(Attempt(run: RunID(number: 9_999), entry: key, cause: .schedule, startedAt: t(0))))
        }
      })
  }
}
