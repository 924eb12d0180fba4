import TimelineCore
import TimelineEngine

/// What a job that fires faster than anyone can read is reported by: counts and lateness over a stretch of time.
///
/// A row per entry would drown the operator and the journal at sixty entries a second.
struct HighRateSummary: Sendable, Equatable {
  /// How long a stretch is: long enough to be quiet, short enough to be seen within five seconds of a start.
  static let stretch = ElapsedTime.seconds(2)
  /// How long later stretches are, once the operator has seen that the job lives.
  static let laterStretch = ElapsedTime.minutes(1)

  private var tally = DispositionCounts()
  private var latenessSum = ElapsedTime.zero
  private var latenessMax = ElapsedTime.zero
  private var runs: Int64 = 0
  private var endsAt: WallInstant?
  private var reported = false

  /// Adds a settled entry; gives a sentence when a stretch is over.
  mutating func add(_ record: EntryRecord) -> String? {
    if endsAt == nil { endsAt = record.endedAt + (reported ? Self.laterStretch : Self.stretch) }
    tally.add(record.entryCount, of: record.disposition)
    if let startedAt = record.startedAt {
      let lateness = startedAt - record.entry.nominal
      latenessSum = latenessSum + lateness
      latenessMax = max(latenessMax, lateness)
      runs += 1
    }
    guard let end = endsAt, record.endedAt >= end else { return nil }
    let sentence = self.sentence
    self = HighRateSummary()
    reported = true
    return sentence
  }

  private var sentence: String {
    let counts = tally.sorted.map { "\($0.count) \($0.disposition.rawValue)" }.joined(separator: ", ")
    guard runs > 0 else { return counts }
    let mean = ElapsedTime(nanoseconds: latenessSum.nanoseconds / runs)
    return "\(counts)  late \(mean.approximateText) on average, \(latenessMax.approximateText) at most"
  }
}
