#if compiler(>=6.3) && compiler(<6.4) && !TIMELINE_TESTING_WITHOUT_EXECUTORS

  @_spi(ExperimentalCustomExecutors) @_spi(ExperimentalScheduling) internal import _Concurrency

  /// The executors of the process, which replace the runtime's executors. A job of a test with a clock goes to the
  /// test queue, and any other job to its original executor.
  ///
  /// The runtime stores the main and the global executor in two variables, which a program may set (in this compiler under
  /// an SPI). Everything that becomes ready goes through them: tasks, turns of actors, yields, the main actor. They are set
  /// once, when the first test clock is made, and stay: without a clock they pass on all jobs.
  ///
  /// The variables are set while other threads may read them, each in two words, object and witness table. A reader
  /// that reads one old and one new word is safe, because neither kind of executor reads its object: the state of the
  /// new executors is static, and the queues of the old ones are in Dispatch. No executor is ever released.
  enum RuntimeExecutors: ExecutorFactory {
    static let mainExecutor: any MainExecutor = GuardedMainExecutor()
    static let defaultExecutor: any TaskExecutor = GuardedTaskExecutor()

    /// Installs the executors unless they are installed. Returns false if jobs cannot be passed on to the previous executors.
    static func install() -> Bool {
      guard FormerExecutors.shared != nil else { return false }
      if MainActor.executor !== mainExecutor || Task.defaultExecutor !== defaultExecutor {
        _createExecutors(factory: RuntimeExecutors.self)
      }
      return true
    }
  }

  /// The previous executors of the process.
  private struct FormerExecutors: Sendable {
    let main: any MainExecutor
    let global: any TaskExecutor
    let mainScheduler: any SchedulingExecutor
    let globalScheduler: any SchedulingExecutor

    static let shared = FormerExecutors()

    private init?() {
      main = MainActor.executor
      global = Task.defaultExecutor
      guard let mainScheduler = main as? any SchedulingExecutor,
        let globalScheduler = global as? any SchedulingExecutor
      else { return nil }
      self.mainScheduler = mainScheduler
      self.globalScheduler = globalScheduler
    }

    /// The previous executors, for code that runs only after they have been replaced.
    static var replaced: FormerExecutors {
      guard let shared else { preconditionFailure("executors of which there is no former one were replaced") }
      return shared
    }
  }

  private final class GuardedTaskExecutor: TaskExecutor, SchedulingExecutor {
    func enqueue(_ job: consuming ExecutorJob) {
      let isYield = job.isYield
      let job = UnownedJob(job)
      if !TestQueueMembers.divert(job, isYield: isYield, to: .anywhere) {
        FormerExecutors.replaced.global.enqueue(ExecutorJob(job))
      }
    }

    func enqueue<C: Clock>(
      _ job: consuming ExecutorJob, at instant: C.Instant, tolerance: C.Duration?, clock: C
    ) {
      TestQueueMembers.noteRealTime()
      FormerExecutors.replaced.globalScheduler.enqueue(job, at: instant, tolerance: tolerance, clock: clock)
    }
  }

  extension ExecutorJob {
    /// Whether the job continues after a `Task.yield()`: `JobKind::NullaryContinuation`
    /// (swift/include/swift/ABI/MetadataValues.h).
    var isYield: Bool { kind.rawValue == 195 }
  }

  private final class GuardedMainExecutor: MainExecutor, SchedulingExecutor {
    func enqueue(_ job: consuming ExecutorJob) {
      let isYield = job.isYield
      let job = UnownedJob(job)
      if !TestQueueMembers.divert(job, isYield: isYield, to: .mainActor) {
        FormerExecutors.replaced.main.enqueue(ExecutorJob(job))
      }
    }

    func enqueue<C: Clock>(
      _ job: consuming ExecutorJob, at instant: C.Instant, tolerance: C.Duration?, clock: C
    ) {
      TestQueueMembers.noteRealTime()
      FormerExecutors.replaced.mainScheduler.enqueue(job, at: instant, tolerance: tolerance, clock: clock)
    }

    func run() throws { try FormerExecutors.replaced.main.run() }
    func stop() { FormerExecutors.replaced.main.stop() }
    func checkIsolated() { FormerExecutors.replaced.main.checkIsolated() }
    func isIsolatingCurrentContext() -> Bool? { FormerExecutors.replaced.main.isIsolatingCurrentContext() }
  }

#else

  /// The executors of the process, which this compiler's runtime does not let a library replace.
  enum RuntimeExecutors {
    /// Returns false: there are no executors to install.
    static func install() -> Bool { false }
  }

  extension ExecutorJob {
    var isYield: Bool { false }
  }

#endif
