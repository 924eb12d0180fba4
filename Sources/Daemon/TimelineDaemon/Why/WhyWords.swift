import TimelineControl
import TimelineCore
import TimelineEngine
import TimelineLedger

/// Answer in words: a sentence, and the reasons line by line.
///
/// A class, because the functions for copying a value with so many parts would take 18 kB of the program.
final class WhyWords {
  let question: WhyQuestion
  let finding: WhyFinding

  init(question: WhyQuestion, finding: WhyFinding) {
    self.question = question
    self.finding = finding
  }

  /// The answer in a sentence or two.
  var headline: String {
    let (job, instant) = (question.job, text(finding.nominal))
    switch finding.kind {
    case .settled(let entry):
      let outcome = entry.record.outcome
      let hasNotRun = outcome == .cancelled && entry.record.startedAt == nil
      let meaning = hasNotRun ? "It did not run: it was stopped while it waited." : outcome.meaning
      return "\(job) at \(instant): \(outcome.rawValue). \(meaning)"
    case .running(let run, _):
      let length = run.elapsed(at: question.now).approximateText
      return "\(job) at \(instant): running. It was started \(length) ago\(progress(of: run))."
    case .waiting(let wait, _):
      return "\(job) at \(instant): waiting. It is due and waits\(wait?.phrase ?? " for its turn")."
    case .held:
      return
        "\(job) at \(instant): held. The job is paused; what becomes of the entry is decided when it is resumed."
    case .planned:
      return
        "\(job) at \(instant): planned. It falls due in \((finding.nominal - question.now).approximateText)."
        + (question.pausedSince == nil
          ? "" : " The job is paused, and if it still is then, the entry is held.")
    case .silent(let through):
      return
        "\(job) at \(instant): not run again. The clock was set back, and every entry through \(text(through)) is decided;"
        + " until the clock has passed that, the job is silent."
    case .omitted(let omission):
      return "\(job) at \(instant): \(omission.outcome.rawValue). \(omission.outcome.meaning)"
    case .counted:
      return "\(job) has too many entries for a record of every entry; they are counted by the hour."
    case .unrecorded:
      return
        "\(job) at \(instant): no record. It is an entry of the schedule, and the ledger has nothing of it."
    case .none:
      if finding.isBeforeFirst {
        let next = question.next.map { "; the next is at \(text($0))" } ?? ""
        return "\(job) has had no entry yet\(absence)\(next)."
      }
      let stretch = question.moment.stretches[0]
      let isDay = stretch.upperBound - stretch.lowerBound > .hours(12)
      let name = isDay ? "on \(question.zone.civil(at: stretch.lowerBound).date)" : "at \(instant)"
      return "\(job) has no entry \(name)\(absence)."
    }
  }

  /// The reason why there is no entry, as the end of a sentence.
  private var absence: String {
    switch question.schedule {
    case .animation(let schedule) where schedule.isPaused:
      ": its schedule is paused (`paused = true` in `animation`)"
    case .animation where finding.modeChange != nil: ": it stands still in low-frequency mode"
    case .animation where !finding.isBeforeFirst: "; its runs follow each other"
    default: ""
    }
  }

  /// Returns the reasons for the state, one line each.
  func details(of reply: WhyReply, _ counters: LedgerCounters?) -> [WhyReply.Detail] {
    var lines: [WhyReply.Detail] = []
    if let oddity { lines.append(.init("clocks", oddity)) }
    lines += story(of: reply, counters)
    if reply.alsoCount > 0 {
      let words = reply.alsoCount == 1 ? "1 more entry" : "\(reply.alsoCount) more entries"
      lines.append(.init("also", "\(words) in the time you named, of which this is the first"))
    }
    if let since = reply.pausedSince {
      let by = question.pauseAction.map { ", by \($0)" } ?? ""
      lines.append(.init("paused", "since \(text(since.instant))\(by)"))
    }
    if let fault = reply.fault { lines.append(.init("fault", fault)) }
    lines.append(.init("schedule", schedule))
    for (name, neighbor) in [("before", reply.before), ("after", reply.after)] {
      guard let neighbor else { continue }
      let verdict = neighbor.outcome ?? Self.word(for: neighbor.verdict)
      lines.append(.init(name, "\(text(neighbor.entry.instant))  \(verdict)"))
    }
    return lines
  }

  private func story(of reply: WhyReply, _ counters: LedgerCounters?) -> [WhyReply.Detail] {
    switch finding.kind {
    case .settled(let entry): return EntryExplanation(self, entry, reply).lines
    case .running(let run, let entry): return story(of: run, entry)
    case .waiting(let wait?, let entry):
      var lines: [WhyReply.Detail] = [.init("waits", wait.text)]
      lines += repeats(entry?.record.rerun)
      if let since = wait.since { lines.append(.init("since", text(since.instant))) }
      for attempt in entry?.attempts ?? [] where !attempt.message.isEmpty {
        lines.append(.init("attempt \(attempt.number)", attempt.message))
      }
      if let run = wait.run { lines.append(.init("run", "\(run); `timelinectl cancel \(run)` stops it")) }
      if let claimedAt = entry?.claimedAt { lines.append(.init("claim", claim(claimedAt))) }
      return lines + reply.underWay.map { .init("runs now", inFlight($0)) } + reactionLines
    case .waiting(nil, _), .held:
      return reply.underWay.map { .init("runs now", inFlight($0)) } + reactionLines
    case .planned(let claimedAt):
      return [.init("entry", "\(finding.nominal)")] + (claimedAt.map { [.init("claim", claim($0))] } ?? [])
    case .omitted(let omission):
      var lines: [WhyReply.Detail] = []
      if !omission.reason.isEmpty { lines.append(.init("reason", omission.reason)) }
      if omission.count > 1 {
        lines.append(
          .init(
            "entries",
            "one of \(omission.count) left out from \(text(omission.first)) to \(text(omission.last))"))
      }
      return lines
    case .counted: return mode + (counters.map { self.counted($0) } ?? [])
    case .silent:
      return [
        .init("reason", "what has been decided is not run a second time"),
        .init("next", question.next.map(text) ?? "none"),
      ]
    case .unrecorded:
      return [
        .init(
          "reason",
          reply.before?.outcome == nil
            ? "timelined did not keep the job then, or the record was dropped because it was old"
            : "the ledger could not be written then, or the schedule has changed since")
      ] + rerunLines
    case .none:
      let wait = reply.waiting.map { "the entry of \(text($0.entry.instant)) waits\($0.phrase)" }
      let waits = wait.map { [WhyReply.Detail("waits", $0)] } ?? []
      return mode + reply.underWay.map { .init("under way", inFlight($0)) } + waits
    }
  }

  private func story(of run: ActiveRun, _ entry: LedgerEntry?) -> [WhyReply.Detail] {
    var lines: [WhyReply.Detail] =
      [.init("cause", run.attempt.cause.words(question.policies))] + repeats(run.attempt.rerun) + told
      + actions
    let lateness =
      run.attempt.cause.isOfSchedule
      ? ", \((run.startedAt - run.attempt.entry.nominal).approximateText) late" : ""
    lines.append(.init("started", text(run.startedAt) + lateness))
    if run.attempt.number > 1 { lines.append(.init("attempt", "\(run.attempt.number)")) }
    if let deadline = run.attempt.deadline {
      lines.append(.init("timeout", "it is asked to stop at \(text(deadline))"))
    }
    lines.append(.init("run", "\(run.attempt.run); `timelinectl cancel \(run.attempt.run)` stops it"))
    if let claimedAt = entry?.claimedAt { lines.append(.init("claim", claim(claimedAt))) }
    return lines + reactionLines
  }
}

// Pieces of sentences.
extension WhyWords {
  /// Returns an instant as text in the answer's zone, to the millisecond.
  func text(_ instant: WallInstant) -> String {
    instant.text(in: question.zone)
  }

  /// Returns an instant as text, to the millisecond; only the time of day if the entry has the same date.
  func time(_ instant: WallInstant) -> String {
    let civil = question.zone.civil(at: instant)
    let isSameDay = civil.date == question.zone.civil(at: finding.nominal).date
    return (isSameDay ? "" : "\(civil.date) ") + civil.time.millisecondText
  }

  /// Returns another entry as text; only the time of day if the entry has the same date.
  func entry(_ nominal: WallInstant) -> String {
    let civil = question.zone.civil(at: nominal)
    return civil.date == question.zone.civil(at: finding.nominal).date
      ? civil.time.shown : "\(civil.date) \(civil.time.shown)"
  }

  /// The upstream entry of a reaction; empty if it is not known.
  var told: [WhyReply.Detail] {
    finding.told.map { upstream in
      let end =
        upstream.record.map { $0.stateText + ($0.reason.isEmpty ? "" : ": \($0.reason)") }
        ?? "of which no record is kept"
      return [.init("told of", "\(upstream.entry.job) at \(entry(upstream.entry.nominal)), \(end)")]
    } ?? []
  }

  /// The change of the mode that left entries out; empty if there was none.
  var mode: [WhyReply.Detail] {
    finding.modeChange.map { change in
      [.init("mode", "\(change.modeText) since \(text(change.at)): \(change.causeText)")]
    } ?? []
  }

  /// The actions of operators, one line each.
  var actions: [WhyReply.Detail] {
    finding.actions.map { .init($0.verb.past, "\(time($0.at)), by \($0)") }
  }

  /// Returns a text about the instant at which an entry was claimed.
  func claim(_ claimedAt: WallInstant) -> String {
    let ahead = finding.nominal - claimedAt
    return ahead > .zero
      ? "on disk \(ahead.approximateText) ahead"
      : "on disk at \(time(claimedAt))"
  }

  /// Returns a text about a run that is or was active.
  func inFlight(_ entry: EntryReport) -> String {
    let whose = entry.job == question.job.text ? "" : " of \(entry.job)"
    let run = (entry.run.map { "run \($0)" } ?? "a run") + whose
    let start = entry.startedAt.map { ", started \(time($0.instant))" } ?? ""
    let end =
      entry.endedAt.map { ", ended \(time($0.instant)) (\(entry.outcome ?? "open"))" }
      ?? ", still running"
    return "\(run) for the entry \(self.entry(entry.entry.instant))\(start)\(end)"
  }

  private var schedule: String {
    let rule = question.schedule.description
    return rule.contains(question.zone.name) ? rule : "\(rule), in \(question.zone.name)"
  }

  private var oddity: String? {
    switch question.moment.oddity {
    case nil: return nil
    case .shownTwice(let civil)?:
      let stretches = question.moment.stretches.map { text($0.lowerBound) }
      return "\(civil.time) comes twice that day: \(stretches.joined(separator: ", then "))"
    case .skipped(let civil, let transition)?:
      let zone = question.zone
      let before = transition - .nanoseconds(1)
      let old = CivilDateTime(transition, offset: zone.offset(at: before))
      let new = zone.civil(at: transition)
      return
        "there is no \(civil.time) that day: from \(old.time) \(zone.abbreviation(at: before)) clocks went on to "
        + "\(new.time) \(zone.abbreviation(at: transition))"
    }
  }

  private func progress(of run: ActiveRun) -> String {
    let share = run.progressMillionths.map { "\($0 / 10_000) %" }
    let parts = [share, run.progressText.isEmpty ? nil : run.progressText].compactMap { $0 }
    return parts.isEmpty ? "" : " and says: \(parts.joined(separator: ", "))"
  }

  private func counted(_ counters: LedgerCounters) -> [WhyReply.Detail] {
    let counts = counters.outcomes.sorted.map { "\($0.count) \($0.outcome.rawValue)" }
    let end = counters.hour + .hours(1)
    var lines: [WhyReply.Detail] = [
      .init("entries", "\(counts.joined(separator: ", ")), from \(entry(counters.hour)) to \(entry(end))")
    ]
    for (name, histogram) in [("late", counters.lateness), ("took", counters.duration)] {
      guard let half = histogram.quantile(permille: 500), let most = histogram.quantile(permille: 990) else {
        continue
      }
      lines.append(
        .init(name, "half of them at most \(half.approximateText), 99 of 100 at most \(most.approximateText)")
      )
    }
    return lines
  }

  private static func word(for verdict: String) -> String {
    switch WhyVerdict(rawValue: verdict) {
    case .unrecorded: "no record"
    case .silent: "not run again"
    case .counted: "counted"
    default: verdict
    }
  }
}
