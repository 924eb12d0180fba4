import TimelineCore

/// Decision about a due entry that meets other entries of its job, or full groups.
enum OverlapDecision: Sendable, Hashable {
  /// It starts at once.
  case start
  /// It waits behind those that wait.
  case wait
  /// It waits in the place of those that wait, which are superseded, and the oldest runs are stopped where they are in the way.
  case supersede(stopping: Stop?)
  /// It is dropped because a run is in the way.
  case overlapped
  /// It is dropped because another entry waits.
  case alreadyWaiting
  /// It is dropped because as many entries wait as may.
  case limited

  /// Means by which runs are stopped.
  enum Stop: Sendable, Hashable {
    case ask, kill
  }

  /// Decides by the job's overlap policy.
  ///
  /// The overlap policy decides when the job has no room for another run of its own. When only a group is full the
  /// job is not in its own way, so even under `skip` its entry waits: one entry a job, and later ones are overlapped. Entries that
  /// somebody asked for at the end of a pause run one after the other, and are not dropped for those before them.
  ///
  /// - Parameters:
  ///   - isAskedFor: Whether somebody who resumed the job asked for the entry.
  ///   - hasRoom: Whether the job has room for another run.
  ///   - mayStart: Whether its groups have room too, and nobody waits before it.
  ///   - waiting: Number of entries of the job that wait for room, of which there may be `waitingMax`.
  init(
    _ policy: OverlapPolicy, isAskedFor: Bool, hasRoom: Bool, mayStart: Bool, waiting: Int, waitingMax: Int
  ) {
    if hasRoom, mayStart {
      self = .start
      return
    }
    self =
      switch policy {
      case .skip where !isAskedFor && !hasRoom: .overlapped
      case .skip where !isAskedFor, .bufferOne where !isAskedFor: waiting == 0 ? .wait : .alreadyWaiting
      case .skip, .bufferOne, .bufferAll, .allowAll: waiting < waitingMax ? .wait : .limited
      case .cancelOther: .supersede(stopping: hasRoom ? nil : .ask)
      case .terminateOther: .supersede(stopping: hasRoom ? nil : .kill)
      }
  }
}
