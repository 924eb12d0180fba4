package import TimelineCore

/// Decision about a due entry that meets other entries of its job, or full groups.
enum OverlapDecision: Sendable, Hashable {
  /// The entry starts at once.
  case start
  /// The entry waits behind the entries that already wait.
  case wait
  /// The entry waits in place of the waiting entries, which are superseded. If the job has no room, the oldest runs are
  /// stopped.
  case supersede(stopping: Stop?)
  /// The entry is dropped, because the job has no room for another run.
  case overlapped
  /// The entry is dropped, because another entry waits.
  case alreadyWaiting
  /// The entry is dropped, because as many entries wait as `waitingMax` allows.
  case limited

  /// Means by which runs are stopped.
  enum Stop: Sendable, Hashable {
    case ask, kill
  }

  /// Decides by the job's overlap policy.
  ///
  /// The overlap policy decides if the job has no room for another run of its own. If only a group is full, the job does not
  /// block itself. Its entry then waits even under `skip`: one entry per job, and later entries are overlapped. Entries that
  /// an operator requested at the end of a pause run one after the other, and are not dropped because of earlier ones.
  ///
  /// - Parameters:
  ///   - isAskedFor: Whether the operator who resumed the job requested the entry.
  ///   - hasRoom: Whether the job has room for another run.
  ///   - mayStart: Whether the groups have room, too, and no job waits before this job.
  ///   - waiting: Number of entries of the job that wait for room, at most `waitingMax`.
  init(
    _ policy: @autoclosure () -> OverlapPolicy, isAskedFor: Bool, hasRoom: Bool, mayStart: Bool,
    waiting: @autoclosure () -> Int, waitingMax: @autoclosure () -> Int
  ) {
    if hasRoom, mayStart {
      self = .start
      return
    }
    let waiting = waiting()
    self =
      switch policy() {
      case .skip where !isAskedFor && !hasRoom: .overlapped
      case .skip where !isAskedFor, .bufferOne where !isAskedFor: waiting == 0 ? .wait : .alreadyWaiting
      case .skip, .bufferOne, .bufferAll, .allowAll: waiting < waitingMax() ? .wait : .limited
      case .cancelOther: .supersede(stopping: hasRoom ? nil : .ask)
      case .terminateOther: .supersede(stopping: hasRoom ? nil : .kill)
      }
  }
}

extension JobPolicies {
  /// Maximum number of concurrent runs of the job, 1 to ``EngineLimits/concurrentRunsMax``.
  package var capacity: Int {
    let bound = overlap.hasRoomForAll ? EngineLimits.concurrentRunsMax : concurrency
    return min(max(1, bound), EngineLimits.concurrentRunsMax)
  }
}
