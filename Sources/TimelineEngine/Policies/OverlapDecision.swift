import TimelineCore

/// Decision about a due entry that meets other entries of its job, or full groups.
enum OverlapDecision: Sendable, Hashable {
  /// It starts at once.
  case start
  /// It waits behind the entries that wait already.
  case wait
  /// It waits in place of the waiting entries, which are superseded. The oldest runs are stopped if the job has no room.
  case supersede(stopping: Stop?)
  /// It is dropped because the job has no room for another run.
  case overlapped
  /// It is dropped because another entry waits.
  case alreadyWaiting
  /// It is dropped because as many entries wait as `waitingMax` allows.
  case limited

  /// Means by which runs are stopped.
  enum Stop: Sendable, Hashable {
    case ask, kill
  }

  /// Decides by the job's overlap policy.
  ///
  /// The overlap policy decides when the job has no room for another run of its own. When only a group is full, the job does not
  /// block itself, so even under `skip` its entry waits: one entry per job, and later ones are overlapped. Entries that an
  /// operator requested at the end of a pause run one after the other, and are not dropped because of those before them.
  ///
  /// - Parameters:
  ///   - isAskedFor: Whether the operator who resumed the job requested the entry.
  ///   - hasRoom: Whether the job has room for another run.
  ///   - mayStart: Whether its groups have room too, and no job waits before it.
  ///   - waiting: Number of entries of the job that wait for room, at most `waitingMax`.
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
