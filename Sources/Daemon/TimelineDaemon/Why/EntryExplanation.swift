import TimelineControl
import TimelineCore
import TimelineEngine
import TimelineLedger

/// Events that led to an entry's outcome, line by line.
///
/// A class, because the functions for copying a value with so many parts would take 27 kB of the program.
final class EntryExplanation {
  private let words: WhyWords
  private let entry: LedgerEntry
  private let reply: WhyReply

  init(_ words: WhyWords, _ entry: LedgerEntry, _ reply: WhyReply) {
    self.words = words
    self.entry = entry
    self.reply = reply
  }

  private var record: EntryRecord { entry.record }
  private var policies: JobPolicies { words.question.policies }

  /// The lines in the order of the events.
  var lines: [WhyReply.Detail] {
    var lines: [WhyReply.Detail] = [.init("entry", "\(words.finding.nominal)\(several)")]
    if !record.reason.isEmpty && !isSaidByLastAttempt { lines.append(.init("reason", record.reason)) }
    lines += record.startedAt.map(run) ?? notRun
    return lines + words.consequences(of: record) + words.rerunLines
  }

  private var several: String {
    guard record.entryCount > 1 else { return "" }
    let stretch = "\(words.entry(record.firstNominal)) to \(words.entry(record.entry.nominal))"
    return record.startedAt == nil
      ? ", one of \(record.entryCount) that ended so together, \(stretch)"
      : ", one of \(record.entryCount) that this run stands for, \(stretch)"
  }

  /// Whether the message of the last attempt is the reason of the record.
  private var isSaidByLastAttempt: Bool { entry.attempts.last?.message == record.reason }

  private func run(startedAt: WallInstant) -> [WhyReply.Detail] {
    var lines: [WhyReply.Detail] = [.init("cause", record.cause.words(policies))]
    lines += words.repeats(record.rerun)
    lines += words.told
    lines += words.actions
    lines += downtime
    if let claimedAt = entry.claimedAt { lines.append(.init("claim", words.claim(claimedAt))) }
    let lateness =
      record.cause.isOfSchedule ? ", \((startedAt - record.entry.nominal).approximateText) late" : ""
    lines.append(.init("started", words.time(startedAt) + lateness))
    lines += reply.underWay.map { .init("waited for", words.inFlight($0)) }
    if entry.attempts.isEmpty && record.attempts > 1 {
      lines.append(.init("attempts", "\(record.attempts)"))
    }
    for attempt in entry.attempts {
      let name = entry.attempts.count == 1 ? "attempt" : "attempt \(attempt.number)"
      lines.append(.init(name, text(of: attempt)))
    }
    lines.append(
      .init("ended", words.time(record.endedAt) + Self.length(from: startedAt, to: record.endedAt)))
    if let time = entry.usage.processorTime { lines.append(.init("processor time", time.approximateText)) }
    if let peak = entry.usage.memoryPeak { lines.append(.init("peak memory", peak.text)) }
    if let run = record.run { lines.append(.init("run", "\(run)")) }
    return lines + decision
  }

  /// The setting that decided about the outcome.
  private var decision: [WhyReply.Detail] {
    switch record.outcome.decider {
    case .timeout: policies.timeout.map { [.init("policy", "timeout = \"\($0)\"")] } ?? []
    case .delivery: [.init("policy", policies.delivery.words)]
    case .overlap: [.init("policy", policies.overlap.words)]
    case .missed: [.init("policy", policies.missed.words)]
    case .mode: words.mode
    case .cron: [.init("policy", "`[include] crontabs`: cron runs the job as long as it is active")]
    case .run, .limit, .pause, .schedule, .stop: []
    }
  }

  /// Returns the time between the instants in words, or a remark if the clock was set back meanwhile.
  private static func length(from start: WallInstant, to end: WallInstant) -> String {
    end < start ? "; the clock was set during the run" : ", after \((end - start).approximateText)"
  }

  private func text(of attempt: LedgerAttempt) -> String {
    let outcome = attempt.outcome?.rawValue ?? "its end was not seen"
    let took =
      attempt.endedAt.map {
        $0 < attempt.startedAt ? "" : "  took \(($0 - attempt.startedAt).approximateText)"
      }
      ?? ""
    let message = attempt.message.isEmpty ? "" : ": \(attempt.message)"
    return "\(words.time(attempt.startedAt))\(took)  \(outcome)\(message)"
  }

  private var notRun: [WhyReply.Detail] {
    var lines = words.repeats(record.rerun) + words.actions + downtime
    lines += reply.underWay.map { .init("in the way", words.inFlight($0)) }
    lines += decision
    lines.append(.init("decided", words.time(record.endedAt)))
    return lines
  }

  /// A line about a downtime of timelined at the entry; empty if this daemon has no sign of a downtime.
  ///
  /// An entry that was decided before the start of this daemon was not missed during a downtime. If the clock was set back,
  /// instants alone do not show this, so the decided entries are compared as well.
  private var downtime: [WhyReply.Detail] {
    let startedAt = words.question.startedAt
    let wasDecided = words.question.decidedAtStart.map { record.entry.nominal <= $0 } ?? false
    guard record.outcome == .missed || record.cause == .missed, record.entry.nominal < startedAt,
      record.endedAt >= startedAt, !wasDecided
    else { return [] }
    return [.init("downtime", "timelined was not there; it was started at \(words.time(startedAt))")]
  }
}
