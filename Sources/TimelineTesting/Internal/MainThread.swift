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
    /// It is not known yet whether the main thread will come round; this work is done when it does.
    case unknown([Work])
    case served
    case blocked
  }

  private static let service = Mutex(Service.unknown([]))
  private static let substitute = DispatchQueue(label: "TestClock")

  /// Runs `body` after all that has been handed to the main thread until now.
  static func run(mustBeMain: Bool, _ body: @escaping @Sendable () -> Void) {
    let queue: DispatchQueue? = service.withLock { service in
      switch service {
      case .served: return .main
      case .blocked: return mustBeMain ? .main : substitute
      case .unknown(let waiting):
        service = .unknown(waiting + [Work(mustBeMain: mustBeMain, body: body)])
        if waiting.isEmpty { ask() }
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
    let waiting = service.withLock { service in
      guard case .unknown(let waiting) = service else { return [] as [Work] }
      service = answer
      return waiting
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
