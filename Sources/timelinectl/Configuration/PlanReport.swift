import TimelineCore
import TimelineEngine
import TimelineRehearsal

/// A plan as it is shown.
struct PlanReport {
  let jobs: [PlanJob]
  let from: WallInstant
  let until: WallInstant
  /// Each job's zone, in which its instants are told.
  let zones: [JobName: Zone]
  /// The zone of what is about all jobs.
  let zone: Zone

  /// Whether anything changes.
  var isChanged: Bool { jobs.contains(where: \.isChanged) }

  /// Text for people: a few lines for each job that changes, and a verdict.
  var text: String {
    jobs.filter(\.isChanged).map(lines).joined() + verdict + "\n"
  }

  private func lines(of job: PlanJob) -> String {
    let zone = zones[job.name] ?? zone
    var text = "\(Self.sign(job.fate)) \(job.name)  \(Self.words(job))\n"
    for change in job.examples {
      switch (change.before, change.after) {
      case (let before?, let after?):
        text += "      moved    \(Words.text(before, in: zone)) -> \(Words.text(after, in: zone))\n"
      case (nil, let after?): text += "      added    \(Words.text(after, in: zone))\n"
      case (let before?, nil): text += "      removed  \(Words.text(before, in: zone))\n"
      case (nil, nil): break
      }
    }
    let rest = job.addedCount + job.removedCount + job.movedCount - job.examples.count
    if rest > 0, !job.examples.isEmpty { text += "      and \(rest) more\n" }
    for instant in job.overlaps {
      text += "      overlaps a run that is still under way at \(Words.text(instant, in: zone))\n"
    }
    return text
  }

  private static func sign(_ fate: PlanJob.Fate) -> String {
    switch fate {
    case .added: "+"
    case .removed: "-"
    case .changed: "~"
    case .kept: " "
    }
  }

  private static func words(_ job: PlanJob) -> String {
    let counts = counts(of: [job])
    switch job.fate {
    case .added: return counts.isEmpty ? "is new, without an entry" : "is new: \(counts)"
    case .removed: return counts.isEmpty ? "is gone; it had no entry" : "is gone: \(counts)"
    case .changed: return counts.isEmpty ? "changes; its entries stay" : "changes: \(counts)"
    case .kept: return "is affected by other jobs: \(counts)"
    }
  }

  private static func counts(of jobs: [PlanJob]) -> String {
    func sum(_ count: KeyPath<PlanJob, Int>) -> Int { jobs.reduce(0) { $0 + $1[keyPath: count] } }
    let parts = [
      (sum(\.addedCount), "added"), (sum(\.removedCount), "removed"), (sum(\.movedCount), "moved"),
      (sum(\.newOverlapCount), "newly overlapping"),
      (sum(\.otherEndCount) - sum(\.newOverlapCount), "ending otherwise"),
    ]
    return parts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }.joined(separator: ", ")
  }

  private var verdict: String {
    let changed = jobs.filter(\.isChanged)
    let length = (until - from).description
    guard !changed.isEmpty else {
      return "Nothing changes in the \(length) from \(Words.text(from, in: zone))."
    }
    let counts = Self.counts(of: changed)
    let share =
      "\(changed.count) of \(jobs.count) jobs change in the \(length) from \(Words.text(from, in: zone))"
    return counts.isEmpty ? "\(share); every entry stays." : "\(share); entries: \(counts)."
  }

  /// JSON for programs: an object for each job that changes, a line each.
  var json: String {
    get throws { try jobs.filter(\.isChanged).map { try jsonLine(JobChange($0)) }.joined() }
  }

  /// A changed job as JSON.
  private struct JobChange: Encodable {
    struct Change: Encodable {
      var before: String?
      var after: String?
    }

    var job: String
    var change: String
    var added: Int
    var removed: Int
    var moved: Int
    var newOverlaps: Int
    var otherEnds: Int
    var examples: [Change]
    var overlaps: [String]

    init(_ job: PlanJob) {
      self.job = job.name.text
      change = job.fate.rawValue
      added = job.addedCount
      removed = job.removedCount
      moved = job.movedCount
      newOverlaps = job.newOverlapCount
      otherEnds = job.otherEndCount
      examples = job.examples.map { Change(before: $0.before?.description, after: $0.after?.description) }
      overlaps = job.overlaps.map(\.description)
    }
  }
}
