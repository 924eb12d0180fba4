package import TimelineConfiguration
package import TimelineCore

/// A comparison of crontab jobs' entries with the runs in cron's journal, minute by minute.
package struct TakeoverComparison: Sendable {
  /// One entry of a job, or several consecutive entries, from the ledger.
  package struct Record: Sendable {
    package var job: String
    /// The nominal instants of the first and the last entry; usually one instant.
    package var span: ClosedRange<WallInstant>
    /// `nil` for an outcome of a newer version.
    package var outcome: Outcome?
    package var reason: String

    package init(job: String, span: ClosedRange<WallInstant>, outcome: Outcome?, reason: String) {
      (self.job, self.span, self.outcome, self.reason) = (job, span, outcome, reason)
    }
  }

  /// The compared period; `nil` if one side has no evidence.
  package private(set) var period: Range<WallInstant>?
  /// Gaps in the evidence, as clauses.
  package private(set) var gaps: [String] = []
  /// Findings about each command in the order of the crontabs, then about commands that are not in an included
  /// crontab.
  package private(set) var findings: [TakeoverFinding] = []

  /// Whether cron and timelined differ at any instant.
  package var differs: Bool { findings.contains { !$0.differences.isEmpty } }
  /// Length of the compared period.
  package var length: ElapsedTime { period.map { $0.upperBound - $0.lowerBound } ?? .zero }

  private let journal: CronJournal
  private let records: [String: [Record]]
  private let zone: Zone
  private let entriesPerJobMax: Int

  /// Time after a minute in which cron and timelined may still record events of this minute.
  private static let unsettled = ElapsedTime.seconds(10)

  /// Compares the records with the journal.
  ///
  /// - Parameters:
  ///   - since: The earliest instant to compare.
  ///   - now: The present instant.
  ///   - zone: The machine's zone, for clock changes.
  ///   - entriesPerJobMax: The number of entries of a job that the ledger keeps. A job with this number had earlier
  ///     entries.
  package init(
    _ crontabs: IncludedCrontabs, _ records: [Record], with journal: CronJournal, since: WallInstant,
    now: WallInstant, zone: Zone, entriesPerJobMax: Int
  ) {
    (self.journal, self.zone, self.entriesPerJobMax) = (journal, zone, entriesPerJobMax)
    self.records = Dictionary(grouping: records, by: \.job)
    let ownBegin = records.filter { $0.outcome == .leftToCron }.map(\.span.lowerBound).min()
    noteGaps(ownBegin, since)
    if let cronBegin = journal.begin, let ownBegin {
      // A minute does not count if one side has evidence for only a part of it.
      let begin = Self.minute(of: max(since, cronBegin, ownBegin) + .seconds(59))
      let end = Self.minute(of: now - Self.unsettled)
      if begin < end { period = begin..<end }
    }
    compare(crontabs)
  }

  private mutating func noteGaps(_ ownBegin: WallInstant?, _ since: WallInstant) {
    if let begin = journal.begin {
      if begin > since + .minutes(1) { gaps.append("cron's journal begins at \(begin)") }
    } else {
      gaps.append("cron's journal has no message")
    }
    if let ownBegin {
      if ownBegin > since + .minutes(1) { gaps.append("entries that were left to cron begin at \(ownBegin)") }
    } else {
      gaps.append("no entry was left to cron")
    }
    if journal.unreadableCount > 0 {
      gaps.append("\(journal.unreadableCount) lines of the journal cannot be read")
    }
  }

  /// Returns the beginning of the minute of `instant`.
  static func minute(of instant: WallInstant) -> WallInstant {
    let seconds = instant.nanosecondsSinceEpoch / 1_000_000_000
    return WallInstant(secondsSinceEpoch: Int64(seconds - seconds % 60))
  }
}

// The comparison of each command.
extension TakeoverComparison {
  /// Key of a command in cron's runs.
  private struct Key: Hashable {
    var user: String
    var printed: String
  }

  private mutating func compare(_ crontabs: IncludedCrontabs) {
    var order: [Key] = []
    var groups: [Key: [IncludedCrontabs.Line]] = [:]
    for line in crontabs.lines {
      guard let command = line.command else { continue }
      let key = Key(user: command.user, printed: command.printed)
      if groups[key] == nil { order.append(key) }
      groups[key, default: []].append(line)
    }
    var runs: [Key: [WallInstant]] = [:]
    for run in journal.runs where period?.contains(Self.minute(of: run.instant)) == true {
      var key = Key(user: run.user, printed: run.command)
      if groups[key] == nil, run.isCut {
        key = order.first { $0.user == run.user && $0.printed.hasPrefix(run.command) } ?? key
      }
      if groups[key] == nil, runs[key] == nil { order.append(key) }
      runs[key, default: []].append(Self.minute(of: run.instant))
    }
    findings = order.map { finding(of: $0, groups[$0] ?? [], runs[$0] ?? []) }
  }

  private func finding(
    of key: Key, _ lines: [IncludedCrontabs.Line], _ cronMinutes: [WallInstant]
  ) -> TakeoverFinding {
    var finding = TakeoverFinding(
      user: key.user, command: key.printed, places: lines.map(\.place),
      jobs: lines.compactMap { $0.job?.text })
    let commands = lines.compactMap(\.command)
    if commands.contains(where: \.isLeftToTimer) {
      finding.obstacle = "a timer of systemd does its work"
      return finding
    }
    if let line = lines.first(where: { $0.job == nil }) {
      finding.differences.append(
        .init(kind: .noJob, cause: line.refusal ?? "the line has no job: see `timelinectl check`"))
      return finding
    }
    if let obstacle = commands.lazy.compactMap(\.obstacle).first {
      finding.obstacle = obstacle
      return finding
    }
    guard let period else { return finding }
    let entries = finding.jobs.flatMap { records[$0] ?? [] }
    let begin = finding.jobs.compactMap(firstKept).max() ?? period.lowerBound
    if begin > period.lowerBound { finding.comparedFrom = begin }
    let left = minutes(of: entries.filter { $0.outcome == .leftToCron })
    let ran = minutes(of: entries.filter { $0.outcome?.ran == true })
    let cron = cronMinutes.reduce(into: [:]) { $0[$1, default: 0] += 1 }
    for minute in Set(left.keys).union(cron.keys).sorted() where minute >= begin {
      let (cronCount, ownCount) = (cron[minute] ?? 0, left[minute] ?? 0)
      finding.bothCount += min(cronCount, ownCount)
      if cronCount > ownCount {
        let isTwice = ran[minute] != nil
        finding.differences.append(
          .init(
            kind: isTwice ? .twice : .onlyCron, minute: minute,
            cause: isTwice
              ? nil : lines.isEmpty ? "no crontab that is included has it" : cause(at: minute, entries)))
      } else if ownCount > cronCount {
        finding.differences.append(.init(kind: .onlyHere, minute: minute, cause: cronCause(at: minute)))
      }
    }
    return finding
  }

  /// Returns the first full minute from which the ledger has all entries of a job; `nil` if no entry of the job was
  /// deleted.
  private func firstKept(of job: String) -> WallInstant? {
    guard let entries = records[job], entries.count >= entriesPerJobMax,
      let first = entries.map(\.span.lowerBound).min()
    else { return nil }
    return Self.minute(of: first + .seconds(59))
  }

  /// Returns the number of entries in each minute of the period.
  private func minutes(of entries: [Record]) -> [WallInstant: Int] {
    entries.reduce(into: [:]) { counts, entry in
      let minute = Self.minute(of: entry.span.upperBound)
      if period?.contains(minute) == true { counts[minute, default: 0] += 1 }
    }
  }

  /// Returns the reason why timelined has recorded no entry in a minute, as far as the reason is known.
  private func cause(at minute: WallInstant, _ entries: [Record]) -> String {
    let end = minute + .seconds(60)
    if let other = entries.first(where: {
      $0.outcome != .leftToCron && $0.span.lowerBound < end && $0.span.upperBound >= minute
    }) {
      return "timelined: \(other.outcome?.rawValue ?? "another outcome"): \(other.reason)"
    }
    return nearby(minute) ?? "timelined has no entry then: it had not read the line, or was not running"
  }

  /// Returns the reason why cron has not run a command in a minute, as far as the reason is known.
  private func cronCause(at minute: WallInstant) -> String {
    nearby(minute)
      ?? "cron's journal has nothing: the machine, cron or the journal was not there, or cron ignores the crontab"
  }

  /// Returns a clock change, or a start or reload of cron, near the minute.
  private func nearby(_ minute: WallInstant) -> String? {
    let window = minute - .minutes(1)...minute + .minutes(2)
    if let act = journal.acts.first(where: { window.contains($0.instant) }) {
      return act.kind == .start
        ? "cron was started at \(act.instant)" : "cron read a crontab again at \(act.instant)"
    }
    let day = ElapsedTime.hours(24)
    if let change = zone.previousTransition(atOrBefore: minute), minute - change < day {
      return "clock change at \(change)"
    }
    if let change = zone.nextTransition(after: minute), change - minute < day {
      return "clock change at \(change)"
    }
    return nil
  }
}
