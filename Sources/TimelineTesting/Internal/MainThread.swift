internal import Dispatch
internal import Synchronization

/// The main thread's queue, on which the main actor's tasks take turns in order.
enum MainThread {
  private enum Service { case unknown, asked, served, blocked }

  private static let service = Mutex(Service.unknown)

  /// False when the main thread has not come round for ``Limits/mainThreadPatienceSeconds``: a program whose
  /// main thread waits on a semaphore cannot run the main actor's tasks, so there are none to wait for.
  static var isServed: Bool { service.withLock { $0 != .blocked } }

  /// Runs `work` when the main thread has done all that was asked of it until now; at once when it is blocked.
  static func afterTurn(_ work: @escaping @Sendable () -> Void) {
    let before = service.withLock { service in
      let before = service
      if before == .unknown { service = .asked }
      return before
    }
    switch before {
    case .blocked: DispatchQueue.global().async(execute: work)
    case .served, .asked: DispatchQueue.main.async(execute: work)
    case .unknown: askFirst(work)
    }
  }

  private static func askFirst(_ work: @escaping @Sendable () -> Void) {
    DispatchQueue.main.async {
      let isFirst = service.withLock { service in
        defer { service = .served }
        return service == .asked
      }
      if isFirst { work() }
    }
    DispatchQueue.global().asyncAfter(deadline: .now() + Limits.mainThreadPatienceSeconds) {
      let isBlocked = service.withLock { service in
        guard service == .asked else { return false }
        service = .blocked
        return true
      }
      if isBlocked { work() }
    }
  }
}
