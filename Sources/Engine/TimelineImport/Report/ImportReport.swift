/// The results for all lines of all sources.
package struct ImportReport: Sendable, Equatable {
  /// In the order of the sources.
  package var lines: [ImportedLine] = []
  /// Word for a line in the counts.
  private let noun: String

  package init(lines: [ImportedLine] = [], noun: String = "line") {
    (self.lines, self.noun) = (lines, noun)
  }

  /// Whether all lines are part of the configuration, with or without a difference.
  package var isComplete: Bool { !lines.contains { $0.verdict == .notCarried } }

  /// Lines for people: all jobs, and all other lines with a remark; then the counts.
  package var text: String {
    let shown = lines.filter { $0.kind == .job || !$0.notes.isEmpty }
    return shown.map { Self.text(of: $0) + "\n" }.joined() + counts + "\n"
  }

  private static func text(of line: ImportedLine) -> String {
    let verdict =
      switch line.verdict {
      case .carried: "carried"
      case .differs: "carried with a difference"
      case .notCarried: "not carried"
      }
    let job = line.job.map { " [job \($0)]" } ?? ""
    let notes = line.notes.isEmpty ? "" : ": " + line.notes.joined(separator: "; ")
    return "\(line.place): \(verdict)\(job)\(notes)"
  }

  /// The numbers of lines, after the numbers of jobs made of whole sources, such as timers.
  private var counts: String {
    let jobs = lines.filter { $0.line == 0 && $0.kind == .job }
    let past = lines.count { $0.kind == .past }
    let counts =
      Self.counts(of: lines.filter { $0.line > 0 }, noun)
      + (past == 0 ? "" : "; \(past) of them past, without a job")
    return jobs.isEmpty ? counts : Self.counts(of: jobs, "job") + "; " + counts
  }

  private static func counts(of lines: [ImportedLine], _ noun: String) -> String {
    let parts: [(ImportedLine.Verdict, String)] = [
      (.carried, "carried"), (.differs, "carried with a difference"), (.notCarried, "not carried"),
    ]
    let counts = parts.map { verdict, words in "\(lines.count { $0.verdict == verdict }) \(words)" }
    return "\(lines.count) \(noun)\(lines.count == 1 ? "" : "s"): " + counts.joined(separator: ", ")
  }
}
