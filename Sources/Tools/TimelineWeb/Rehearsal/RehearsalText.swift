import TimelineCore
import TimelineJSON
import TimelineRehearsal
import TimelineSystem

/// A rehearsal in a window as JSON. Instants are milliseconds since 1970, positions pixels.
struct RehearsalText {
  let picture: RehearsalPicture
  /// Instant after which nothing is simulated; `nil` if the whole window is simulated.
  let knownUntil: WallInstant?
  let machine: String

  var json: String {
    let (rehearsal, scale) = (picture.rehearsal, picture.scale)
    return JSONText.object(
      AxisText.members(of: picture.axis, on: scale) + [
        ("machine", JSONText.quoted(machine)), ("start", WindowText.time(rehearsal.start)),
        ("source", JSONText.quoted(rehearsal.source)), ("knownUntil", WindowText.time(knownUntil)),
        ("loadHeight", WindowText.pixels(TimelineDrawing.loadHeight)),
        ("loadMax", "\(picture.load.max() ?? 0)"),
        ("load", WindowText.shapes([TimelineDrawing.loadShape(picture.load)])),
        ("rows", JSONText.array(picture.rows.map(Self.row))), ("omittedCount", "\(picture.omittedCount)"),
        ("decisions", JSONText.array(picture.decisions.shown.map(Self.decision))),
        ("decisionsUntil", WindowText.time(picture.decisions.knownUntil)),
      ])
  }

  /// A row of a window. A rehearsal simulates a single node, so that no row has lanes.
  private static func row(_ row: RehearsalPicture.Row) -> String {
    JSONText.object([
      ("name", JSONText.quoted(row.job.name.text)), ("schedule", JSONText.quoted(row.job.schedule.printable)),
      ("zone", JSONText.quoted(row.job.zone.name)),
      ("groups", JSONText.array(row.job.groups.map(JSONText.quoted))),
      ("isCounted", "\(row.job.isCounted)"), ("summary", JSONText.quoted(row.summary)),
      ("later", WindowText.time(row.later)), ("shapes", WindowText.shapes(row.shapes)),
      ("lanes", "[]"), ("marks", JSONText.array(row.marks.map(WindowText.mark))),
    ])
  }

  /// `[instant, job, word, detail, isFirst]`.
  private static func decision(_ decision: RehearsalDecision) -> String {
    JSONText.array([
      WindowText.time(decision.at), JSONText.quoted(decision.job.text), JSONText.quoted(decision.word),
      WindowText.text(decision.detail), "\(decision.isFirst)",
    ])
  }
}

/// The axis of a drawing as members of a JSON object.
enum AxisText {
  /// The members.
  static func members(of axis: DrawingAxis, on scale: DrawingScale) -> [(String, String)] {
    [
      ("from", WindowText.time(scale.from)), ("until", WindowText.time(scale.until)),
      ("columns", "\(scale.columns)"), ("zone", JSONText.quoted(axis.zone.name)),
      ("axisHeight", WindowText.pixels(axis.height)),
      ("axis", WindowText.shapes(axis.labels(on: scale))),
      ("grid", WindowText.shapes(axis.grid(height: TimelineDrawing.rowHeight))),
      ("rowHeight", WindowText.pixels(TimelineDrawing.rowHeight)),
    ]
  }
}
