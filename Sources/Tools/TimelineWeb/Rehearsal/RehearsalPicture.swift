import TimelineCore
import TimelineEngine
import TimelineRehearsal

/// A rehearsal in a window of time, for output. All entries are drawn as future entries, because the page moves the
/// clock over them.
struct RehearsalPicture {
  /// The row of one job.
  struct Row {
    var job: Rehearsal.Job
    /// Counts of the entries in the window, in words.
    var summary: String
    /// The first entry after the window, by the schedule alone.
    var later: WallInstant?
    var shapes: [DrawingShape]
    var marks: [EntryMark]
  }

  let rehearsal: Rehearsal
  let scale: DrawingScale
  let axis: DrawingAxis
  var rows: [Row] = []
  /// Number of jobs that pass the filter but have no row.
  let omittedCount: Int
  /// Average number of active runs of the jobs shown, in hundredths.
  let load: [Int]
  let decisions: RehearsalDecisions

  /// Draws the jobs that pass `filter`.
  init(_ rehearsal: Rehearsal, scale: DrawingScale, now: WallInstant, filter: JobFilter) {
    self.rehearsal = rehearsal
    self.scale = scale
    axis = DrawingAxis(scale, in: rehearsal.zone)
    let chosen = rehearsal.jobs.indices.filter { index in
      filter.matches(rehearsal.jobs[index].name.text, groups: rehearsal.jobs[index].groups)
    }
    let shown = chosen.prefix(WebLimits.rowsMax)
    omittedCount = chosen.count - shown.count
    let pixels = max(1, (shown.count * scale.columns * 2 + WebLimits.marksMax - 1) / WebLimits.marksMax)
    var load = DrawingLoad(scale)
    var decisions: [RehearsalDecision] = []
    for index in shown {
      let job = rehearsal.jobs[index]
      var builder = DrawingRowBuilder(DrawingRow.Job(name: job.name, zone: job.zone), scale)
      let entries = rehearsal.book.entries(of: index).filter { Self.isShown($0, on: scale) }
      for entry in entries {
        builder.add(entry.row(job: index, now: rehearsal.start))
        if let start = entry.start, let end = entry.end { load.add(from: start, to: end) }
        decisions += RehearsalDecision.decisions(on: entry, of: job.name).filter {
          $0.at >= scale.from && $0.at < scale.until
        }
      }
      for minute in rehearsal.book.minutes(of: index)
      where minute.minute < scale.until && minute.minute + .minutes(1) > scale.from {
        builder.add(minute)
      }
      var row = builder.row
      if job.zone != axis.zone { row.clockChanges = DrawingAxis.clockChanges(of: job.zone, in: scale) }
      rows.append(
        Row(
          job: job, summary: row.summary,
          later: rehearsal.scheduled(index, after: scale.until - .nanoseconds(1)), shapes: row.shapes,
          marks: EntryMark.marks(of: entries, on: scale, now: rehearsal.start, pixels: pixels)))
    }
    self.load = load.hundredths
    self.decisions = RehearsalDecisions(decisions, around: now)
  }

  /// Whether an entry or its run is visible in the window.
  private static func isShown(_ entry: ViewEntry, on scale: DrawingScale) -> Bool {
    let begin = min(entry.firstEntry, entry.start ?? entry.entry)
    return begin < scale.until && max(entry.entry, entry.end ?? entry.entry) >= scale.from
  }
}
