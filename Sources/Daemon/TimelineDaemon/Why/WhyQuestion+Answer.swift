import TimelineControl
import TimelineCore
import TimelineEngine
import TimelineLedger

extension WhyQuestion {
  /// Returns the whole answer: the data for programs, and the same in words.
  func answer(from ledger: some LedgerReader) -> WhyReply {
    let finding = wholeFinding(in: ledger)
    let words = WhyWords(question: self, finding: finding)
    var reply = WhyReply(
      job: job.text, zone: zone.name, now: now, verdict: finding.kind.verdict, headline: words.headline)
    reply.alsoCount = finding.alsoCount
    reply.pausedSince = pausedSince.map(Timestamp.init)
    reply.fault = fault
    if pausedSince != nil {
      reply.pausedBy = pauseAction?.by.report
      reply.pauseReason = pauseAction?.words
    }
    reply.underWay = underWay(at: finding, ledger)
    if finding.kind.isEntry {
      reply.entry = Timestamp(finding.nominal)
      reply.reactions = finding.reactions.suffix(Self.reactionsMax).map { EntryReport($0) }
      reply.reruns = finding.reruns.suffix(Self.rerunsMax).map { EntryReport($0) }
    }
    var counters: LedgerCounters?
    switch finding.kind {
    case .settled(let entry):
      reply.record = EntryReport(entry)
      reply.attempts = entry.attempts.map(WhyReply.AttemptReport.init)
      reply.output = entry.outputTail.isEmpty ? nil : entry.outputTail
      reply.incident = finding.incident?.report
    case .running(let run, let entry):
      reply.record = entry.map(EntryReport.init)
      reply.running = RunReport(run.attempt.run, run)
      reply.attempts = (entry?.attempts ?? []).map(WhyReply.AttemptReport.init)
      reply.output = run.output.isEmpty ? nil : run.output.text
    case .omitted(let omission): reply.omission = omission.outcome.rawValue
    case .counted:
      counters = ledger.counters(of: job, inHourOf: finding.nominal)
      reply.counts = counters?.outcomes.sorted.reduce(into: [:]) {
        $0[$1.outcome.rawValue] = $1.count
      }
    case .waiting(let wait, let entry):
      reply.waiting = wait
      reply.attempts = (entry?.attempts ?? []).map(WhyReply.AttemptReport.init)
      let reason = wait?.reason ?? WaitReport.Reason.previousRun.rawValue
      // Other active runs matter only if they block the entry.
      let blamed: [WaitReport.Reason] = [.previousRun, .group]
      if blamed.map(\.rawValue).contains(reason) { reply.underWay = runsInFlight }
    case .held: reply.underWay = runsInFlight
    case .none where moment.stretches.contains { $0.contains(now) }:
      reply.waiting = waits.min { $0.key < $1.key }?.value
    case .planned, .silent, .unrecorded, .none: break
    }
    let (before, after) = neighbors(of: finding, ledger)
    reply.before = before.map { neighbor($0, ledger) }
    reply.after = after.map { neighbor($0, ledger) }
    reply.details = words.details(of: reply, counters)
    return reply
  }

  /// Returns the entry that the question is about, with all that is recorded about it.
  private func wholeFinding(in ledger: some LedgerReader) -> WhyFinding {
    var finding = finding(in: ledger)
    finding.told = told(at: finding, ledger)
    finding.reactions = reactions(at: finding, ledger)
    finding.reruns = reruns(at: finding, ledger)
    finding.incident = incident(at: finding)
    finding.actions = actions(at: finding, ledger)
    finding.modeChange = modeChange(at: finding, ledger)
    finding.isBeforeFirst = isBeforeFirst(finding, ledger)
    return finding
  }

  private func isBeforeFirst(_ finding: WhyFinding, _ ledger: some LedgerReader) -> Bool {
    guard case .none = finding.kind, moment.start == now else { return false }
    return runs.isEmpty && waits.isEmpty && ledger.neighbors(of: job, around: now).before == nil
  }

  private var runsInFlight: [EntryReport] {
    let mates = groupMates.keys.sorted().flatMap { groupMates[$0] ?? [] }
    let own = runs.values.filter { !$0.isWaiting }.sorted(on: \.attempt.run)
    return (own + mates).map { EntryReport($0) }
  }

  private func neighbor(_ nominal: WallInstant, _ ledger: some LedgerReader) -> WhyReply.Neighbor {
    let kind = kind(of: nominal, ledger)
    guard case .settled(let entry) = kind else {
      return WhyReply.Neighbor(entry: nominal, verdict: kind.verdict)
    }
    return WhyReply.Neighbor(
      entry: nominal, verdict: .settled, outcome: entry.record.outcome.rawValue)
  }
}

extension WhyFinding.Kind {
  /// The name of the kind in the interface.
  var verdict: WhyVerdict {
    switch self {
    case .settled: .settled
    case .running: .running
    case .waiting: .waiting
    case .held: .held
    case .planned: .planned
    case .silent: .silent
    case .omitted: .omitted
    case .counted: .counted
    case .unrecorded: .unrecorded
    case .none: .none
    }
  }

  /// Whether the moment has an entry, or an entry that was left out.
  var isEntry: Bool {
    switch self {
    case .counted, .none: false
    case .settled, .running, .waiting, .held, .planned, .silent, .omitted, .unrecorded: true
    }
  }
}

extension WhyReply.AttemptReport {
  init(_ attempt: LedgerAttempt) {
    self.init(
      number: attempt.number, startedAt: attempt.startedAt, endedAt: attempt.endedAt,
      outcome: attempt.outcome?.rawValue, message: attempt.message)
  }
}
