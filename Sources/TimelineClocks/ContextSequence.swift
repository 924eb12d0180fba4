public import TimelineCore

extension Schedule {
  /// Plays the schedule on `clock`: gives a context for each entry, when it is due.
  ///
  /// ```swift
  /// import TimelineClocks
  /// import TimelineCore
  ///
  /// func chime(_ timeline: some Schedule, on clock: some TimelineClock) async {
  ///   for await context in timeline.contexts(on: clock) {
  ///     print("It is \(context.date).")
  ///   }
  /// }
  /// ```
  ///
  /// It does for a loop what TimelineView does for a view:
  /// - The schedule is asked once, for the entries from the clock's present on. A loop that is 10,000 entries behind has it asked
  ///   again.
  /// - There is always a current update: the entry that is showing then comes at once, or the clock's present if there is none,
  ///   because the schedule lies in the future or has no entries. Each later entry comes when it is due.
  /// - A loop that was busy for several entries gets the latest of them alone. The phase is that of the schedule.
  /// - The sequence ends with the schedule, and when its task is canceled.
  ///
  /// A clock that is set back makes the sequence wait for its next entry. An entry that is not later than the one before it is
  /// left out.
  ///
  /// - Parameters:
  ///   - clock: The clock on which entries are due.
  ///   - mode: The mode in which the schedule is asked.
  ///   - cadence: The rate of updates: at `.minutes` those of a schedule that is faster follow each other after a minute at least,
  ///     each with the latest entry. By default `.live`, or `.minutes` in low-frequency mode.
  public func contexts(
    on clock: some Clock<Duration>, mode: ScheduleMode = .normal, cadence: Cadence? = nil
  ) -> ContextSequence<Self> {
    ContextSequence(
      schedule: self, clock: AnyClock(clock), mode: mode,
      cadence: cadence ?? (mode == .normal ? .live : .minutes))
  }
}

extension Clock where Duration == Swift.Duration {
  /// Plays `schedule` on this clock: `schedule.contexts(on: clock)` with the schedule by its name, as in SwiftUI.
  ///
  /// A clock whose instants have no place on the wall clock, such as `ContinuousClock`, plays it from the epoch on.
  ///
  /// ```swift
  /// import TimelineClocks
  /// import TimelineCore
  ///
  /// func tick(on clock: some TimelineClock) async {
  ///   for await context in clock.contexts(of: .everyMinute) {
  ///     print("It is \(context.date).")
  ///   }
  /// }
  /// ```
  public func contexts<S: Schedule>(
    of schedule: S, mode: ScheduleMode = .normal, cadence: Cadence? = nil
  ) -> ContextSequence<S> {
    schedule.contexts(on: self, mode: mode, cadence: cadence)
  }

  /// Plays a schedule of a kind that is not known on this clock.
  @_disfavoredOverload
  public func contexts(
    of schedule: any Schedule, mode: ScheduleMode = .normal, cadence: Cadence? = nil
  ) -> ContextSequence<AnySchedule> {
    AnySchedule(schedule).contexts(on: self, mode: mode, cadence: cadence)
  }
}

/// Entries that a loop is behind before the schedule is asked again: half a millisecond of work. A clock that is set from 1970
/// to today, as on machines without a battery, passes 1.8 billion seconds.
private let entriesTakenMax = 10_000

/// The updates of a timeline; made by a schedule's `contexts(on:)`.
public struct ContextSequence<Base: Schedule>: AsyncSequence, Sendable {
  /// The occasion of one update.
  public typealias Element = TimelineContext
  /// The sequence ends and does not throw.
  public typealias Failure = Never

  let schedule: Base
  let clock: AnyClock<Duration>
  let mode: ScheduleMode
  let cadence: Cadence

  /// Starts a timeline of its own, which begins with the first call of `next()`.
  public func makeAsyncIterator() -> Iterator { Iterator(timeline: self) }

  /// One run through the updates.
  public struct Iterator: AsyncIteratorProtocol {
    let timeline: ContextSequence
    /// The entries behind ``upcoming``; `nil` before the first call and after the end.
    private var entries: Base.Entries.Iterator?
    private var hasBegun = false
    /// The next entry that was not shown.
    private var upcoming: WallInstant?
    /// The date that was shown last.
    private var last: WallInstant?
    /// The time of that update: when it was due if it was waited for, so that it does not drift.
    private var lastUpdate: WallInstant?
    private let visitor = Visitor()

    init(timeline: ContextSequence) { self.timeline = timeline }

    /// Waits for the next update; `nil` after the last entry, and when the task has been canceled.
    public mutating func next(isolation actor: isolated (any Actor)?) async -> TimelineContext? {
      if !hasBegun, !Task.isCancelled {
        hasBegun = true
        let now = timeline.clock.now
        ask(from: now)
        let date = takeEntries(through: now) ?? now
        if !Task.isCancelled { return update(date, at: now) }
      }
      var awaited: WallInstant?
      while let due, !Task.isCancelled {
        let now = timeline.clock.now
        if now < due {
          do { try await timeline.clock.sleep(until: due, tolerance: nil, visitor: visitor) } catch { break }
          awaited = due
        } else if let date = takeEntries(through: now) {
          return update(date, at: awaited == due ? due : now)
        }
      }
      entries = nil
      upcoming = nil
      visitor.leave()
      return nil
    }

    private mutating func update(_ date: WallInstant, at instant: WallInstant) -> TimelineContext {
      last = date
      lastUpdate = instant
      return TimelineContext(date: date, cadence: timeline.cadence, mode: timeline.mode)
    }

    private mutating func ask(from start: WallInstant) {
      entries = timeline.schedule.entries(from: start, mode: timeline.mode).makeIterator()
      upcoming = entries?.next()
    }

    /// The time of the next update: that of the next entry, unless it comes sooner than the cadence allows.
    private var due: WallInstant? {
      guard let upcoming, let last, let lastUpdate else { return upcoming }
      let interval = timeline.cadence.interval
      return upcoming >= last + interval ? upcoming : Swift.max(upcoming, lastUpdate + interval)
    }

    /// Takes out the entries up to `instant` and returns the latest, unless all are earlier than what was shown.
    private mutating func takeEntries(through instant: WallInstant) -> WallInstant? {
      let shown = last
      var count = 0
      // A schedule may ignore where it is asked from, and never come to `instant`: then a canceled task leaves all the same.
      while let entry = upcoming, entry <= instant, !Task.isCancelled {
        if last.map({ entry > $0 }) ?? true { last = entry }
        count += 1
        if count == entriesTakenMax { ask(from: instant) } else { upcoming = entries?.next() }
      }
      return last == shown ? nil : last
    }
  }
}
