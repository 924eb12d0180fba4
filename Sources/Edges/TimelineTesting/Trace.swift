internal import Synchronization
public import TimelineClocks
public import TimelineCore

/// A record of events and their times, which a test compares with its expectation.
///
/// Tasks may record concurrently; entries are in order of arrival. Two runs of a test on a ``TestClock`` have equal
/// traces.
///
/// ```swift
/// let clock = TestClock()
/// let trace = Trace(clock: clock)
/// Task { for await _ in clock.timer(interval: .seconds(2)) { trace.record("t") } }
/// await clock.advance(by: .seconds(7))
/// #expect(trace.diagram() == "--t-t-t")
/// ```
public final class Trace: Sendable {
  /// One line of the record.
  public struct Entry: Sendable, Hashable, CustomStringConvertible {
    /// The time of the clock.
    public var instant: WallInstant
    /// The name of the event.
    public var label: String

    /// Makes a line.
    public init(instant: WallInstant, label: String) {
      self.instant = instant
      self.label = label
    }

    /// The time since the epoch, then the label.
    public var description: String { "\(WallInstant.epoch.duration(to: instant)) \(label)" }
  }

  private struct State {
    var entries: [Entry] = []
    var end: WallInstant?
  }

  private let clock: AnyClock<Duration>
  private let start: WallInstant
  private let state = Mutex(State())

  /// Begins a record on `clock`, whose current time is its start.
  public init(clock: some TimelineClock) {
    self.clock = AnyClock(clock)
    self.start = clock.now
  }

  /// Adds a line with the clock's current time.
  public func record(_ label: String) {
    let instant = clock.now
    state.withLock { $0.entries.append(Entry(instant: instant, label: label)) }
  }

  /// Adds a line with the clock's current time.
  public func record(_ label: Character) { record(String(label)) }

  /// Records the end, at the clock's current time.
  public func end() {
    let instant = clock.now
    state.withLock { $0.end = instant }
  }

  /// The record so far.
  public var entries: [Entry] { state.withLock { $0.entries } }

  /// The labels of the events so far, without their instants.
  public var labels: [String] { entries.map(\.label) }

  /// The record as a diagram: a label is its first character (`?` if that is reserved), and an instant is the tick in
  /// which it lies.
  public func diagram(tick: Duration = .seconds(1)) -> TimeDiagram {
    let (entries, end) = state.withLock { ($0.entries, $0.end) }
    func index(_ instant: WallInstant) -> Int {
      Int(clamping: start.duration(to: instant).attoseconds / max(tick, .nanoseconds(1)).attoseconds)
    }
    let events = entries.map { entry in
      let sign = entry.label.first.flatMap { TimeDiagram.reserved.contains($0) ? nil : $0 }
      return TimeDiagram.Event(tick: index(entry.instant), label: sign ?? "?")
    }
    return TimeDiagram(events: events, end: end.map(index))
  }
}
