import Synchronization
package import TimelineControl
package import TimelineCore
package import TimelineRehearsal
package import TimelineSystem

/// The state of a daemon in a client, shared by all views of the client. Events update the state. A stale state is read again
/// from the daemon.
package final class DaemonMirror: Sendable {
  /// A part of the state.
  package enum Part: Sendable, Hashable {
    /// Status and jobs.
    case jobs
    /// A page of the daemon's history.
    case history
    /// The other nodes of the cluster.
    case cluster
  }

  private let source: any DaemonSource
  private let state = Mutex(MirrorState())
  private let clock: @Sendable () -> MonotonicInstant

  package init(of source: any DaemonSource, clock: @escaping @Sendable () -> MonotonicInstant) {
    self.source = source
    self.clock = clock
  }

  /// Handles an event of the daemon.
  package func take(_ event: WatchReply) { state.withLock { $0.take(event, at: clock()) } }

  /// Handles that the daemon dropped events. The state stays for a pause, because a burst of events drops many, and is then
  /// read again.
  package func takeLoss() { state.withLock { $0.takeLoss(at: clock()) } }

  /// Discards the state, because the daemon no longer answers.
  package func forget() { state.withLock { $0.forget() } }

  /// Returns the result of `body`, which is called with the state under its lock. Other calls wait meanwhile.
  package func withState<Result: Sendable>(_ body: (inout MirrorState) -> Result) -> Result {
    state.withLock { body(&$0) }
  }

  /// Reads the daemon's state. Returns the state with a future that is not simulated yet.
  @discardableResult
  package func present() throws(FailedCall) -> (
    status: StatusReply, jobs: [JobReport], future: FutureEntries?
  ) {
    let (status, jobs) = try source.call { client throws(VarlinkClientError) in
      (try client.call(Control.Status()), try client.call(Control.List()).jobs)
    }
    return state.withLock { state in
      state.take(status, jobs, at: clock())
      return (status, jobs, state.future)
    }
  }

  /// Reads one part that a view of `stretch` lacks, or whose copy is stale. Makes few calls, so that the view can be drawn in
  /// between. Returns the part; `nil` if no part is missing.
  package func readNext(for stretch: PastStretch) throws(FailedCall) -> Part? {
    state.withLock { $0.endPause(at: clock()) }
    if try refresh() { return .jobs }
    state.withLock { $0.turn(to: stretch, at: clock()) }
    if try readPage(downTo: stretch.readFrom) { return .history }
    let instant = stretch.readFromOfNodes
    return readCluster(downTo: instant) || readOlderCluster(downTo: instant) ? .cluster : nil
  }

  /// Instant at which the next part for a view of `stretch` is to be read.
  package func dueAt(for stretch: PastStretch) -> MonotonicInstant {
    state.withLock { state in
      // Makes room if an archive is full.
      state.turn(to: stretch, at: clock())
      let isMissing =
        state.archive.lacks(stretch.readFrom)
        || state.cluster.nextPage(downTo: stretch.readFromOfNodes) != nil
      return isMissing ? clock() : state.dueAt
    }
  }

  /// Reads status and jobs if they are stale, and then the entries that have ended meanwhile. Returns whether status and jobs
  /// were stale.
  @discardableResult
  package func refresh() throws(FailedCall) -> Bool {
    guard state.withLock({ $0.isStale(at: clock()) }) else { return false }
    try present()
    guard let question = state.withLock({ $0.archive.questionOfEnds }) else { return true }
    let answer = try source.call(question)
    state.withLock { $0.archive.takeEnds(answer) }
    return true
  }

  /// Reads the next page of older entries. Returns whether a page was missing.
  package func readPage(downTo instant: WallInstant) throws(FailedCall) -> Bool {
    let question = state.withLock { state in
      state.archive.lacks(instant) ? state.archive.question(downTo: instant) : nil
    }
    guard let question else { return false }
    let answer = try source.call(question)
    state.withLock { $0.archive.take(answer, downTo: instant) }
    return true
  }

  /// Reads the state of the cluster and the changed entries of other nodes from the cluster's store, if the daemon is in a
  /// cluster and a query is due. If the store does not answer, its fault is recorded, and the known entries stay. Returns
  /// whether a query was due.
  package func readCluster(downTo instant: WallInstant) -> Bool {
    guard state.withLock({ $0.status?.cluster != nil && $0.cluster.begins(at: clock()) }) else {
      return false
    }
    do throws(FailedCall) {
      let cluster = try source.call(Control.Cluster()).state
      let question = state.withLock { state in
        state.cluster.take(cluster)
        return state.cluster.questionOfChanges(downTo: instant)
      }
      guard let question else { return true }
      let answer = try source.call(Control.ClusterHistory(question))
      state.withLock { $0.cluster.takeChanges(answer, downTo: instant, now: $0.now(at: clock())) }
    } catch {
      state.withLock { $0.cluster.take(fault: error.message) }
    }
    return true
  }

  /// Reads the next page of entries of other nodes that are missing or may have changed. Returns whether a page was missing, and may be read now.
  package func readOlderCluster(downTo instant: WallInstant) -> Bool {
    guard let page = state.withLock({ $0.cluster.nextPage(downTo: instant) }) else { return false }
    do throws(FailedCall) {
      let answer = try source.call(Control.ClusterHistory(page.question))
      state.withLock { $0.cluster.take(answer, for: page) }
    } catch {
      state.withLock { $0.cluster.take(fault: error.message) }
    }
    return true
  }
}
