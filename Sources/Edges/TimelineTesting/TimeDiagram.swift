internal import TimelineClocks
internal import TimelineCore

/// A diagram of events over time: `a--b---|` is *a* at the start, *b* three ticks later and the end four ticks after
/// *b*.
///
/// Every character is one tick. A letter or any other sign is an event, `-` is a tick in which nothing happens, `|`
/// is the end, and `(ab)` are several events of one tick, in order. Spaces are ignored; they align one diagram with
/// another. Two lines of a test replace ten:
///
/// ```swift
/// let input:    TimeDiagram = "ab--c-----d---|"
/// let expected: TimeDiagram = "---b--c-----d-|"
///
/// await withTestClock { clock in
///   let trace = Trace(clock: clock)
///   Task {
///     for await label in debounce(input.play(on: clock), for: .seconds(2), clock: clock) { trace.record(label) }
///     trace.end()
///   }
///   await clock.run()
///   #expect(trace.diagram() == expected)
/// }
/// ```
///
/// Its text is canonical: parsing, printing and parsing again yields the same diagram.
public struct TimeDiagram: Sendable, Hashable {
  /// An event at a tick.
  public struct Event: Sendable, Hashable {
    /// The number of ticks after the start; 0 or more.
    public var tick: Int
    /// The sign of the event in the text; none of the ``TimeDiagram/reserved`` signs.
    public var label: Character

    /// Makes an event at `tick`.
    public init(tick: Int, label: Character) {
      self.tick = tick
      self.label = label
    }
  }

  /// The events in order of ticks; the events of one tick are in the order in which they happen.
  public private(set) var events: [Event]
  /// The tick of the end; `nil` for a diagram without an end.
  public private(set) var end: Int?

  /// The signs that cannot be labels, because they have another meaning.
  public static let reserved: Set<Character> = ["-", "|", "(", ")", " "]

  /// Makes a diagram of `events`, which keep their order within a tick, and the end.
  public init(events: [Event], end: Int? = nil) {
    // A stable sort: by tick, then by place.
    self.events = events.enumerated()
      .sorted { ($0.element.tick, $0.offset) < ($1.element.tick, $1.offset) }
      .map(\.element)
    self.end = end
  }
}

/// Errors in a diagram.
public enum TimeDiagramError: Error, Hashable, CustomStringConvertible {
  /// A parenthesis without a counterpart, at this character.
  case unbalanced(at: Int)
  /// Something after the end, at this character.
  case afterEnd(at: Int)
  /// Within parentheses, a sign that is no label, at this character.
  case reserved(Character, at: Int)

  /// One sentence: the error, its place, and the correction.
  public var description: String {
    switch self {
    case .unbalanced(let place):
      "Character \(place) is a parenthesis without a partner; write (ab) for one tick."
    case .afterEnd(let place): "Character \(place) comes after the end; nothing may follow the sign |."
    case .reserved(let sign, let place):
      "Character \(place), '\(sign)', cannot stand in parentheses; put labels only between them."
    }
  }
}

extension TimeDiagram: CustomStringConvertible, ExpressibleByStringLiteral {
  /// Reads a diagram.
  public init(parsing picture: String) throws(TimeDiagramError) {
    var events: [Event] = []
    var end: Int?
    var tick = 0
    var opening: Int?
    for (place, sign) in picture.enumerated() where sign != " " {
      guard end == nil else { throw .afterEnd(at: place) }
      switch (sign, opening) {
      case ("(", nil): opening = place
      case (")", .some):
        opening = nil
        tick += 1
      case ("(", .some), (")", nil): throw .unbalanced(at: place)
      case ("-", nil): tick += 1
      case ("|", nil): end = tick
      case ("-", .some), ("|", .some): throw .reserved(sign, at: place)
      default:
        events.append(Event(tick: tick, label: sign))
        if opening == nil { tick += 1 }
      }
    }
    if let opening { throw .unbalanced(at: opening) }
    self.init(events: events, end: end)
  }

  /// Reads a diagram in source code; traps if it is invalid.
  public init(stringLiteral picture: String) {
    do {
      try self.init(parsing: picture)
    } catch {
      preconditionFailure("\(error)")
    }
  }

  /// The diagram, without spaces and up to its last event or its end.
  public var description: String {
    var picture = ""
    var tick = 0
    var rest = events[...]
    while let next = rest.first {
      picture += String(repeating: "-", count: max(0, next.tick - tick))
      let labels = rest.prefix { $0.tick == next.tick }.map(\.label)
      picture += labels.count == 1 ? String(labels) : "(\(String(labels)))"
      rest = rest.dropFirst(labels.count)
      tick = next.tick + 1
    }
    guard let end else { return picture }
    return picture + String(repeating: "-", count: max(0, end - tick)) + "|"
  }
}

extension TimeDiagram {
  /// Plays the diagram on a clock: an async sequence of its labels.
  ///
  /// The first tick is the time of the clock when the first element is requested. The sequence ends with the diagram, never
  /// if the diagram has no end, and at once when its task is cancelled.
  public func play(on clock: some Clock<Duration>, tick: Duration = .seconds(1)) -> Playback {
    Playback(diagram: self, clock: AnyClock(clock), tick: tick)
  }

  /// A diagram that is played on a clock; made by ``TimeDiagram/play(on:tick:)``.
  public struct Playback: AsyncSequence, Sendable {
    /// The sign of an event.
    public typealias Element = Character

    let diagram: TimeDiagram
    let clock: AnyClock<Duration>
    let tick: Duration

    /// Starts to play.
    public func makeAsyncIterator() -> Iterator {
      Iterator(rest: diagram.events[...], end: diagram.end, clock: clock, tick: tick)
    }

    /// One playback of a diagram.
    public struct Iterator: AsyncIteratorProtocol, Sendable {
      var rest: ArraySlice<Event>
      let end: Int?
      let clock: AnyClock<Duration>
      let tick: Duration
      var start: WallInstant?

      /// Waits for the next event; `nil` at the end.
      public mutating func next() async -> Character? {
        let start = self.start ?? clock.now
        self.start = start
        let event = rest.popFirst()
        let due = (event?.tick ?? end).map { start.advanced(by: tick, times: Int128($0)) } ?? .max
        // A test clock suspends a task that sleeps until now until the next advance, but an event that is due now happens now.
        if due > clock.now {
          do { try await clock.sleep(until: due, tolerance: nil) } catch { return nil }
        }
        return event?.label
      }
    }
  }
}
