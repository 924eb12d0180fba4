internal import Dispatch
internal import Synchronization

/// The main thread, on which the lane runs its jobs.
///
/// A program whose main thread is blocked (on a semaphore, say) has no main actor to speak of; the other jobs get a
/// thread of their own.
enum MainThread {
  private struct Work {
    let mustBeMain: Bool
    let body: @Sendable () -> Void
  }

  private enum Service {
    /// It is not known yet whether the main thread will come round.
    case unknown
    case served
    case blocked
  }

  private struct State {
    var service = Service.unknown
    /// Work that is done when it is known.
    var waiting: [Work] = []
  }

  private static let state = Mutex(State())
  private static let substitute = DispatchQueue(label: "TestClock")

  /// Runs `body` after all that has been handed to the main thread until now.
  static func run(mustBeMain: Bool, _ body: @escaping @Sendable () -> Void) {
    let queue: DispatchQueue? = state.withLock { state in
      switch state.service {
      case .served: return .main
      case .blocked: return mustBeMain ? .main : substitute
      case .unknown:
        if state.waiting.isEmpty { ask() }
        state.waiting.append(Work(mustBeMain: mustBeMain, body: body))
        return nil
      }
    }
    queue?.async(execute: body)
  }

  /// Finds out, once in a process, whether the main thread comes round.
  private static func ask() {
    DispatchQueue.main.async { settle(.served) }
    // Real time decides nothing but whether the main thread is blocked, and only a blocked one takes so long.
    substitute.asyncAfter(deadline: .now() + TestingLimits.mainThreadPatienceSeconds) { settle(.blocked) }
  }

  private static func settle(_ answer: Service) {
    let waiting = state.withLock { state in
      guard case .unknown = state.service else { return [] as [Work] }
      defer { state = State(service: answer) }
      return state.waiting
    }
    for work in waiting {
      if work.mustBeMain, case .blocked = answer {
        DispatchQueue.main.async(execute: work.body)
      } else {
        work.body()
      }
    }
  }
}
