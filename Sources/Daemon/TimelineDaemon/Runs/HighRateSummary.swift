import TimelineCore
import TimelineEngine

/// Summary for a job that has too many entries to report each entry: counts and lateness over a period.
///
/// At sixty entries a second, a line for each entry would flood the journal.
struct HighRateSummary: Sendable, Equatable {
  /// Length of the first period: long enough to keep the log short, short enough for a line within 5 s of a start.
  static let stretch = ElapsedTime.seconds(2)
  /// Length of later periods, after the operator has seen that the job runs.
  static let laterStretch = ElapsedTime.minutes(1)

  private var tally = OutcomeCounts()
  private var latenessSum = ElapsedTime.zero
  private var latenessMax = ElapsedTime.zero
  private var runs: Int64 = 0
  private var lastFailure: String?
  private var endsAt: WallInstant?
  private var reported = false

  /// Adds a settled entry. At the end of a period, returns a sentence and its level.
  mutating func add(_ record: EntryRecord) -> (level: Announcement.Level, text: String)? {
    if endsAt == nil { endsAt = record.endedAt + (reported ? Self.laterStretch : Self.stretch) }
    tally.add(record.entryCount, of: record.outcome)
    if RunLine.level(of: record.outcome) == .error { lastFailure = record.reason }
    if let startedAt = record.startedAt {
      let lateness = startedAt - record.entry.nominal
      latenessSum = latenessSum + lateness
      latenessMax = max(latenessMax, lateness)
      runs += 1
    }
    guard let end = endsAt, record.endedAt >= end else { return nil }
    let result = (level: lastFailure == nil ? Announcement.Level.info : .error, text: sentence)
    self = HighRateSummary()
    reported = true
    return result
  }

  private var sentence: String {
    let counts = tally.sorted.map { "\($0.count) \($0.outcome.rawValue)" }.joined(separator: ", ")
    var parts = [counts]
    if runs > 0 {
      let mean = ElapsedTime(nanoseconds: latenessSum.nanoseconds / runs)
      parts.append("late \(mean.approximateText) on average, \(latenessMax.approximateText) at most")
    }
    if let lastFailure, !lastFailure.isEmpty { parts.append("last failure: \(lastFailure)") }
    return parts.joined(separator: "  ")
  }
}
