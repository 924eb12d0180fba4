internal import Synchronization

/// The issue of a process in which test clocks cannot detect that all tasks wait.
enum MissingExecutors {
  private static let isReported = Mutex(false)

  /// Reports the issue, once in a process.
  static func report(_ site: CallSite) {
    let isFirst = isReported.withLock { isReported in
      defer { isReported = true }
      return !isReported
    }
    guard isFirst else { return }
    site.report(
      """
      Test clocks are not deterministic here: they cannot replace the executors of this runtime.

      They need the compiler and the runtime of Swift 6.3. With others a clock leaves tasks some turns of the executor \
      before it moves, and tasks that need more are late. Test with Swift 6.3, or with an executor that is not \
      replaced by another library.
      """)
  }
}
