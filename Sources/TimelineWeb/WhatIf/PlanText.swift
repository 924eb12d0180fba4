import TimelineClient
import TimelineCore
import TimelineJSON
import TimelineRehearsal
import TimelineSystem

/// The effects of a proposed configuration as JSON. Instants are milliseconds since 1970, positions pixels.
struct PlanText {
  /// The errors and warnings of the text, as members of a JSON object.
  static func members(of remarks: [ProposedConfiguration.Remark]) -> [(String, String)] {
    let shown = remarks.prefix(WebLimits.remarksMax).map { remark in
      JSONText.object([
        ("isError", "\(remark.isError)"), ("line", "\(remark.line)"), ("column", "\(remark.column)"),
        ("text", JSONText.quoted(remark.text)),
      ])
    }
    return [
      ("remarks", JSONText.array(shown)), ("omittedRemarks", "\(remarks.count - shown.count)"),
    ]
  }

  /// The text about a proposal that is refused.
  static func refusal(_ remarks: [ProposedConfiguration.Remark]) -> String {
    JSONText.object(members(of: remarks) + [("pairs", "null")])
  }

  let picture: PlanPicture
  let proposal: ProposedConfiguration
  /// The name of the machine.
  let machine: String

  /// The text.
  var json: String {
    var left = WebLimits.changesMax
    var pairs: [String] = []
    for pair in picture.pairs {
      let changes = pair.job.examples.prefix(left)
      left -= changes.count
      pairs.append(Self.pair(pair, Array(changes)))
    }
    return JSONText.object(
      Self.members(of: proposal.remarks) + AxisText.members(of: picture.axis, on: picture.scale) + [
        ("machine", JSONText.quoted(machine)), ("verdict", JSONText.quoted(picture.verdict)),
        ("isShortened", "\(picture.isShortened)"), ("otherFileCount", "\(proposal.otherFileCount)"),
        ("omittedCount", "\(picture.omittedCount)"),
        ("kept", JSONText.array(picture.keptJobs.map { JSONText.quoted($0.text) })),
        ("pairs", JSONText.array(pairs)),
      ])
  }

  private static func pair(_ pair: PlanPicture.Pair, _ changes: [PlanJob.EntryChange]) -> String {
    let job = pair.job
    return JSONText.object([
      ("name", JSONText.quoted(job.name.text)), ("zone", JSONText.quoted(pair.zone.name)),
      ("change", JSONText.quoted(job.change.rawValue)),
      ("counts", JSONText.quoted(counts(of: job, in: pair.zone))),
      ("differences", JSONText.array(pair.differences.map { JSONText.quoted($0.printable) })),
      ("before", side(pair.before)), ("after", side(pair.after)),
      (
        "changes",
        JSONText.array(
          changes.map { JSONText.array([WindowText.time($0.before), WindowText.time($0.after)]) })
      ),
      (
        "omittedChanges",
        "\(job.addedCount + job.removedCount + job.movedCount - changes.count)"
      ),
      ("overlaps", JSONText.array(job.overlaps.map { WindowText.time($0) })),
    ])
  }

  /// The numbers of changed entries; if there are none, the first change after the compared time.
  private static func counts(of job: PlanJob, in zone: Zone) -> String {
    guard let later = job.later else { return PlanReport.counts(of: [job]) }
    return "every entry stays; later \(later.word): \(later.instants(in: zone).joined(separator: " → "))"
  }

  private static func side(_ row: DrawingRow?) -> String {
    guard let row else { return "null" }
    return JSONText.object([
      ("summary", JSONText.quoted(row.summary)), ("shapes", WindowText.shapes(row.shapes)),
    ])
  }
}
