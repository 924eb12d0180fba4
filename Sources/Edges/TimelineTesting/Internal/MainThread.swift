internal import Dispatch
internal import Synchronization

/// The main thread, on which the test queue runs its jobs.
///
/// If the main thread of a program is blocked, for example on a semaphore, its main actor does not run; the other jobs then
/// run on a separate thread.
enum MainThread {
  private struct Work {
    let mustBeMain: Bool
    let body: @Sendable () -> Void
  }

  private enum Service {
    /// Not yet known whether the main thread runs jobs.
    case unknown
    case served
    case blocked
  }

  private struct State {
    var service = Service.unknown
    /// Work that waits until ``service`` is known.
    var waiting: [Work] = []
  }

  private static let state = Mutex(State())
  private static let substitute = DispatchQueue(label: "TestClock")

  /// Runs `body` after all work that was enqueued on the main thread before.
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

  /// Finds out, once per process, whether the main thread runs jobs.
  private static func ask() {
    DispatchQueue.main.async { settle(.served) }
    // Real time decides only whether the main thread is blocked; a main thread that is not blocked never takes so
    // long.
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
