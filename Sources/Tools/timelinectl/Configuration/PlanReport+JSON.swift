import TimelineCore
import TimelineRehearsal

extension PlanReport {
  /// JSON for programs: an object for each changed job, one per line.
  var json: String {
    get throws { try jobs.filter(\.isChanged).map { try jsonLine(JobChange($0)) }.joined() }
  }

  /// A changed job as JSON.
  private struct JobChange: Encodable {
    struct Change: Encodable {
      var entry: String?
      var before: String?
      var after: String?
      var ends: [String]?

      init(_ change: PlanJob.EntryChange) {
        (before, after) = (change.before?.description, change.after?.description)
        if case .start(let instant) = change.aspect { entry = instant.description }
        ends = change.ends
      }
    }

    var job: String
    var change: String
    var added: Int
    var removed: Int
    var moved: Int
    var newOverlaps: Int
    var otherEnds: Int
    var startsMoved: Int
    var startsMovedBy: String?
    var firstStart: Change?
    var examples: [Change]
    var later: Change?
    var overlaps: [String]

    init(_ job: PlanJob) {
      self.job = job.name.text
      change = job.change.rawValue
      added = job.addedCount
      removed = job.removedCount
      moved = job.movedCount
      newOverlaps = job.newOverlapCount
      otherEnds = job.otherEndCount
      startsMoved = job.otherStartCount
      startsMovedBy = job.start.map { _ in job.startShift.description }
      firstStart = job.start.map(Change.init)
      examples = job.examples.map(Change.init)
      later = job.later.map(Change.init)
      overlaps = job.overlaps.map(\.description)
    }
  }
}
