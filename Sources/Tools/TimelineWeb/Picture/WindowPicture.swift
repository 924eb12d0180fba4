import TimelineClient
import TimelineControl
import TimelineCore
import TimelineEngine
import TimelineRehearsal

/// The jobs in a window of time, for output.
struct WindowPicture {
  /// The row of one job.
  struct Row {
    var job: JobReport
    var name: JobName
    var zone: Zone
    var groups: [String]
    /// The next entry that is to run.
    var next: WallInstant?
    /// Counts of the entries in the window, in words.
    var summary: String
    var trend: DurationTrend?
    /// Shapes of finished, active and future entries.
    var past: [DrawingShape]
    var active: [DrawingShape]
    var planned: [DrawingShape]
    /// Parts of the row for other nodes of the cluster.
    var lanes: [Lane]
    var marks: [EntryMark]
    /// Whether the job is counted, so that its finished entries are not recorded one by one.
    var isCounted: Bool
  }

  /// The part of a row that shows another node.
  struct Lane {
    var node: String
    /// Shapes of finished and of claimed entries.
    var past: [DrawingShape]
    var active: [DrawingShape]
    var marks: [EntryMark]
  }

  let scale: DrawingScale
  let now: WallInstant
  let axis: DrawingAxis
  var rows: [Row] = []
  /// Number of jobs that pass the filter but have no row.
  var omittedCount = 0
  /// Average number of active runs of the jobs shown, in hundredths.
  var load: [Int]

  /// Draws the jobs that pass `filter`.
  init(
    _ picture: borrowing MirrorState, scale: DrawingScale, now: WallInstant, filter: JobFilter,
    zone: (String?) -> Zone
  ) {
    self.scale = scale
    self.now = now
    axis = DrawingAxis(scale, in: zone(picture.status?.zone))
    let chosen = picture.jobs.compactMap { job -> (JobReport, JobName, [String])? in
      guard let name = JobName(job.name) else { return nil }
      let groups = picture.future?.policies(of: name)?.groups.map(\.text) ?? []
      return filter.matches(job.name, groups: groups) ? (job, name, groups) : nil
    }
    let shown = chosen.prefix(WebLimits.rowsMax)
    omittedCount = chosen.count - shown.count
    // The more rows, the coarser the marks, so that the total number of marks is bounded.
    let tracks = shown.reduce(shown.count) { $0 + (picture.cluster.lanes[$1.1]?.count ?? 0) }
    let pixels = max(1, (tracks * scale.columns * 2 + WebLimits.marksMax - 1) / WebLimits.marksMax)
    load = []
    var load = DrawingLoad(scale)
    for (job, name, groups) in shown {
      rows.append(
        row(job, name, groups, picture, zone: zone(job.zone), pixels: pixels, load: &load))
    }
    self.load = load.hundredths
  }

  private func row(
    _ job: JobReport, _ name: JobName, _ groups: [String], _ picture: borrowing MirrorState, zone: Zone,
    pixels: Int, load: inout DrawingLoad
  ) -> Row {
    let place = DrawingRow.Job(name: name, zone: zone)
    var (past, active, planned) = (
      DrawingRowBuilder(place, scale), DrawingRowBuilder(place, scale), DrawingRowBuilder(place, scale)
    )
    var durations: [ElapsedTime] = []
    var counts = OutcomeCounts()
    var shown: [ViewEntry] = []
    let entries = picture.entries(of: job, name: name, now: now)
    let next = entries.first { $0.entry > now && $0.outcome?.ran != false }?.entry
    for entry in entries where isShown(entry) {
      shown.append(entry)
      let drawn = entry.row(job: 0, now: now)
      if let start = drawn.start, let end = drawn.end, entry.start != nil { load.add(from: start, to: end) }
      switch EntryMark.phase(of: entry, now: now) {
      case .past:
        past.add(drawn)
        if let outcome = entry.outcome { counts.add(entry.count, of: outcome) }
        if entry.outcome?.ran == true, let start = entry.start, let end = entry.end {
          durations.append(end - start)
        }
      case .active: active.add(drawn)
      case .planned: planned.add(drawn)
      }
    }
    for minute in picture.minutes(of: name, now: now)
    where minute.minute < scale.until && minute.minute + .minutes(1) > scale.from {
      planned.add(minute)
    }
    var pastRow = past.row
    if zone != axis.zone { pastRow.clockChanges = DrawingAxis.clockChanges(of: zone, in: scale) }
    let isCounted = picture.future?.places[name].flatMap { index in
      picture.future?.plan?.jobs[index].schedule.hasMoreThanOneEntryPerSecond
    }
    let lanes = (picture.cluster.lanes[name] ?? []).map { lane($0.node, $0.entries, place, pixels) }
      .filter { !$0.marks.isEmpty }
    let own = EntryMark.marks(of: shown, on: scale, now: now, pixels: pixels)
    return Row(
      job: job, name: name, zone: zone, groups: groups,
      next: next ?? job.next.flatMap { $0.instant > now ? $0.instant : nil }, summary: pastRow.summary,
      trend: DurationTrend(durations), past: pastRow.shapes, active: active.row.shapes,
      planned: planned.row.shapes, lanes: lanes,
      marks: lanes.isEmpty
        ? own : (own + lanes.flatMap(\.marks)).sorted(on: \.span.start),
      isCounted: isCounted ?? false)
  }

  private func lane(
    _ node: String, _ entries: [ViewEntry], _ place: DrawingRow.Job, _ pixels: Int
  ) -> Lane {
    var (past, active) = (DrawingRowBuilder(place, scale), DrawingRowBuilder(place, scale))
    let shown = entries.filter(isShown)
    for entry in shown {
      if entry.outcome == nil {
        active.add(entry.row(job: 0, now: now))
      } else {
        past.add(entry.row(job: 0, now: now))
      }
    }
    return Lane(
      node: node, past: past.row.shapes, active: active.row.shapes,
      marks: EntryMark.marks(of: shown, on: scale, now: now, pixels: pixels))
  }

  /// Whether an entry or its run is visible in the window.
  private func isShown(_ entry: ViewEntry) -> Bool {
    let begin = min(entry.firstEntry, entry.start ?? entry.entry)
    let end = entry.start == nil ? entry.entry : entry.end ?? max(now, entry.entry)
    return begin < scale.until && end >= scale.from
  }
}
