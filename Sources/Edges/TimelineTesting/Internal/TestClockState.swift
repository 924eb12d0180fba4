internal import Synchronization
internal import TimelineClocks
internal import TimelineCore

/// The time of a test clock and its sleepers; plain data under the clock's lock.
struct TestClockState {
  private(set) var now: WallInstant
  /// The mover of the clock: the test alone, or also the clock when every task sleeps.
  var advancing: TestClockAdvancing
  /// Whether a task waits for the moment at which every task sleeps.
  private var isWatched = false
  var sleepers = SleeperQueue<TestSleep>()

  init(now: WallInstant, advancing: TestClockAdvancing) {
    self.now = now
    self.advancing = advancing
  }

  /// The remaining sleepers, as an error; `nil` when there are none.
  var suspension: SuspensionError? {
    sleepers.first.map { first in
      SuspensionError(count: sleepers.count, earliestDeadline: first.ticket.deadline, now: now)
    }
  }

  /// The number of wake-ups allowed at the current instant: one for each current sleeper, and
  /// ``TestingLimits/wakesAtOneInstant`` more.
  var wakesAllowedAtOneInstant: Int { TestingLimits.wakesAtOneInstant + sleepers.count }

  /// Adds a sleeper; `nil` if its deadline has passed.
  mutating func enter(_ sleep: TestSleep, until deadline: WallInstant) -> SleeperQueue<TestSleep>.Ticket? {
    deadline < now ? nil : sleepers.insert(until: deadline, sleep)
  }

  /// Whether `sleep` requires a watch for the moment at which every task sleeps, and none is active.
  mutating func beginWatch(for sleep: TestSleep) -> Bool {
    guard !isWatched, advancing == .automatically || sleep.isOfTest else { return false }
    isWatched = true
    return true
  }

  /// Moves an automatic clock to its next deadline, and removes a sleeper that is due there. Ends the watch if there
  /// is no sleeper, or if the clock is moved manually.
  mutating func wakeWhenIdle() -> TestSleep? {
    if advancing == .automatically, let sleep = wakeNext(by: nil) { return sleep }
    isWatched = false
    return nil
  }

  /// The tasks that sleep.
  var tasks: Set<UInt64> { Set(sleepers.sorted.map(\.payload.task)) }

  /// Moves to the next deadline up to `limit` and removes one sleeper that is due there; moves to `limit` if there is none.
  mutating func wakeNext(by limit: WallInstant?) -> TestSleep? {
    guard let first = sleepers.popFirst(dueAt: limit ?? .max) else {
      if let limit { now = max(now, limit) }
      return nil
    }
    now = max(now, first.ticket.deadline)
    return first.payload
  }

  /// Removes all sleepers, the next to wake first.
  mutating func removeSleepers() -> [TestSleep] { sleepers.removeAll().map(\.payload) }

  /// The time and the first sleepers with their deadlines, one line each.
  var sleepersText: String {
    let sorted = sleepers.sorted
    let lines = sorted.prefix(TestingLimits.sleepersNamed).map { ticket, sleep in
      "- \(sleep.name) until \(ticket.deadline), in \(now.duration(to: ticket.deadline))"
    }
    let rest = sorted.count - lines.count
    return (["The clock stands at \(now). Asleep:"] + lines + (rest > 0 ? ["- \(rest) more"] : []))
      .joined(separator: "\n")
  }
}

/// One sleep on a test clock, and its outcome.
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

  /// The task that sleeps, 0 for none.
  let task: UInt64
  /// Whether ``task`` made the clock: the test itself.
  let isOfTest: Bool
  private let taskName: String?
  private let state = Mutex(State.begun)

  /// Makes a sleep of the current task, on a clock that the task `maker` has made, 0 for none.
  init(task: UInt64, maker: UInt64) {
    self.task = task
    isOfTest = task != 0 && task == maker
    taskName = Task.name
  }

  /// The sleeper, for a report.
  var name: String {
    if isOfTest { return "the test itself" }
    return "task \(task)" + (taskName.map { " \"\($0)\"" } ?? "")
  }

  /// Waits for the end of the sleep.
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

  /// Ends the sleep. Only the first call has an effect.
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
