public import TimelineCore

extension Schedule {
  /// Plays the schedule on `clock`: yields a context for each entry, when it is due.
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
  /// The sequence does for a loop what TimelineView does for a view:
  /// - The schedule is evaluated once, for the entries from the clock's present on. If the loop is 10,000 entries behind, the
  ///   schedule is evaluated again.
  /// - The first update comes at once. It has the current entry. If no entry is current, because the schedule lies in
  ///   the future or has no entries, it has the clock's present. Each later entry comes when it is due.
  /// - A loop that was busy for several entries gets only the latest of them. Later updates keep the phase of the schedule.
  /// - The sequence ends with the schedule, and when its task is canceled.
  ///
  /// If the clock is set back, the sequence waits for its next entry. An entry that is not later than the entry before it is left
  /// out.
  ///
  /// - Parameters:
  ///   - clock: The clock on which entries are due.
  ///   - mode: The mode in which the schedule is evaluated.
  ///   - cadence: The largest rate of updates. At `.minutes` a faster schedule has one update a minute at most, each with the
  ///     latest entry. By default `.live`, or `.minutes` in low-frequency mode.
  public func contexts(
    on clock: some Clock<Duration>, mode: ScheduleMode = .normal, cadence: Cadence? = nil
  ) -> ContextSequence<Self> {
    ContextSequence(
      schedule: self, clock: AnyClock(clock), mode: mode,
      cadence: cadence ?? (mode == .normal ? .live : .minutes))
  }
}

extension Clock where Duration == Swift.Duration {
  /// Plays `schedule` on this clock, like `schedule.contexts(on: clock)`. The schedule can be written as a member, as in SwiftUI.
  ///
  /// If the instants of a clock are not points on the wall clock, for example `ContinuousClock`, the schedule is played from the
  /// epoch on.
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

  /// Plays a schedule of any type on this clock.
  @_disfavoredOverload
  public func contexts(
    of schedule: any Schedule, mode: ScheduleMode = .normal, cadence: Cadence? = nil
  ) -> ContextSequence<AnySchedule> {
    AnySchedule(schedule).contexts(on: self, mode: mode, cadence: cadence)
  }
}

/// Maximum number of entries that a loop reads to catch up, before the schedule is evaluated again: half a
/// millisecond of work. A clock that is set from 1970 to today, as on machines without a battery, skips 1.8 billion
/// seconds.
private let entriesTakenMax = 10_000

/// The updates of a timeline; made by a schedule's `contexts(on:)`.
public struct ContextSequence<Base: Schedule>: AsyncSequence, Sendable {
  /// The context of one update.
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
    /// The entries after ``upcoming``; `nil` before the first call and after the end.
    private var entries: Base.Entries.Iterator?
    private var hasBegun = false
    /// The next entry that has not been shown.
    private var upcoming: WallInstant?
    /// The date that was shown last.
    private var last: WallInstant?
    /// The time of the last update. If the iterator waited for the update, this is its due time, so that updates do not drift.
    private var lastUpdate: WallInstant?
    private let visitor = SleeperVisit()

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

    /// The time of the next update: the time of the next entry, or later if the cadence requires it.
    private var due: WallInstant? {
      guard let upcoming, let last, let lastUpdate else { return upcoming }
      let interval = timeline.cadence.interval
      return upcoming >= last + interval ? upcoming : Swift.max(upcoming, lastUpdate + interval)
    }

    /// Removes the entries up to `instant` and returns the latest, unless all are earlier than the date that was shown last.
    private mutating func takeEntries(through instant: WallInstant) -> WallInstant? {
      let shown = last
      var count = 0
      // A schedule may ignore the start of the evaluation and never reach `instant`. So the loop also ends when the task is
      // canceled.
      while let entry = upcoming, entry <= instant, !Task.isCancelled {
        if last.map({ entry > $0 }) ?? true { last = entry }
        count += 1
        if count == entriesTakenMax { ask(from: instant) } else { upcoming = entries?.next() }
      }
      return last == shown ? nil : last
    }
  }
}
