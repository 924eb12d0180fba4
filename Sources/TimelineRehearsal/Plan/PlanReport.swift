package import TimelineCore

/// A plan as it is shown.
package struct PlanReport: Sendable {
  /// Effects on each job.
  package let jobs: [PlanJob]
  /// Begin of the compared time.
  package let from: WallInstant
  /// End of the compared time.
  package let until: WallInstant
  /// Zone of each job, in which its instants are shown.
  package let zones: [JobName: Zone]
  /// Zone of what is about all jobs.
  package let zone: Zone

  /// Makes a report.
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
    var text = "\(Self.sign(job.change)) \(job.name)  \(Self.words(job))\n"
    for change in job.examples {
      switch (change.before, change.after) {
      case (let before?, let after?):
        text +=
          "      moved    \(before.wholeMilliseconds.text(in: zone)) -> \(after.wholeMilliseconds.text(in: zone))\n"
      case (nil, let after?): text += "      added    \(after.wholeMilliseconds.text(in: zone))\n"
      case (let before?, nil): text += "      removed  \(before.wholeMilliseconds.text(in: zone))\n"
      case (nil, nil): break
      }
    }
    let rest = job.unlistedCount
    if rest > 0, !job.examples.isEmpty { text += "      and \(rest) more\n" }
    for instant in job.overlaps {
      text += "      overlaps a run that is still under way at \(instant.wholeMilliseconds.text(in: zone))\n"
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

  private static func words(_ job: PlanJob) -> String {
    let counts = counts(of: [job])
    switch job.change {
    case .added: return counts.isEmpty ? "is new, without an entry" : "is new: \(counts)"
    case .removed: return counts.isEmpty ? "is gone; it had no entry" : "is gone: \(counts)"
    case .changed: return counts.isEmpty ? "changes; its entries stay" : "changes: \(counts)"
    case .kept: return "is affected by other jobs: \(counts)"
    }
  }

  /// Numbers of entries that change, in words; empty for none.
  package static func counts(of jobs: [PlanJob]) -> String {
    func sum(_ count: KeyPath<PlanJob, Int>) -> Int { jobs.reduce(0) { $0 + $1[keyPath: count] } }
    let parts = [
      (sum(\.addedCount), "added"), (sum(\.removedCount), "removed"), (sum(\.movedCount), "moved"),
      (sum(\.newOverlapCount), "newly overlapping"),
      (sum(\.otherEndCount) - sum(\.newOverlapCount), "ending otherwise"),
    ]
    return parts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }.joined(separator: ", ")
  }

  /// A sentence about all jobs.
  package var verdict: String {
    let changed = jobs.filter(\.isChanged)
    let length = (until - from).description
    guard !changed.isEmpty else {
      return "Nothing changes in the \(length) from \(from.wholeMilliseconds.text(in: zone))."
    }
    let counts = Self.counts(of: changed)
    let share =
      "\(changed.count) of \(jobs.count) jobs change in the \(length) from \(from.wholeMilliseconds.text(in: zone))"
    return counts.isEmpty ? "\(share); every entry stays." : "\(share); entries: \(counts)."
  }
}

extension PlanJob {
  /// Number of added, removed and moved entries that are not among ``examples``.
  var unlistedCount: Int { addedCount + removedCount + movedCount - examples.count }
}
