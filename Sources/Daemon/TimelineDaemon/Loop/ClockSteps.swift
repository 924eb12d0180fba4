import TimelineCore

/// Steps of the clock since the start, and their reports to all parts of the daemon except the engine. A step is not elapsed
/// time.
final class ClockSteps {
  /// Number of times that the clock was set, or the machine resumed.
  private(set) var count = 0
  /// Time by which the clock has moved in all steps.
  private(set) var sum = ElapsedTime.zero
  private var cluster: ClusterMember?
  private let runs: RunBoard
  private let writer: LedgerWriter
  private let announcer: Announcer
  private let subscribers: EventSubscribers

  init(runs: RunBoard, writer: LedgerWriter, announcer: Announcer, subscribers: EventSubscribers) {
    (self.runs, self.writer, self.announcer, self.subscribers) = (runs, writer, announcer, subscribers)
  }

  /// Adds the membership of this node in a cluster.
  func join(_ cluster: ClusterMember) { self.cluster = cluster }

  /// Logs and reports a step.
  func note(_ step: ElapsedTime) {
    let text =
      step == .zero
      ? "the system clock was set, or the machine resumed; the clock of the rehearsal goes on"
      : "the system clock moved by \(step.signedApproximateText) (clock set, or resume from suspend); deadlines recalculated"
    count += 1
    announcer.announce(.notice, text, kind: .clockStepped)
    follow(step)
    subscribers.tell(.clockStepped(by: step))
  }

  /// Adjusts runs, the ledger's writer and the cluster to a step.
  func follow(_ step: ElapsedTime) {
    sum = sum + step
    runs.clockWasMoved(by: step)
    writer.clockWasStepped()
    cluster?.wake()
  }
}
