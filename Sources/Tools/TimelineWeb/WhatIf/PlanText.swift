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
  let machine: String

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
      ("changes", JSONText.array((changes + [job.start].compactMap(\.self)).map(Self.change))),
      ("omittedChanges", "\(job.changeCount - changes.count)"),
      ("overlaps", JSONText.array(job.overlaps.map { WindowText.time($0) })),
    ])
  }

  /// Both instants of a change, and its word. If an entry ends differently, also both outcomes.
  private static func change(_ change: PlanJob.EntryChange) -> String {
    let words = [change.word] + (change.ends.map { [$0.joined(separator: " → ")] } ?? [])
    return JSONText.array([
      WindowText.time(change.before), WindowText.time(change.after),
      JSONText.quoted(words.joined(separator: ": ")),
    ])
  }

  /// The numbers of changed entries. If no entry changes in the compared time, also the first change after it.
  private static func counts(of job: PlanJob, in zone: Zone) -> String {
    let counts = PlanReport.counts(of: [job])
    guard let later = job.later else { return counts }
    let first = "later \(later.word): \(later.text(in: zone, arrow: "→"))"
    return "\(counts.isEmpty ? "every entry stays" : counts); \(first)"
  }

  private static func side(_ row: DrawingRow?) -> String {
    guard let row else { return "null" }
    return JSONText.object([
      ("summary", JSONText.quoted(row.summary)), ("shapes", WindowText.shapes(row.shapes)),
    ])
  }
}
