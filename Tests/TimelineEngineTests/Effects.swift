import TimelineCore
import TimelineEngine

// Short ways to read effects in tests.

extension RunID {
  /// Run `number`.
  static func number(_ number: UInt64) -> RunID { RunID(number: number) }
}

extension [EngineEffect] {
  /// The attempts that are started, in order.
  var starts: [Attempt] {
    compactMap { if case .start(let attempt) = $0 { attempt } else { nil } }
  }

  /// The records, in order.
  var settled: [EntryRecord] {
    compactMap { if case .settle(let record) = $0 { record } else { nil } }
  }

  /// The claims asked for, in order.
  var claims: [EntryKey] {
    flatMap { if case .claim(let keys) = $0 { keys } else { [EntryKey]() } }
  }

  /// The claims given up, in order.
  var withdrawn: [EntryKey] {
    flatMap { if case .withdraw(let keys) = $0 { keys } else { [EntryKey]() } }
  }

  /// Instant that is armed last, the outer `nil` when none is.
  var arm: WallInstant?? {
    compactMap { if case .arm(let deadline) = $0 { .some(deadline) } else { nil } }.last
  }
}

let success = AttemptResult(status: .succeeded)
let failure = AttemptResult(status: .failed)
let passingFailure = AttemptResult(status: .failed, isWorthRetrying: true)
