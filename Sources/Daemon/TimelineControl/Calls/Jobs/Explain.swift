package import TimelineCore

extension Control {
  /// A job's schedule in words.
  package struct Explain: ReadingCall {
    /// Reply of the daemon.
    package typealias Reply = ExplainReply

    package var job: String
    /// Start of the explained time; `nil` for now.
    package var from: Timestamp?
    /// The number of years of clock changes, 1 to ``ControlLimits/explainedYearsMax``; `nil` for 2.
    package var years: Int?

    package init(job: String, from: WallInstant? = nil, years: Int? = nil) {
      self.job = job
      self.from = from.map(Timestamp.init)
      self.years = years
    }

    /// Refuses a number of years that is out of range.
    package func validate() throws(VarlinkError) {
      try require((1...ControlLimits.explainedYearsMax).contains(years ?? 1), "years")
    }
  }
}

/// The reply to `Explain`.
package struct ExplainReply: Codable, Sendable, Equatable {
  /// A clock change that affects the schedule (`ClockChange`).
  package struct Change: Codable, Sendable, Equatable {
    package var instant: Timestamp
    /// `gap` or `fold`.
    package var kind: String
    /// Number of times of the rule that the change affects.
    package var times: Int
    /// The entries that result from the policy.
    package var entries: [Timestamp]
    package var words: String

    package init(instant: WallInstant, kind: String, times: Int, entries: [WallInstant], words: String) {
      self.instant = Timestamp(instant)
      self.kind = kind
      self.times = times
      self.entries = entries.map(Timestamp.init)
      self.words = words
    }
  }

  package var job: String
  /// The zone of the job.
  package var zone: String
  /// The schedule in words.
  package var words: String
  package var canonicalForm: String?
  /// The effect of daylight saving on the schedule.
  package var daylightSaving: String?
  /// The next entry, if there is one.
  package var next: Timestamp?
  /// Text in place of ``next`` for a schedule without a next entry, such as `never again`; `nil` if ``next`` is set.
  package var withoutNext: String?
  /// The clock changes that affect the schedule.
  package var changes: [Change]

  package init(
    job: String, zone: String, words: String, canonicalForm: String? = nil, daylightSaving: String? = nil,
    next: WallInstant? = nil, withoutNext: String? = nil, changes: [Change] = []
  ) {
    self.job = job
    self.zone = zone
    self.words = words
    self.canonicalForm = canonicalForm
    self.daylightSaving = daylightSaving
    self.next = next.map(Timestamp.init)
    self.withoutNext = withoutNext
    self.changes = changes
  }

  /// Makes the reply that explains `schedule` from `start` on.
  package init(
    job: String, zone: Zone, _ schedule: ScheduleRule, from start: WallInstant, years: Int
  ) {
    let explanation = schedule.explanation(from: start, years: years, on: zone)
    let next = schedule.next(after: start)
    self.init(
      job: job, zone: zone.name, words: explanation.words, canonicalForm: explanation.canonicalForm,
      daylightSaving: explanation.daylightSaving, next: next,
      withoutNext: next == nil ? schedule.wordsWithoutNext : nil,
      changes: explanation.changes.map {
        Change(
          instant: $0.instant, kind: $0.kind.rawValue, times: $0.timeCount, entries: $0.entries,
          words: $0.words)
      })
  }
}
