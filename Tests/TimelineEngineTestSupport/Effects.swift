package import TimelineCore
package import TimelineEngine

// Short ways to read effects in tests.

extension RunID {
  /// Run `number`.
  package static func number(_ number: UInt64) -> RunID { RunID(number: number) }
}

extension [EngineEffect] {
  /// The attempts that are started, in order.
  package var starts: [Attempt] {
    compactMap { if case .start(let attempt) = $0 { attempt } else { nil } }
  }

  /// The records, in order.
  package var settled: [EntryRecord] {
    compactMap { if case .settle(let record) = $0 { record } else { nil } }
  }

  /// The requested claims, in order.
  package var claims: [EntryKey] {
    flatMap { if case .claim(let keys) = $0 { keys } else { [EntryKey]() } }
  }

  /// The claims given up, in order.
  package var withdrawn: [EntryKey] {
    flatMap { if case .withdraw(let keys) = $0 { keys } else { [EntryKey]() } }
  }

  /// Instant that is armed last, the outer `nil` when none is.
  package var arm: WallInstant?? {
    compactMap { if case .arm(let deadline) = $0 { .some(deadline) } else { nil } }.last
  }
}

package let success = AttemptResult(status: .succeeded)
package let failure = AttemptResult(status: .failed)
package let passingFailure = AttemptResult(status: .failed, isWorthRetrying: true)
