/// The result for one line of a source: the line, and the verdict on it.
package struct ImportedLine: Sendable, Equatable, Encodable {
  /// Verdicts on a line.
  package enum Verdict: String, Sendable, Hashable, Encodable {
    /// The line has the same meaning in the configuration.
    case carried
    /// The line is in the configuration with a difference.
    case differs
    /// The line is not in the configuration.
    case notCarried = "not-carried"
  }

  /// Kinds of lines.
  package enum Kind: String, Sendable, Hashable, Encodable {
    case blank
    case comment
    /// A variable of a crontab, which applies to the lines below.
    case variable
    /// A setting of a unit, as part of a job.
    case setting
    /// A line that is a job, or should be a job.
    case job
    /// An event that has no time any more, and needs no job.
    case past
    case unknown
  }

  /// Path of the source in the user's spelling.
  package var source: String
  /// From 1; 0 for the source as a whole.
  package var line: Int
  /// The line as written in the source.
  package var text: String
  package var kind: Kind
  package var verdict: Verdict
  /// The job that the line became or belongs to.
  package var job: String?
  /// Differences, or the reason why the line is not carried and the remedy.
  package var notes: [String]

  /// Makes the result for a line that is carried.
  package init(source: String, line: Int, text: String, kind: Kind) {
    (self.source, self.line, self.text, self.kind) = (source, line, text, kind)
    (verdict, job, notes) = (.carried, nil, [])
  }

  /// Adds a difference. The verdict on a line that is not carried does not change.
  mutating func differ(_ note: String) {
    if verdict == .carried { verdict = .differs }
    if !notes.contains(note) { notes.append(note) }
  }

  /// Adds the reason why the line is not carried.
  mutating func refuse(_ note: String) {
    verdict = .notCarried
    if !notes.contains(note) { notes.append(note) }
  }

  /// `FILE:LINE`; only the file for the source as a whole.
  package var place: String { line == 0 ? source : "\(source):\(line)" }
}
