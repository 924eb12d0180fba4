import TimelineConfiguration
import TimelineControl
import TimelineCore
import TimelineEngine
import TimelineHostPool
import TimelineLedger
import TimelineLoading
import TimelineSystem

// Requests that change something, and that may take long to answer.
extension ControlService {
  func reload(_ call: VarlinkCall, _ connection: ControlConnection) throws {
    daemon.operators.note(.reload, by: try caller(of: connection))
    daemon.reloader.reload { [weak connection] result in
      switch result {
      case .success(let changes):
        connection?.reply(
          to: call,
          ReloadReply(
            added: changes.added.map(\.text), changed: changes.changed.map(\.text),
            removed: changes.removed.map(\.text), unchangedCount: changes.unchangedCount,
            warnings: changes.warnings))
      case .failure(let failure):
        guard let connection else { return }
        let failure = connection.mayReadEveryFile ? failure : failure.redacted
        connection.fail(call, ControlError.reloadFailed(diagnostics: failure.text()).varlink)
      }
    }
  }

  func trigger(_ text: String, _ call: VarlinkCall, _ connection: ControlConnection) throws {
    let job = try daemon.answers.ownRow(named: text).job.name
    let by = try caller(of: connection)
    let run = call.wantsMore ? daemon.hosts.run(of: by.process) : nil
    if call.wantsMore { try stay(.waiting, connection) }
    if let run { try daemon.operators.refuseCycle(of: run, triggering: job) }
    let outcome = try daemon.operators.trigger(job, by: by)
    let entry: EntryKey
    switch outcome {
    case .taken: throw ControlError.entryTaken(job: text)
    case .settled(let record):
      return connection.reply(to: call, TriggerReply(run: record.run?.number ?? 0, end: EntryEnd(record)))
    case .started(let key, let run):
      entry = key
      connection.reply(to: call, TriggerReply(run: run.number), continues: call.wantsMore)
    case .waiting(let key):
      if let run { try daemon.operators.refuseWaitWithoutEnd(of: run, for: key) }
      entry = key
      // A run whose plugin host is being started waits for no turn.
      let starting = daemon.engine.waits.runOfStartingHost(for: key)
      connection.reply(to: call, TriggerReply(run: starting?.number ?? 0), continues: call.wantsMore)
    }
    guard call.wantsMore else { return }
    observe(entry, for: call, on: connection, by: run) { connection, event in
      connection.reply(to: call, TriggerReply(event), continues: !event.isLast)
    }
  }

  /// Reports the events of an entry to a client through `reply`, until the last event or until the client is disconnected.
  /// Meanwhile the run that the client belongs to lends its place to other runs.
  private func observe(
    _ entry: EntryKey, for call: VarlinkCall, on connection: ControlConnection,
    by run: RunID? = nil, _ reply: @escaping (ControlConnection, EntryEvent) -> Void
  ) {
    let number = daemon.runs.observe(entry, by: run) { [weak connection] event in
      guard let connection else { return }
      if event.isLast { connection.whenClosed = nil }
      switch event {
      case .kept: connection.fail(call, ControlError.entryKept(job: entry.job.text).varlink)
      case .taken: connection.fail(call, ControlError.entryTaken(job: entry.job.text).varlink)
      case .started, .progress, .end: reply(connection, event)
      }
    }
    connection.whenClosed = { [weak daemon] in
      daemon?.runs.stopObserving(number)
    }
    daemon.runs.lendPlaces()
  }

  /// Copies the ledger; one copy at a time.
  func backup(_ call: VarlinkCall, _ connection: ControlConnection) throws {
    guard copier == nil else { throw ControlError.backupFailed(reason: "another copy is being made") }
    let by = try caller(of: connection)
    copier = try LedgerCopier(of: daemon.ledger, loop: daemon.loop) {
      [weak self, weak connection] result in
      self?.copier = nil
      switch result {
      case .success(let reply):
        self?.daemon.announcer.announce(.notice, "ledger copied to \(reply.path) by \(by)")
        connection?.reply(to: call, reply)
      case .failure(let error): connection?.fail(call, error.varlink)
      }
    }
  }

  /// Asks a run to stop. A client that asks for more replies gets the end of the run as well.
  func cancel(_ number: UInt64, _ call: VarlinkCall, _ connection: ControlConnection) throws {
    let run = RunID(number: number)
    guard let active = daemon.runs[run] else {
      let running = daemon.runs.numbers.prefix(Self.namedRunsMax).compactMap { id in
        daemon.runs[id].map { "\(id) (\($0.attempt.entry.job))" }
      }
      let more =
        daemon.runs.count > Self.namedRunsMax ? ", and \(daemon.runs.count - Self.namedRunsMax) more" : ""
      throw ControlError.noSuchRun(run: "\(number)", running: running.joined(separator: ", ") + more)
    }
    if call.wantsMore { try stay(.waiting, connection) }
    let by = try caller(of: connection)
    let entry = active.attempt.entry
    daemon.operators.noteCancel(of: run, entry, by: by)
    let job = entry.job.text
    connection.reply(to: call, CancelReply(run: number, job: job), continues: call.wantsMore)
    if call.wantsMore {
      observe(active.attempt.entry, for: call, on: connection) { connection, event in
        guard case .end(let record) = event else { return }
        connection.reply(to: call, CancelReply(run: number, job: job, end: EntryEnd(record)))
      }
    }
    daemon.operators.cancel(run)
  }

  /// Largest number of runs in an error message.
  private static let namedRunsMax = 20
}

extension TriggerReply {
  fileprivate init(_ event: EntryEvent) {
    switch event {
    case .started(let run): self.init(run: run.number)
    case .progress(let run, let millionths, let text):
      self.init(run: run.number, progressMillionths: millionths, progressText: text)
    case .end(let record): self.init(run: record.run?.number ?? 0, end: EntryEnd(record))
    case .kept, .taken: self.init(run: 0)
    }
  }
}

extension ControlConnection {
  /// Whether the client may read each file that this process may read, as root and this process's user may.
  fileprivate var mayReadEveryFile: Bool {
    peer.map { [0, CurrentProcess.effectiveUser].contains($0.user) } ?? false
  }
}
