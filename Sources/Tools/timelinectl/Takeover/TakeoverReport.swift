import TimelineConfiguration
import TimelineCore
import TimelineImport
import TimelineSystem

/// A comparison as text, and as JSON, one object per line.
struct TakeoverReport {
  private let comparison: TakeoverComparison
  private let zone: Zone

  /// Maximum number of differences shown for one command; the JSON has all.
  private static let shownMax = 10

  init(_ comparison: TakeoverComparison, zone: Zone) {
    (self.comparison, self.zone) = (comparison, zone)
  }

  /// Lines for people: the time, each command, and gaps of the evidence.
  var text: String {
    let period =
      comparison.period.map { period in
        "compared: from \(Words.text(period.lowerBound, in: zone)) to \(Words.text(period.upperBound, in: zone)), \(comparison.length.approximateText)"
      } ?? "compared: nothing, for want of evidence"
    let gaps = comparison.gaps.isEmpty ? "" : " (\(comparison.gaps.joined(separator: "; ")))"
    return "\(period)\(gaps)\n" + comparison.findings.map(text).joined()
  }

  /// The reason why a command was not compared; `nil` if it was.
  private func obstacle(to finding: TakeoverFinding) -> String? {
    finding.obstacle ?? (comparison.period == nil && finding.differences.isEmpty ? "no evidence" : nil)
  }

  private func text(of finding: TakeoverFinding) -> String {
    let subject = finding.subject.printable
    if let obstacle = obstacle(to: finding) { return "\(subject): not compared: \(obstacle)\n" }
    let from =
      finding.comparedFrom.map { " from \(Words.text($0, in: zone)) on, as the ledger has no earlier entry" }
      ?? ""
    let both = (finding.bothCount == 1 ? "both ran once" : "both ran \(finding.bothCount) times") + from
    if finding.differences.isEmpty { return "\(subject): \(both)\n" }
    let counts = Dictionary(grouping: finding.differences, by: \.kind.rawValue).sorted(on: \.key).map {
      "\($0.key) \($0.value.count)"
    }
    let lines = finding.differences.prefix(Self.shownMax).map { difference in
      let minute = difference.minute.map { "\(Words.text($0, in: zone)): " } ?? ""
      return "  \(minute)\(difference.kind.rawValue)\(difference.cause.map { ": \($0.printable)" } ?? "")\n"
    }
    let rest = finding.differences.count - lines.count
    return "\(subject): \(both), \(counts.joined(separator: ", "))\n" + lines.joined()
      + (rest > 0 ? "  and \(rest) more\n" : "")
  }

  private struct Line: Encodable {
    struct Difference: Encodable {
      let kind: String
      let minute: String?
      let cause: String?
    }

    let user: String
    let command: String
    let places: [String]
    let jobs: [String]
    let bothCount: Int
    let notCompared: String?
    let comparedFrom: String?
    let differences: [Difference]
  }

  private struct Summary: Encodable {
    let from: String?
    let to: String?
    let gaps: [String]
    let differs: Bool
  }

  /// A line with an object for each command, and a last line about the time and the evidence.
  func jsonLines() throws -> String {
    let lines = try comparison.findings.map { finding in
      try jsonLine(
        Line(
          user: finding.user, command: finding.command,
          places: finding.places.map { "\($0.path):\($0.line)" }, jobs: finding.jobs,
          bothCount: finding.bothCount,
          notCompared: obstacle(to: finding),
          comparedFrom: finding.comparedFrom.map { "\($0)" },
          differences: finding.differences.map {
            Line.Difference(kind: $0.kind.rawValue, minute: $0.minute.map { "\($0)" }, cause: $0.cause)
          }))
    }
    let summary = Summary(
      from: comparison.period.map { "\($0.lowerBound)" }, to: comparison.period.map { "\($0.upperBound)" },
      gaps: comparison.gaps, differs: comparison.differs)
    return lines.joined() + (try jsonLine(summary))
  }
}
