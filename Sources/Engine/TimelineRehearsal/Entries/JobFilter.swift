/// Words that select jobs. A job passes if it matches one of the words, and no word that follows a dash.
///
/// A word matches a part of a job's name. After `group:`, a word matches a part of the name of a group.
package struct JobFilter: Sendable, Equatable {
  private let wanted: [String]
  private let excluded: [String]

  /// Makes a filter of words separated by blanks; not case-sensitive. A dash alone is ignored.
  package init(_ text: String) {
    let words = text.lowercased().split(separator: " ")
    excluded = words.filter { $0.hasPrefix("-") && $0.count > 1 }.map { String($0.dropFirst()) }
    wanted = words.filter { !$0.hasPrefix("-") }.map(String.init)
  }

  /// Whether a job passes. `groups` are the groups of the job.
  package func matches(_ job: String, groups: [String] = []) -> Bool {
    if wanted.isEmpty && excluded.isEmpty { return true }
    let (job, groups) = (job.lowercased(), groups.map { $0.lowercased() })
    func isIn(_ word: String) -> Bool {
      guard word.hasPrefix("group:") else { return job.contains(word) }
      let part = word.dropFirst("group:".count)
      return groups.contains { part.isEmpty || $0.contains(part) }
    }
    return (wanted.isEmpty || wanted.contains(where: isIn)) && !excluded.contains(where: isIn)
  }
}
