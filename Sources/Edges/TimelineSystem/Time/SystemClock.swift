internal import Synchronization
internal import TimelineClocks
package import TimelineCore

/// The wall clock as a Swift `Clock`: sleeps until wall instants, through clock steps and suspends.
///
/// All sleepers of one clock share one timer, on one thread of its own, which ends with the clock. They wake in order of
/// (deadline, registration), never before the wall clock shows the deadline; a tolerance is ignored. When the clock is set,
/// sleepers that have become due wake, and the others keep waiting for their instant. A cancelled sleep throws
/// `CancellationError` at once. So does a sleep that was cancelled before it began, even if its instant has passed.
package final class SystemClock: TimelineClock, Sendable {
  private let sleepers: WallSleepers

  /// Makes a clock and starts its thread; throws when descriptors or threads run out.
  package init() throws(SystemError) {
    sleepers = WallSleepers(bell: try Waker())
    // The loop is made here, where a failure can be reported, and handed to the thread that owns it from then on.
    let loop = try EventLoop()
    try Self.prepare(loop, for: sleepers)
    try Thread.start(name: "timeline-clock") { loop.run() }
  }

  deinit { sleepers.finish() }

  package var now: WallInstant { SystemTime.now() }

  /// The clock counts in nanoseconds.
  package var minimumResolution: Duration { .nanoseconds(1) }

  /// Waits until the wall clock shows `deadline`. Returns at once if it does already.
  package func sleep(until deadline: WallInstant, tolerance: Duration? = nil) async throws {
    try Task.checkCancellation()
    guard deadline > now else { return }
    let ticket = sleepers.announce()
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        sleepers.add(ticket, until: deadline, continuation)
      }
    } onCancel: {
      sleepers.cancel(ticket)
    }
  }

  private static func prepare(_ loop: EventLoop, for sleepers: WallSleepers) throws(SystemError) {
    var rearm: () -> Void = {}
    let timer = try WallTimer(loop: loop) { _ in rearm() }
    rearm = {
      sleepers.wakeDue(at: SystemTime.now())
      timer.arm(at: sleepers.deadlineNext)
    }
    var bell: Watch?
    bell = try loop.watch(sleepers.bell) {
      if sleepers.isFinished {
        // Loop, timer and closures retain each other. Dropping these two references releases all of them.
        rearm = {}
        bell?.cancel()
        bell = nil
        loop.stop()
      } else {
        rearm()
      }
    }
  }
}

/// The sleepers of one clock, shared between the tasks that sleep and the thread that wakes them.
private final class WallSleepers: Sendable {
  typealias Queue = DelayQueue<WallInstant, CheckedContinuation<Void, any Error>>

  private enum Presence {
    /// The sleeper has a ticket and is not suspended yet.
    case announced
    /// The sleeper was cancelled before it was suspended.
    case cancelled
    /// The sleeper is suspended.
    case queued
  }

  private struct State {
    var queue = Queue()
    var presences: [Queue.Ticket: Presence] = [:]
    var isFinished = false

    mutating func popDue(at now: WallInstant) -> CheckedContinuation<Void, any Error>? {
      guard let (ticket, sleeper) = queue.popDue(at: now) else { return nil }
      presences[ticket] = nil
      return sleeper
    }
  }

  private let state = Mutex(State())
  /// Signals that the first deadline has changed or the clock is gone.
  let bell: Waker

  init(bell: Waker) { self.bell = bell }

  var deadlineNext: WallInstant? { state.withLock { $0.queue.next } }
  var isFinished: Bool { state.withLock { $0.isFinished } }

  func announce() -> Queue.Ticket {
    state.withLock { state in
      let ticket = state.queue.makeTicket()
      state.presences[ticket] = .announced
      return ticket
    }
  }

  func add(
    _ ticket: Queue.Ticket, until deadline: WallInstant, _ sleeper: CheckedContinuation<Void, any Error>
  ) {
    let (isCancelled, isFirst) = state.withLock { state in
      if state.presences[ticket] == .cancelled {
        state.presences[ticket] = nil
        return (true, false)
      }
      let isFirst = state.queue.next.map { deadline < $0 } ?? true
      state.presences[ticket] = .queued
      state.queue.insert(sleeper, at: deadline, ticket: ticket)
      return (false, isFirst)
    }
    if isCancelled { sleeper.resume(throwing: CancellationError()) }
    if isFirst { bell.wake() }
  }

  func cancel(_ ticket: Queue.Ticket) {
    let sleeper: CheckedContinuation<Void, any Error>? = state.withLock { state in
      switch state.presences[ticket] {
      case .announced:
        state.presences[ticket] = .cancelled
        return nil
      case .queued:
        state.presences[ticket] = nil
        return state.queue.remove(ticket)
      case .cancelled, nil:
        return nil
      }
    }
    // The timer stays armed for a deadline without a sleeper: one idle wake-up costs less than a call for each cancel.
    sleeper?.resume(throwing: CancellationError())
  }

  func wakeDue(at now: WallInstant) {
    while let sleeper = state.withLock({ $0.popDue(at: now) }) { sleeper.resume() }
  }

  func finish() {
    state.withLock { $0.isFinished = true }
    bell.wake()
  }
}
