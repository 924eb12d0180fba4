internal import CTimelineTesting
internal import Dispatch

/// The executor on which a job was enqueued.
enum JobPlace {
  /// The global executor: any thread.
  case anywhere
  case mainActor
}

/// Jobs of tasks that may later belong to a test. They run as the runtime would run them, but their end is recorded.
enum WatchedJobs {
  private static let pool = DispatchQueue(label: "TestClock.watched", attributes: .concurrent)

  static func run(_ job: UnownedJob, numbered number: UInt64, at place: JobPlace) {
    let queue =
      switch place {
      case .anywhere: pool
      case .mainActor: DispatchQueue.main
      }
    queue.async {
      let outer = timeline_enter(timeline_origin(family: 0, watched: number, is_poll: false))
      switch place {
      case .anywhere: unsafe job.runSynchronously(on: generic)
      case .mainActor: unsafe job.runSynchronously(on: MainActor.sharedUnownedExecutor)
      }
      TestQueueMembers.finishWatchedJob(number)
      _ = timeline_enter(outer)
    }
  }

  /// No executor in particular, as in the runtime's own pool.
  private static var generic: UnownedSerialExecutor {
    unsafe unsafeBitCast((UInt(0), UInt(0)), to: UnownedSerialExecutor.self)
  }
}
