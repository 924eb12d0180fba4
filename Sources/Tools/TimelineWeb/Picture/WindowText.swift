import TimelineClient
import TimelineClocks
import TimelineControl
import TimelineCore
import TimelineJSON
import TimelineRehearsal
import TimelineSystem

/// A window as JSON. Instants are milliseconds since 1970, positions pixels.
struct WindowText {
  let window: WindowPicture
  let status: StatusReply
  /// Source of the future, in words.
  let futureSource: String
  /// Instant before which entries are unknown; `nil` if all are known.
  let knownFrom: WallInstant?
  /// Instant after which entries are unknown; `nil` if all are known.
  let knownUntil: WallInstant?
  /// Whether a repeated query returns more of the past or the future.
  let isPartial: Bool
  let machine: String
  let cluster: ClusterArchive

  var json: String {
    JSONText.object([
      ("now", Self.time(window.now)), ("speed", speed), ("from", Self.time(window.scale.from)),
      ("until", Self.time(window.scale.until)), ("columns", "\(window.scale.columns)"),
      ("zone", JSONText.quoted(window.axis.zone.name)),
      ("knownFrom", Self.time(knownFrom)), ("knownUntil", Self.time(knownUntil)),
      ("isPartial", "\(isPartial)"), ("daemon", daemon),
      ("axisHeight", Self.pixels(window.axis.height)),
      ("axis", Self.shapes(window.axis.labels(on: window.scale))),
      ("grid", Self.shapes(window.axis.grid(height: TimelineDrawing.rowHeight))),
      ("rowHeight", Self.pixels(TimelineDrawing.rowHeight)),
      ("loadHeight", Self.pixels(TimelineDrawing.loadHeight)),
      ("loadMax", "\(window.load.max() ?? 0)"),
      ("load", Self.shapes([TimelineDrawing.loadShape(window.load)])),
      ("rows", JSONText.array(window.rows.map(row))), ("omittedCount", "\(window.omittedCount)"),
    ])
  }

  private var speed: String {
    status.speed.map { "\(Double($0.numerator) / Double(max(1, $0.denominator)))" } ?? "null"
  }

  private var daemon: String {
    JSONText.object([
      ("machine", JSONText.quoted(machine)), ("version", JSONText.quoted(status.version)),
      ("clock", JSONText.quoted(status.clock)),
      ("mode", JSONText.quoted(status.mode)), ("jobCount", "\(status.jobCount)"),
      ("runningCount", "\(status.runningCount)"), ("waitingCount", "\(status.waitingCount)"),
      ("pausedCount", "\(status.pausedCount)"), ("faultCount", "\(status.faultCount)"),
      ("isDraining", "\(status.isDraining)"), ("ledgerFault", Self.text(status.ledgerFault)),
      ("cluster", Self.text(status.cluster)), ("node", Self.text(cluster.state?.node)),
      ("lostNodes", JSONText.array(cluster.lostNodes.map { JSONText.quoted($0.printable) })),
      ("storeFault", Self.text(cluster.fault)), ("futureSource", JSONText.quoted(futureSource)),
    ])
  }

  private func row(_ row: WindowPicture.Row) -> String {
    let job = row.job
    return JSONText.object([
      ("name", JSONText.quoted(job.name)), ("schedule", JSONText.quoted(job.schedule.printable)),
      ("plugin", JSONText.quoted(job.plugin.printable)), ("zone", JSONText.quoted(row.zone.name)),
      ("groups", JSONText.array(row.groups.map(JSONText.quoted))),
      ("summary", JSONText.quoted(row.summary)), ("next", Self.time(row.next)),
      ("pausedSince", Self.time(job.pausedSince?.instant)), ("pausedBy", Self.text(job.pausedBy?.user)),
      ("pauseReason", Self.text(job.pauseReason)), ("fault", Self.text(job.fault)),
      ("backfill", Self.text(job.backfill.map { "backfill: \($0)" })),
      ("node", Self.text(job.node)), ("waitingCount", "\(job.waitingCount)"),
      ("isCounted", "\(row.isCounted)"),
      ("running", JSONText.array(job.running.map(Self.run))),
      ("last", job.last.map(Self.end) ?? "null"), ("trend", row.trend.map(Self.trend) ?? "null"),
      ("past", Self.shapes(row.past)), ("active", Self.shapes(row.active)),
      ("planned", Self.shapes(row.planned)), ("lanes", JSONText.array(row.lanes.map(Self.lane))),
      ("marks", JSONText.array(row.marks.map(Self.mark))),
    ])
  }

  private static func lane(_ lane: WindowPicture.Lane) -> String {
    JSONText.object([
      ("node", text(lane.node)), ("past", shapes(lane.past)), ("active", shapes(lane.active)),
    ])
  }

  private static func run(_ run: RunReport) -> String {
    JSONText.object([
      ("run", "\(run.run)"), ("entry", time(run.entry.instant)), ("startedAt", time(run.startedAt.instant)),
      ("attempt", "\(run.attempt)"), ("progressMillionths", run.progressMillionths.map { "\($0)" } ?? "null"),
      ("progressText", text(run.progressText)),
    ])
  }

  private static func end(_ end: EntryReport) -> String {
    JSONText.object([
      ("outcome", text(end.outcome)), ("entry", time(end.entry.instant)),
      ("endedAt", end.endedAt.map { time($0.instant) } ?? "null"), ("reason", text(end.reason)),
    ])
  }

  private static func trend(_ trend: DurationTrend) -> String {
    JSONText.object([
      ("count", "\(trend.count)"), ("median", JSONText.quoted(trend.median.approximateText)),
      ("longest", JSONText.quoted(trend.longest.approximateText)),
      ("last", JSONText.quoted(trend.last.approximateText)),
      ("changePercent", trend.changePercent.map { "\($0)" } ?? "null"),
      ("path", JSONText.quoted(trend.path)), ("width", "\(DurationTrend.width)"),
      ("height", "\(DurationTrend.height)"),
    ])
  }

  /// `[left, right, entry, count, phase, outcome, start, end, run, processor time, peak memory, node]`; the entry is
  /// text, for queries.
  static func mark(_ mark: EntryMark) -> String {
    JSONText.array([
      pixels(mark.span.start), pixels(mark.span.end), JSONText.quoted("\(mark.entry)"), "\(mark.count)",
      "\(mark.phase.rawValue)", text(mark.outcome?.rawValue), time(mark.start), time(mark.end),
      mark.run.map { "\($0)" } ?? "null", milliseconds(mark.usage.processorTime),
      text(mark.usage.memoryPeak?.text), text(mark.node),
    ])
  }

  /// Shapes of a drawing.
  static func shapes(_ shapes: [DrawingShape]) -> String {
    JSONText.array(
      shapes.map { shape in
        switch shape {
        case .path(let style, let data):
          JSONText.object([("style", JSONText.quoted(style)), ("path", JSONText.quoted(data))])
        case .label(let style, let text, let x, let y):
          JSONText.object([
            ("style", JSONText.quoted(style)), ("text", JSONText.quoted(text)), ("x", pixels(x)),
            ("y", pixels(y)),
          ])
        }
      })
  }

  /// A position or a height, given in tenths of a pixel.
  static func pixels(_ tenths: Int) -> String { "\(Double(tenths) / 10)" }

  /// A length of time in milliseconds, to the microsecond.
  private static func milliseconds(_ time: ElapsedTime?) -> String {
    time.map { "\(Double($0.nanoseconds / 1_000) / 1_000)" } ?? "null"
  }

  /// An instant in milliseconds since 1970.
  static func time(_ instant: WallInstant?) -> String {
    instant.map { "\($0.nanosecondsSinceEpoch.flooredQuotient(by: 1_000_000))" } ?? "null"
  }

  /// A text that a daemon or a plugin wrote, with control characters spelled out.
  static func text(_ text: String?) -> String { text.map { JSONText.quoted($0.printable) } ?? "null" }
}
