import TimelineControl
import TimelineCore
import TimelineEngine
import TimelineLedger
import TimelineSystem

/// The audit trail: the actions of operators, in the log and in the ledger.
struct Audit {
  private let announcer: Announcer
  private let writer: LedgerWriter
  private let clock: DaemonClock

  init(_ parts: DaemonParts, _ writer: LedgerWriter) {
    (announcer, clock, self.writer) = (parts.announcer, parts.clock, writer)
  }

  /// Logs an action with its operator, and `details` after the operator's name.
  func announce(
    _ verb: OperatorAction.Verb, on job: JobName? = nil, run: RunID? = nil, by: Operator, details: String = ""
  ) {
    announcer.announce(
      Announcement(
        level: .notice, kind: .operatorAction, text: "\(verb.past) by \(by)\(details)", job: job, run: run,
        by: by))
  }

  /// Records an action in the ledger.
  @discardableResult
  func file(
    _ verb: OperatorAction.Verb, on job: JobName? = nil, entry: WallInstant? = nil, by: Operator,
    reason: String = ""
  ) -> OperatorAction {
    let action = OperatorAction(verb, at: clock.now, job: job, entry: entry, by: by, reason: reason)
    writer.note(action)
    return action
  }

  /// Records an action that concerns the daemon as a whole, in the log and in the ledger.
  func note(_ verb: OperatorAction.Verb, by: Operator) {
    announce(verb, by: by)
    file(verb, by: by)
  }
}

extension OperatorAction {
  /// The reason in the operator's words; `nil` for none.
  var words: String? { reason.isEmpty ? nil : reason }
}

extension OperatorAction.Verb {
  /// The verb in the past tense, for the log.
  var past: String {
    switch self {
    case .pause: "paused"
    case .resume: "resumed"
    case .release: "released"
    case .trigger: "triggered"
    case .rerun: "rerun requested"
    case .backfill: "backfill"
    case .cancel: "cancelled"
    case .reload: "reload requested"
    case .stop: "stop requested"
    case .activate: "definitions activated"
    case .leave: "leave of the cluster requested"
    case .mode: "mode chosen"
    case .clock: "clock controlled"
    }
  }
}

extension Operator {
  /// Makes an operator from the sender of a signal; `name` is the user's name if it needs no look-up.
  init(_ sender: SignalSender, name: String?) {
    self.init(
      user: sender.user, name: name, process: sender.pid, program: ProgramName.ofProcess(sender.pid))
  }

  /// Makes an operator from the peer of a socket, while the peer waits for its answer.
  init(_ peer: PeerCredentials, name: String?) {
    self.init(user: peer.user, name: name, process: peer.pid, program: ProgramName.ofProcess(peer.pid))
  }

  /// The operator as reported to clients.
  var report: OperatorReport {
    OperatorReport(uid: user, user: name, pid: process > 0 ? process : nil, program: program)
  }
}
