internal import Dispatch
internal import Synchronization

/// The main thread, on which lanes run their jobs between those of the main actor.
///
/// One thread for both is what gives tasks of the main actor and all others *one* order. A program whose main
/// thread is blocked (on a semaphore, say) has no main actor to speak of; its lanes get a thread of their own.
enum MainThread {
  private enum Service {
    /// It is not known yet whether the main thread will come round; this work is done when it does.
    case unknown([@Sendable () -> Void])
    case served
    case blocked
  }

  private static let service = Mutex(Service.unknown([]))
  private static let substitute = DispatchQueue(label: "TestClock")

  /// Runs `work` after all that has been handed to the main thread until now.
  static func run(_ work: @escaping @Sendable () -> Void) {
    let queue: DispatchQueue? = service.withLock { service in
      switch service {
      case .served: return .main
      case .blocked: return substitute
      case .unknown(let waiting):
        service = .unknown(waiting + [work])
        if waiting.isEmpty { ask() }
        return nil
      }
    }
    queue?.async(execute: work)
  }

  /// Finds out, once in a process, whether the main thread comes round.
  private static func ask() {
    DispatchQueue.main.async { settle(.served) }
    // Real time decides nothing but whether the main thread is blocked, and only a blocked one takes so long.
    substitute.asyncAfter(deadline: .now() + TestingLimits.mainThreadPatienceSeconds) { settle(.blocked) }
  }

  private static func settle(_ answer: Service) {
    let waiting = service.withLock { service in
      guard case .unknown(let waiting) = service else { return [] as [@Sendable () -> Void] }
      service = answer
      return waiting
    }
    for work in waiting { work() }
  }
}
