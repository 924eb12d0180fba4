import TimelineCore
import TimelineEngine
import TimelineRehearsal

/// Words about the selected job and entry, in the terms of the glossary.
struct EntryWords {
  private let view: TerminalView

  init(_ view: TerminalView) { self.view = view }

  /// One line for the bottom of the screen.
  var line: String {
    guard let job = view.selectedJob.map({ view.jobs[$0] }) else { return "" }
    if let entry = view.selection { return headline(entry, of: job) }
    var parts = [job.name.text, job.schedule]
    if let pause = job.pause { parts.append("paused \(pause)") }
    let active = view.selectedJob.map { view.runs(of: $0).active } ?? []
    if !active.isEmpty {
      parts.append("running (run \(active.map { "\($0)" }.joined(separator: ", ")))")
    }
    if let next = next(of: job) {
      parts.append("next \(next.wholeSeconds.text(in: job.zone)), in \((next - view.now).approximateText)")
    }
    return parts.joined(separator: "  ")
  }

  /// `backup at 2027-03-28 03:00:00 CEST: overlapped. It did not run: the job was still running.`
  func headline(_ entry: ViewEntry, of job: ViewJob) -> String {
    let node = entry.node.map { ", on node \($0)" } ?? ""
    return "\(job.name) at \(entry.entry.text(in: job.zone))\(node): \(state(of: entry))"
  }

  /// Names and texts of the lines below the headline.
  func details(_ entry: ViewEntry, of job: ViewJob) -> [(name: String, text: String)] {
    func text(_ instant: WallInstant) -> String { instant.text(in: job.zone) }
    var lines: [(String, String)] = []
    if entry.count > 1 {
      lines.append(("entries", "\(entry.count) in a row, from \(text(entry.firstEntry)) on"))
    }
    if !entry.reason.isEmpty { lines.append(("reason", entry.reason)) }
    if let start = entry.start {
      let late = start - entry.entry
      lines.append(("start", text(start) + (late > .zero ? ", \(late.approximateText) late" : "")))
      if let end = entry.end { lines.append((isOver(entry) ? "end" : "expected end", text(end))) }
      if let end = entry.end {
        lines.append(("duration", end == start ? "0s" : (end - start).approximateText))
      }
    }
    if let time = entry.usage.processorTime { lines.append(("processor", time.approximateText)) }
    if let memory = entry.usage.memoryPeak { lines.append(("peak memory", memory.text)) }
    if entry.attempts > 1 { lines.append(("attempts", "\(entry.attempts)")) }
    if let run = entry.run, !view.isRehearsal { lines.append(("run", "\(run)")) }
    lines.append(("cause", Self.cause(entry.cause)))
    if let repeated = entry.of { lines.append(("repeats", "the entry of \(text(repeated))")) }
    if let policy = policy(of: entry, job) { lines.append(("policy", policy)) }
    lines.append(("schedule", job.schedule))
    if !isOver(entry), entry.node == nil, entry.outcome != nil || entry.start == nil {
      lines.append(
        ("source", view.isRehearsal ? "simulated: every run lasts its expected-duration" : view.futureSource))
    }
    return lines
  }

  private func state(of entry: ViewEntry) -> String {
    let now = view.now
    if let start = entry.start, start <= now, !isOver(entry) {
      return "running. Its plugin was called and has not ended."
    }
    guard let outcome = entry.outcome else {
      if entry.node != nil { return "claimed. It has no outcome yet." }
      return entry.entry > now ? "planned. It lies in the future." : "due. It waits for its start."
    }
    return isOver(entry)
      ? "\(outcome.rawValue). \(outcome.meaning)" : "planned; it will be: \(outcome.rawValue)."
  }

  /// Whether the entry has its outcome at the now-line.
  private func isOver(_ entry: ViewEntry) -> Bool {
    entry.outcome != nil && (entry.end ?? entry.entry) <= view.now
  }

  private func next(of job: ViewJob) -> WallInstant? {
    guard let index = view.selectedJob else { return nil }
    let now = view.now
    let simulated =
      view.isFutureDistant
      ? nil : view.entries(of: index).first { $0.entry > now && $0.outcome?.ran != false }
    return simulated?.entry ?? job.next.flatMap { $0 > now ? $0 : nil }
  }

  private func policy(of entry: ViewEntry, _ job: ViewJob) -> String? {
    guard let policies = job.policies else { return nil }
    switch entry.outcome {
    case .overlapped, .superseded, .cancelled: return policies.overlap.words
    case .missed: return policies.missed.words
    case .lost, .unknown: return policies.delivery.words
    case .timedOut: return policies.timeout.map { "timeout = \"\($0)\"" }
    default:
      if entry.cause == .missed { return policies.missed.words }
      let waited = entry.start.map { $0 > entry.entry } ?? false
      guard waited, !policies.groups.isEmpty else { return nil }
      return "groups: \(policies.groups.map(\.text).joined(separator: ", ")) (shared limit of active runs)"
    }
  }

  private static func cause(_ cause: RunCause) -> String {
    switch cause {
    case .schedule: "its schedule"
    case .missed: "catch-up: its entry was missed"
    case .trigger: "a manual trigger"
    case .rerun: "a rerun: an operator requested another run of an entry"
    case .backfill: "a backfill: an operator requested past entries again"
    case .reaction: "a reaction to the outcome of another job"
    case .recovery: "recovery: a daemon ended before the run had"
    }
  }
}
