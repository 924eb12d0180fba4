/// The results for all lines of all sources.
package struct ImportReport: Sendable, Hashable {
  /// The results, in the order of the sources.
  package var lines: [ImportedLine] = []

  /// Makes a report.
  package init(lines: [ImportedLine] = []) {
    self.lines = lines
  }

  /// Whether all lines became part of the configuration, with or without a difference.
  package var isComplete: Bool { !lines.contains { $0.verdict == .notCarried } }

  /// Lines for people: all jobs, and all other lines with a remark; then the counts.
  package var text: String {
    let shown = lines.filter { $0.kind == .job || !$0.notes.isEmpty || $0.verdict != .carried }
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

  private var counts: String {
    let parts: [(ImportedLine.Verdict, String)] = [
      (.carried, "carried"), (.differs, "carried with a difference"), (.notCarried, "not carried"),
    ]
    let ofWholeSources = lines.count { $0.line == 0 }
    let counts = parts.map { verdict, words in
      "\(lines.count { $0.verdict == verdict && $0.line > 0 }) \(words)"
    }
    let count = lines.count - ofWholeSources
    return "\(count) \(count == 1 ? "line" : "lines"): " + counts.joined(separator: ", ")
  }
}
