import TimelineConfiguration
import TimelineControl
import TimelineCore
import TimelineEngine
import TimelineHostPool
import TimelineLedger

// Calls that start and stop runs. A client may wait for the end of a run.
extension ControlHandlers {
  mutating func addRuns() {
    on(Control.Trigger.self) { try $0.trigger() }
    on(Control.Rerun.self) { try $0.rerun() }
    on(Control.Cancel.self) { try $0.cancel() }
  }
}

extension ReceivedCall<Control.Trigger> {
  fileprivate func trigger() throws {
    let job = try daemon.answers.ownRow(named: parameters.job).job.name
    try request(job) { by throws(ControlError) in try daemon.operators.trigger(job, by: by) }
  }
}

extension ReceivedCall<Control.Rerun> {
  fileprivate func rerun() throws {
    let job = try daemon.answers.ownRow(named: parameters.job).job
    let entry = try daemon.answers.repeatableEntry(of: job, at: parameters.moment)
    try request(job.name, of: entry) { by throws(ControlError) in
      try daemon.operators.rerun(job.name, of: entry, by: by)
    }
  }
}

extension ReceivedCall where Call.Reply == TriggerReply {
  /// Requests a run by `start`, for the entry `of` if it is a rerun. A client that accepts more than one reply also gets the
  /// progress and the end.
  private func request(
    _ job: JobName, of: WallInstant? = nil, _ start: (Operator) throws(ControlError) -> Triggered
  ) throws {
    let by = try caller
    let run = wantsMore ? daemon.hosts.run(of: by.process) : nil
    if wantsMore { try stay(.waiting) }
    if let run { try daemon.operators.refuseCycle(of: run, triggering: job) }
    let outcome = try start(by)
    let entry: EntryKey
    switch outcome {
    case .taken: throw ControlError.entryTaken(job: job.text)
    case .settled(let record):
      return reply(TriggerReply(run: record.run?.number ?? 0, end: EntryReport(record)).repeating(of))
    case .started(let key, let run):
      entry = key
      reply(TriggerReply(run: run.number).repeating(of), continues: wantsMore)
    case .waiting(let key):
      if let run { try daemon.operators.refuseWaitWithoutEnd(of: run, for: key) }
      entry = key
      // A run whose plugin host is being started does not wait for other runs, so it has its number.
      let starting = daemon.engine.waits.runOfStartingHost(for: key)
      reply(TriggerReply(run: starting?.number ?? 0).repeating(of), continues: wantsMore)
    }
    guard wantsMore else { return }
    observe(entry, by: run) { reply(TriggerReply($0).repeating(of), continues: !$0.isLast) }
  }
}

extension ReceivedCall<Control.Cancel> {
  /// Asks a run to stop. A client that asks for more replies gets the end of the run as well.
  fileprivate func cancel() throws {
    let number = parameters.run
    let run = RunID(number: number)
    guard let active = daemon.runs[run] else {
      throw ControlError.noSuchRun(run: "\(number)", running: activeRuns)
    }
    if wantsMore { try stay(.waiting) }
    let by = try caller
    let entry = active.attempt.entry
    daemon.operators.noteCancel(of: run, entry, by: by)
    let job = entry.job.text
    reply(CancelReply(run: number, job: job), continues: wantsMore)
    if wantsMore {
      observe(entry) { event in
        guard case .end(let record) = event else { return }
        reply(CancelReply(run: number, job: job, end: EntryReport(record)))
      }
    }
    daemon.operators.cancel(run)
  }

  /// The first ``namedRunsMax`` active runs in words, with the number of further runs.
  private var activeRuns: String {
    let runs = daemon.runs
    let named = runs.numbers.prefix(Self.namedRunsMax).compactMap { id in
      runs[id].map { "\(id) (\($0.attempt.entry.job))" }
    }
    return named.joined(separator: ", ")
      + (runs.count > named.count ? ", and \(runs.count - named.count) more" : "")
  }

  /// Largest number of runs in an error message.
  private static var namedRunsMax: Int { 20 }
}

extension ReceivedCall {
  /// Reports the events of an entry to the client through `report`, until the last event or until the client is disconnected.
  /// Meanwhile the run that the client belongs to lends its place to other runs.
  fileprivate func observe(
    _ entry: EntryKey, by run: RunID? = nil, _ report: @escaping (EntryEvent) -> Void
  ) {
    let number = daemon.runs.observe(entry, by: run) { event in
      if event.isLast { connection?.whenClosed = nil }
      switch event {
      case .kept: fail(.entryKept(job: entry.job.text))
      case .taken: fail(.entryTaken(job: entry.job.text))
      case .started, .progress, .end: report(event)
      }
    }
    connection?.whenClosed = { [weak daemon = self.daemon] in
      daemon?.runs.stopObserving(number)
    }
    daemon.runs.lendPlaces()
  }
}

extension TriggerReply {
  /// Returns the reply about a rerun of the entry at `nominal`; `nil` for a trigger.
  fileprivate func repeating(_ nominal: WallInstant?) -> TriggerReply {
    var reply = self
    reply.of = nominal.map(Timestamp.init)
    return reply
  }

  fileprivate init(_ event: EntryEvent) {
    switch event {
    case .started(let run): self.init(run: run.number)
    case .progress(let run, let millionths, let text):
      self.init(run: run.number, progressMillionths: millionths, progressText: text)
    case .end(let record): self.init(run: record.run?.number ?? 0, end: EntryReport(record))
    case .kept, .taken: self.init(run: 0)
    }
  }
}
