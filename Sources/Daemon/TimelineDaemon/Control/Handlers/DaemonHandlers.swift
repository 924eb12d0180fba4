import TimelineControl
import TimelineCore
import TimelineEngine
import TimelineLedger
import TimelineLoading
import TimelineSystem

// Calls about the daemon as a whole.
extension ControlHandlers {
  mutating func addDaemon() {
    answer(Control.Status.self) { call in
      var reply = call.daemon.answers.statusReply
      reply.controlFault = call.service.socketFault
      return reply
    }
    on(Control.Metrics.self) { call in
      let (daemon, jobs) = (call.daemon, call.daemon.jobs.all)
      try call.refuseOneReply(of: jobs.count)
      call.replyInPages(of: jobs.count) { range in
        var metrics = daemon.answers.metrics
        metrics.openBackfillCount = daemon.backfills.openCount
        return MetricsReply(daemon: metrics, jobs: daemon.answers.metrics(of: jobs[range]))
      }
    }
    on(Control.Configuration.self) { $0.listConfiguration() }
    on(Control.Reload.self) { try $0.reload() }
    on(Control.Backup.self) { try $0.backup() }
    answer(Control.Mode.self) { $0.daemon.answers.modeReply }
    answer(Control.SetMode.self) { call in
      let mode = call.parameters
      return call.daemon.operators.choose(try mode.choice, mode.chosenCadence, by: try call.caller)
    }
    on(Control.Stop.self) { call in
      let daemon = call.daemon
      try call.note()
      call.reply(StopReply(runningCount: daemon.answers.runningCount))
      daemon.stopping.drain(now: call.parameters.now ?? false)
    }
  }
}

extension ReceivedCall<Control.Reload> {
  fileprivate func reload() throws {
    try note()
    daemon.reloader.reload { result in
      switch result {
      case .success(let changes):
        reply(
          ReloadReply(
            added: changes.added.map(\.text), changed: changes.changed.map(\.text),
            removed: changes.removed.map(\.text), unchangedCount: changes.unchangedCount,
            warnings: changes.warnings))
      case .failure(let failure):
        guard let connection else { return }
        let failure = connection.mayReadEveryFile ? failure : failure.redacted
        fail(.reloadFailed(diagnostics: failure.details))
      }
    }
  }
}

extension ReceivedCall<Control.Backup> {
  /// Copies the ledger. Only one copy is made at a time.
  fileprivate func backup() throws {
    guard service.copier == nil else {
      throw ControlError.backupFailed(reason: "another copy is being made")
    }
    let by = try caller
    service.copier = try LedgerCopier(of: daemon.ledger, loop: daemon.loop) { result in
      service.copier = nil
      switch result {
      case .success(let copy):
        daemon.announcer.announce(.notice, "ledger copied to \(copy.path) by \(by)")
        reply(copy)
      case .failure(let error): fail(error)
      }
    }
  }
}

extension ControlConnection {
  /// Whether the client may read each file that this process may read: `true` for root and for the user of this process.
  fileprivate var mayReadEveryFile: Bool {
    peer.map { [0, CurrentProcess.effectiveUser].contains($0.user) } ?? false
  }
}
