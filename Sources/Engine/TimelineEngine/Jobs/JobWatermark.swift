import TimelineCore

/// Decided entries of one job's schedule: all entries up to the watermark, and spans ahead of it after the clock was set back.
///
/// After the clock was set back, a job goes on at once with the first entry that has no outcome. An entry does not come again
/// if it was decided when it fell due, or if the ledger has a row of it. Entries that the clock had only jumped over come at
/// their time.
struct JobWatermark: Sendable, Hashable {
  /// Instant up to which, inclusive, every entry is settled, waits or runs; `nil` if nothing is known.
  private(set) var decided: WallInstant?
  /// Spans ahead of the clock, ascending, in which entries are decided.
  private(set) var ahead: [ClosedRange<WallInstant>] = []
  /// Last entry that was decided before the clock was set back, while earlier entries are decided again; `.min` for none.
  private(set) var former: WallInstant = .min
  /// Spans up to ``former``, ascending, in which entries share an outcome from before the clock was set back, or were decided by
  /// this daemon.
  private var formerSpans: [ClosedRange<WallInstant>] = []

  /// Makes a watermark from a ledger, from the cluster's store, or from before the job's removal.
  init(_ decided: WallInstant?) { self.decided = decided }

  /// Instant up to which entries are decided; `.min` if nothing is known.
  var instant: WallInstant { decided ?? .min }
  /// Last entry that was decided, even if the clock was set back since; `nil` if nothing is known.
  var furthest: WallInstant? { decided.map { max($0, former) } }
  /// Whether entries are decided ahead of the watermark.
  var isAhead: Bool { !ahead.isEmpty }

  /// Whether the entry lies in a span ahead of the watermark.
  func contains(_ nominal: WallInstant) -> Bool { ahead.contains { $0.contains(nominal) } }

  /// Whether a span of decided entries lies between two undecided entries.
  func separates(_ nominal: WallInstant, from following: WallInstant) -> Bool {
    ahead.contains { nominal < $0.lowerBound && $0.upperBound < following }
  }

  /// Returns the first undecided entry from `nominal` on. `nominal` is an entry itself. Removes spans that the watermark has
  /// passed.
  mutating func firstUndecided(from nominal: WallInstant?, of definition: JobDefinition) -> WallInstant? {
    guard isAhead, let nominal else { return nominal }
    if let decided { ahead.removeAll { $0.upperBound <= decided } }
    var next: WallInstant? = nominal
    for span in ahead {
      if let nominal = next, span.contains(nominal) { next = definition.next(after: span.upperBound) }
    }
    return next
  }

  /// Returns the undecided entries after `origin` up to `end`, as ranges with decided entries between them.
  func undecided(
    after origin: WallInstant, through end: WallInstant, of schedule: ScheduleRule
  ) -> [MissedRange] {
    var (ranges, origin) = ([MissedRange](), origin)
    let spans = ahead.filter { $0.upperBound > origin && $0.lowerBound <= end }
    for span in spans + [end + .nanoseconds(1)...end + .nanoseconds(1)] {
      let before = span.lowerBound - .nanoseconds(1)
      if let first = schedule.next(after: origin), let latest = schedule.latest(atOrBefore: before),
        first <= latest
      {
        let count = schedule.count(after: first, through: latest) + 1
        ranges.append(MissedRange(first: first, latest: latest, count: count))
      }
      origin = max(origin, span.upperBound)
    }
    return ranges
  }
}

// Changes.
extension JobWatermark {
  /// Moves the watermark to an instant.
  mutating func move(to instant: WallInstant) { decided = instant }

  /// Moves the watermark to an instant, unless the watermark is later.
  mutating func advance(to instant: WallInstant) { decided = max(decided ?? .min, instant) }

  /// Marks one entry as decided.
  mutating func decide(_ nominal: WallInstant) { decide(nominal...nominal) }

  /// Marks all entries of a span as decided.
  mutating func decide(_ span: ClosedRange<WallInstant>) { ahead = ahead.merging(span) }

  /// Marks `nominals`, ascending entries of the job, as decided.
  mutating func decide(_ nominals: [WallInstant], of definition: JobDefinition) {
    var added = JobWatermark(nil)
    added.replaceAhead(of: .min, with: nominals.filter { !contains($0) }, of: definition)
    for span in added.ahead { decide(span) }
  }

  /// Replaces all decisions later than `now` with `nominals`, ascending entries of the job.
  mutating func replaceAhead(
    of now: WallInstant, with nominals: [WallInstant], of definition: JobDefinition
  ) {
    forgetAhead(of: now)
    for nominal in nominals {
      // Consecutive entries make one span.
      if let span = ahead.last, definition.next(after: span.upperBound) == nominal {
        ahead[ahead.count - 1] = span.lowerBound...nominal
      } else {
        ahead.append(nominal...nominal)
      }
    }
  }

  /// Keeps the last entry that an earlier daemon had decided before the clock was set back, and the spans of entries that
  /// share an outcome.
  mutating func setFormer(_ instant: WallInstant, sharing spans: [ClosedRange<WallInstant>]) {
    former = instant
    formerSpans = spans.reduce([]) { $0.merging($1) }
  }

  /// Moves the watermark back with the clock to `now`. Later entries are decided ahead of the watermark only if the caller
  /// adds them.
  mutating func goBack(to now: WallInstant) {
    if let decided, now < decided {
      former = max(former, decided)
      formerSpans = formerSpans.merging(now + .nanoseconds(1)...decided)
    }
    decided = now
  }

  /// Moves the watermark to the former watermark after the clock has passed it. If an earlier entry has no outcome, moves the
  /// watermark to just before this entry. Returns the new watermark; `nil` if the watermark does not move.
  ///
  /// Entries in between that the clock did not show again keep their outcomes.
  mutating func returnToFormer(at now: WallInstant, of definition: JobDefinition) -> WallInstant? {
    guard former > .min, former <= now else { return nil }
    for span in formerSpans { decide(span) }
    let first = firstUndecided(from: definition.next(after: instant), of: definition)
    let through = first.map { min(former, $0 - .nanoseconds(1)) } ?? former
    if through == former { forgetFormer() }
    guard through > instant else { return nil }
    decided = through
    return through
  }

  /// Records that entries after `start` through `end` are decided again. Returns the spans of these entries that are covered
  /// by records from before the clock was set back, each with its exclusive start and its inclusive end. Entries that keep
  /// their outcome stay in these records.
  mutating func decideAnew(
    after start: WallInstant, through end: WallInstant
  ) -> [(after: WallInstant, through: WallInstant)] {
    guard former > start else { return [] }
    if former <= end { forgetFormer() }
    var (start, spans) = (start, [(after: WallInstant, through: WallInstant)]())
    for span in ahead where span.upperBound > start && span.lowerBound <= end {
      spans.append((start, span.lowerBound - .nanoseconds(1)))
      start = span.upperBound
    }
    spans.append((start, end))
    return spans.filter { $0.after < $0.through }
  }

  /// Discards all decisions later than `now`.
  mutating func release(at now: WallInstant) {
    forgetAhead(of: now)
    decided = decided.map { min($0, now) }
    // Records may cover entries up to now that are not decided yet.
    if instant < now {
      former = min(former, now)
      formerSpans = formerSpans.ending(by: now)
    } else {
      forgetFormer()
    }
  }

  private mutating func forgetFormer() { (former, formerSpans) = (.min, []) }

  private mutating func forgetAhead(of now: WallInstant) { ahead = ahead.ending(by: now) }
}

extension [ClosedRange<WallInstant>] {
  /// Returns the parts of the spans up to an instant.
  fileprivate func ending(by instant: WallInstant) -> Self {
    filter { $0.lowerBound <= instant }.map { $0.lowerBound...Swift.min($0.upperBound, instant) }
  }
}
