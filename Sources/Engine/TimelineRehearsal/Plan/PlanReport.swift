package import TimelineCore

/// A plan for display.
package struct PlanReport: Sendable {
  /// Effects on each job.
  package let jobs: [PlanJob]
  /// Begin of the compared time.
  package let from: WallInstant
  /// End of the compared time.
  package let until: WallInstant
  /// Zone in which the instants of each job are shown.
  package let zones: [JobName: Zone]
  /// Zone of output that concerns all jobs.
  package let zone: Zone

  package init(
    jobs: [PlanJob], from: WallInstant, until: WallInstant, zones: [JobName: Zone], zone: Zone
  ) {
    self.jobs = jobs
    (self.from, self.until) = (from, until)
    (self.zones, self.zone) = (zones, zone)
  }

  /// Whether anything changes.
  package var isChanged: Bool { jobs.contains(where: \.isChanged) }

  /// Text for people: a few lines for each job that changes, and a verdict.
  package var text: String {
    jobs.filter(\.isChanged).map(lines).joined() + verdict + "\n"
  }

  private func lines(of job: PlanJob) -> String {
    let zone = zones[job.name] ?? zone
    var text = "\(Self.sign(job.change)) \(job.name)  \(words(job))\n"
    func line(_ change: PlanJob.EntryChange) {
      // The longest word is "removed".
      let gap = String(repeating: " ", count: 9 - change.word.utf8.count)
      text += "      \(change.word)\(gap)\(change.text(in: zone, arrow: "->"))\n"
    }
    for change in job.examples + [job.later].compactMap(\.self) { line(change) }
    let rest = job.unlistedCount
    if rest > 0, !job.examples.isEmpty { text += "      and \(rest) more\n" }
    if let start = job.start { line(start) }
    for instant in job.overlaps {
      text += "      overlaps a run that is still under way at \(instant.text(in: zone))\n"
    }
    return text
  }

  private static func sign(_ change: PlanJob.JobChange) -> String {
    switch change {
    case .added: "+"
    case .removed: "-"
    case .changed: "~"
    case .kept: " "
    }
  }

  private func words(_ job: PlanJob) -> String {
    let counts = Self.counts(of: [job])
    let span = "in these \(until - from)"
    let rest = job.later == nil ? "" : ", a later one differs:"
    return switch job.change {
    case .added: counts.isEmpty ? "is new, without an entry \(span)\(rest)" : "is new: \(counts)"
    case .removed: counts.isEmpty ? "is gone; it had no entry \(span)\(rest)" : "is gone: \(counts)"
    case .changed:
      counts.isEmpty
        ? "changes\(job.hasOtherTiming ? " in jitter or accuracy" : ""); its entries \(span) stay\(rest)"
        : "changes: \(counts)\(rest)"
    case .kept: "is affected by other jobs: \(counts)"
    }
  }

  /// Text with the numbers of entries that change; empty for none.
  package static func counts(of jobs: [PlanJob]) -> String {
    let starts = jobs.reduce(0) { $0 + $1.otherStartCount }
    let entries = entryCounts(of: jobs)
    guard starts > 0 else { return entries }
    let shift = jobs.map(\.startShift).max() ?? .zero
    return "\(entries.isEmpty ? "every entry stays" : entries), "
      + "\(starts) \(starts == 1 ? "start" : "starts") moved by up to \(shift.approximateText)"
  }

  private static func entryCounts(of jobs: [PlanJob]) -> String {
    func sum(_ count: KeyPath<PlanJob, Int>) -> Int { jobs.reduce(0) { $0 + $1[keyPath: count] } }
    let parts = [
      (sum(\.addedCount), "added"), (sum(\.removedCount), "removed"), (sum(\.movedCount), "moved"),
      (sum(\.newOverlapCount), "newly overlapping"), (sum(\.plainEndCount), "ending otherwise"),
    ]
    return parts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }.joined(separator: ", ")
  }

  /// A sentence about all jobs.
  package var verdict: String {
    let changed = jobs.filter(\.isChanged)
    let length = (until - from).description
    guard !changed.isEmpty else {
      return "Nothing changes in the \(length) from \(from.text(in: zone))."
    }
    let counts = Self.counts(of: changed)
    let share =
      "\(changed.count) of \(jobs.count) jobs change in the \(length) from \(from.text(in: zone))"
    guard counts.isEmpty else {
      return "\(share); \(Self.entryCounts(of: changed).isEmpty ? "" : "entries: ")\(counts)."
    }
    let isLater = changed.contains { $0.later != nil }
    return "\(share); every entry \(isLater ? "until then stays, and later ones differ" : "stays")."
  }
}

extension PlanJob {
  /// Number of changes that are not among ``examples``.
  var unlistedCount: Int { changeCount - examples.count }
}

extension PlanJob.EntryChange {
  /// Word for the change.
  package var word: String {
    switch aspect {
    case .instant: before == nil ? "added" : after == nil ? "removed" : "moved"
    case .start: "starts"
    case .end: "ends"
    }
  }

  /// Outcomes of an entry whose outcome changes: the old one, then the new one.
  package var ends: [String]? {
    guard case .end(let before, let after) = aspect else { return nil }
    return [before, after].map { $0?.rawValue ?? "run" }
  }

  /// Returns the old and the new side as text: instants in `zone`. If the outcome changes: the instant with the old outcome,
  /// then the new outcome. `nil` for a missing side.
  func sides(in zone: Zone) -> [String?] {
    let instants = [before, after].map { $0?.text(in: zone) }
    guard let ends else { return instants }
    return ["\(instants[1] ?? ""): \(ends[0])", ends[1]]
  }

  /// Returns both sides as text, with an arrow between them.
  package func text(in zone: Zone, arrow: String) -> String {
    sides(in: zone).compactMap(\.self).joined(separator: " \(arrow) ")
  }
}
