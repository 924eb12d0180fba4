internal import Synchronization
internal import TimelineClocks
internal import TimelineCore

/// The time of a test clock and its sleepers; plain data under the clock's lock.
struct TestClockState {
  private(set) var now: WallInstant
  var sleepers = SleeperQueue<TestSleep>()

  init(now: WallInstant) {
    self.now = now
  }

  /// The remaining sleepers, as an error; `nil` when there are none.
  var suspension: SuspensionError? {
    sleepers.first.map { first in
      SuspensionError(count: sleepers.count, earliestDeadline: first.ticket.deadline, now: now)
    }
  }

  /// The number of wake-ups that may follow at the present instant: those of the current sleepers, and many more.
  var wakesAllowedAtOneInstant: Int { TestingLimits.wakesAtOneInstant + sleepers.count }

  /// Puts a sleeper to bed; `nil` when its deadline has passed.
  mutating func enter(_ sleep: TestSleep, until deadline: WallInstant) -> SleeperQueue<TestSleep>.Ticket? {
    deadline < now ? nil : sleepers.insert(until: deadline, sleep)
  }

  /// Moves to the next deadline by `limit` and takes out one who is due there; moves to `limit` if there is none.
  mutating func wakeNext(by limit: WallInstant?) -> TestSleep? {
    guard let first = sleepers.popFirst(dueAt: limit ?? .max) else {
      if let limit { now = max(now, limit) }
      return nil
    }
    now = max(now, first.ticket.deadline)
    return first.payload
  }
}

/// One sleep on a test clock, and how it ends.
final class TestSleep: Sendable {
  enum Outcome {
    case due
    case cancelled
  }

  private enum State {
    case begun
    case suspended(CheckedContinuation<Outcome, Never>)
    case finished(Outcome)
  }

  private let state = Mutex(State.begun)

  /// Waits for the end.
  func outcome() async throws(CancellationError) {
    let outcome = await withCheckedContinuation { continuation in
      let early: Outcome? = state.withLock { state in
        if case .finished(let outcome) = state { return outcome }
        state = .suspended(continuation)
        return nil
      }
      if let early { continuation.resume(returning: early) }
    }
    if outcome == .cancelled { throw CancellationError() }
  }

  /// Ends the sleep; the first end counts.
  func finish(_ outcome: Outcome) {
    let continuation: CheckedContinuation<Outcome, Never>? = state.withLock { state in
      switch state {
      case .begun:
        state = .finished(outcome)
        return nil
      case .suspended(let continuation):
        state = .finished(outcome)
        return continuation
      case .finished:
        return nil
      }
    }
    continuation?.resume(returning: outcome)
  }
}
