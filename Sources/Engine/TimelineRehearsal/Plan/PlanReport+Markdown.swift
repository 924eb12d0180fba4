import TimelineCore

extension PlanReport {
  /// Maximum number of jobs and of entries in the tables of ``markdown(old:new:)``. A comment on GitHub has at most 65,536
  /// characters, and each line has at most 200.
  private static let (jobsMax, entriesMax) = (100, 200)
  /// Maximum number of examples of a kind in ``markdown(old:new:)``.
  package static let markdownExamplesMax = 10

  /// The plan for a pull request, in the Markdown of GitHub; `old` and `new` name the two configurations.
  package func markdown(old: String, new: String) -> String {
    let changed = jobs.filter(\.isChanged)
    var text = "### Plan: \(old.markdownCode) → \(new.markdownCode)\n\n\(verdict.escapedMarkdown)\n"
    guard !changed.isEmpty else { return text }
    text += """

      | job | change | added | removed | moved | newly overlapping | ending otherwise | starts moved |
      |---|---|--:|--:|--:|--:|--:|--:|

      """
    for job in changed.prefix(Self.jobsMax) {
      let counts = [
        job.addedCount, job.removedCount, job.movedCount, job.newOverlapCount, job.plainEndCount,
        job.otherStartCount,
      ]
      let cells = counts.map { $0 == 0 ? "–" : $0.grouped }.joined(separator: " | ")
      text += "| `\(job.name)` | \(Self.word(job.change)) | \(cells) |\n"
    }
    if changed.count > Self.jobsMax {
      let rest = changed.count - Self.jobsMax
      text += "\n\(rest.grouped) more \(rest == 1 ? "job changes" : "jobs change").\n"
    }
    return text + entries(of: changed)
  }

  /// The table of entries that change.
  private func entries(of changed: [PlanJob]) -> String {
    let all = changed.flatMap(lines)
    guard !all.isEmpty else { return "" }
    var text = """

      | job | entry | before | after |
      |---|---|---|---|

      """
    for line in all.prefix(Self.entriesMax) { text += "| \(line.joined(separator: " | ")) |\n" }
    let rest = all.count - Self.entriesMax
    return rest > 0
      ? text
        + "\n\(rest.grouped) more \(rest == 1 ? "line is" : "lines are") left out; `timelinectl plan --json OLD NEW` has all jobs.\n"
      : text
  }

  /// The cells of the examples of a job.
  private func lines(of job: PlanJob) -> [[String]] {
    let (name, zone) = ("`\(job.name)`", zones[job.name] ?? zone)
    func line(_ change: PlanJob.EntryChange, _ label: String = "") -> [String] {
      [name, label + change.word] + change.sides(in: zone).map { $0?.escapedMarkdown ?? "–" }
    }
    var result = job.examples.map { line($0) }
    if let later = job.later { result.append(line(later, "later: ")) }
    if job.unlistedCount > 0, !job.examples.isEmpty {
      result.append([name, "\(job.unlistedCount.grouped) more", "…", "…"])
    }
    if let start = job.start { result.append(line(start)) }
    return result
      + job.overlaps.map {
        [name, "overlaps a run", "–", $0.text(in: zone).escapedMarkdown]
      }
  }

  private static func word(_ change: PlanJob.JobChange) -> String {
    switch change {
    case .added: "added"
    case .removed: "removed"
    case .changed: "changed"
    case .kept: "affected by other jobs"
    }
  }
}

extension String {
  /// The text escaped for Markdown outside of code, also within a table.
  fileprivate var escapedMarkdown: String {
    var text = ""
    for character in self {
      if "\\`*_{}[]<>#|~&!".contains(character) { text += "\\" }
      text += character.isNewline ? " " : String(character)
    }
    return text
  }

  /// The text as code in Markdown. The fence is longer than any run of backticks in the text.
  fileprivate var markdownCode: String {
    let line = String(map { $0.isNewline ? " " : $0 })
    var (longest, length) = (0, 0)
    for character in line {
      length = character == "`" ? length + 1 : 0
      longest = max(longest, length)
    }
    let fence = String(repeating: "`", count: longest + 1)
    let blank = longest > 0 ? " " : ""
    return fence + blank + line + blank + fence
  }
}
