/// The account of one line of a source: what the line is and what became of it.
package struct ImportedLine: Sendable, Hashable, Encodable {
  /// Verdicts on a line.
  package enum Verdict: String, Sendable, Hashable, Encodable {
    /// It means the same in the configuration.
    case carried
    /// It is in the configuration, and something of it is not the same.
    case differs
    /// It is not in the configuration.
    case notCarried = "not-carried"
  }

  /// Kinds of lines.
  package enum Kind: String, Sendable, Hashable, Encodable {
    case blank
    case comment
    /// A variable of a crontab, which holds for the lines below.
    case variable
    /// A setting of a unit, which is part of a job.
    case setting
    /// A line that is or should be a job.
    case job
    /// A line of no kind that is known.
    case unknown
  }

  /// Path of the source, as it was given.
  package var source: String
  /// Number of the line, from 1; 0 for the source as a whole.
  package var line: Int
  /// The line as it is in the source.
  package var text: String
  /// Kind of the line.
  package var kind: Kind
  /// The verdict.
  package var verdict: Verdict
  /// Name of the job that it became or belongs to.
  package var job: String?
  /// Differences, or the reason why it is not carried and what to do.
  package var notes: [String]

  /// Makes an account of a line that is carried.
  package init(source: String, line: Int, text: String, kind: Kind) {
    (self.source, self.line, self.text, self.kind) = (source, line, text, kind)
    (verdict, job, notes) = (.carried, nil, [])
  }

  /// Notes something that is not the same; a line that is not carried stays so.
  mutating func differ(_ note: String) {
    if verdict == .carried { verdict = .differs }
    if !notes.contains(note) { notes.append(note) }
  }

  /// Notes why the line is not carried.
  mutating func refuse(_ note: String) {
    verdict = .notCarried
    if !notes.contains(note) { notes.append(note) }
  }

  /// `FILE:LINE`, or the file alone for the source as a whole.
  package var place: String { line == 0 ? source : "\(source):\(line)" }
}
