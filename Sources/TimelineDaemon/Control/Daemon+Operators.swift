import TimelineControl
import TimelineCore
import TimelineEngine
import TimelineLedger
import TimelineSystem

// The audit trail: who had the daemon do something, in the log and in the ledger.
extension Daemon {
  /// Tells the log who asked for something, with `details` after the name.
  func announce(
    _ verb: OperatorAction.Verb, on job: JobName? = nil, run: RunID? = nil, by: Operator, details: String = ""
  ) {
    announcer.announce(
      Announcement(
        level: .notice, kind: .operatorAction, text: "\(verb.past) by \(by)\(details)", job: job, run: run,
        by: by))
  }

  /// Files what was asked for in the ledger.
  @discardableResult
  func file(
    _ verb: OperatorAction.Verb, on job: JobName? = nil, entry: WallInstant? = nil, by: Operator,
    reason: String = ""
  ) -> OperatorAction {
    let action = OperatorAction(verb, at: now, job: job, entry: entry, by: by, reason: reason)
    writer.note(action)
    return action
  }

  /// Notes that the daemon as a whole was asked for something.
  func note(_ verb: OperatorAction.Verb, by: Operator) {
    announce(verb, by: by)
    file(verb, by: by)
  }
}

extension OperatorAction {
  /// The operator's own words; `nil` for none.
  var words: String? { reason.isEmpty ? nil : reason }
}

extension OperatorAction.Verb {
  /// The verb as the log has it.
  var past: String {
    switch self {
    case .pause: "paused"
    case .resume: "resumed"
    case .release: "released"
    case .trigger: "triggered"
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
  /// The sender of a signal, where the name of its user needs no look-up.
  init(_ sender: SignalSender, name: String?) {
    self.init(
      user: sender.user, name: name, process: sender.pid, program: ProgramName.ofProcess(sender.pid))
  }

  /// The peer of a socket, as it is while it waits for its answer.
  init(_ peer: PeerCredentials, name: String?) {
    self.init(user: peer.user, name: name, process: peer.pid, program: ProgramName.ofProcess(peer.pid))
  }

  /// The operator as reported to clients.
  var report: OperatorReport {
    OperatorReport(uid: user, user: name, pid: process > 0 ? process : nil, program: program)
  }
}
