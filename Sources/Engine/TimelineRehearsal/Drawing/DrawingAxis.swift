package import TimelineCore

/// The time axis of a drawing, in the zone of the display.
package struct DrawingAxis: Sendable, Equatable {
  /// A labeled position.
  package struct Tick: Sendable, Equatable {
    /// Position in tenths of a pixel.
    package var x: Int
    package var label: String
  }

  /// A clock change of a zone.
  package struct ClockChange: Sendable, Equatable {
    /// Position in tenths of a pixel.
    package var x: Int
    package var instant: WallInstant
    /// Text such as `CET → CEST, +1h`.
    package var label: String
  }

  /// Zone in which ticks are round.
  package var zone: Zone
  /// Round local times, ascending.
  package var ticks: [Tick] = []
  /// Days, months or years that the ticks are part of; the first begins at the left edge.
  package var contexts: [Tick] = []
  /// Saturdays and Sundays, if a day is wide enough to be visible.
  package var weekends: [DrawingSpan] = []
  /// Clock changes of ``zone``.
  package var clockChanges: [ClockChange] = []

  /// Maximum number of clock changes that are shown: the changes of ten years. More lines would hide the runs.
  package static let clockChangesMax = 20
  /// Maximum number of ticks: a tick has at least four pixels, in any zone.
  private static let ticksMax = 400
  /// Minimum width of a day, in pixels, at which weekends are shaded.
  private static let shadedDayWidth = 8

  /// Makes the axis of a window.
  package init(_ scale: DrawingScale, in zone: Zone) {
    self.zone = zone
    let step = AxisStep(for: scale)
    ticks = Self.positions(of: step, scale, zone).map { tick in
      Tick(x: scale.x(tick.instant), label: step.label(tick.civil))
    }
    contexts = Self.contexts(of: step, scale, zone)
    weekends = Self.weekends(scale, zone)
    clockChanges = Self.clockChanges(of: zone, in: scale)
  }

  /// Returns the instants of the ticks of `step` in the window. If ticks are times of the day, a repeated time has two ticks
  /// and a skipped time has none. If ticks are days or longer, a repeated midnight has one tick, at its first instant. A
  /// skipped midnight has its tick at the clock change, at which the day begins.
  private static func positions(
    of step: AxisStep, _ scale: DrawingScale, _ zone: Zone
  ) -> [(instant: WallInstant, civil: CivilDateTime)] {
    var result: [(instant: WallInstant, civil: CivilDateTime)] = []
    let shown = Self.civilTimes(scale, zone)
    for civil in step.ticks(from: shown.lowerBound) {
      guard civil <= shown.upperBound, result.count < ticksMax else { break }
      var instants: [WallInstant]
      switch zone.instants(of: civil) {
      case .one(let instant): instants = [instant]
      case .fold(let first, let second): instants = step.isOfTime ? [first, second] : [first]
      case .gap(let transition, _, _): instants = step.isOfTime ? [] : [transition]
      case .outOfRange: instants = []
      }
      instants.removeAll { $0 < scale.from || $0 >= scale.until }
      result += instants.map { ($0, civil) }
    }
    return result.sorted(on: \.instant)
  }

  /// Returns the range of local times in the window. The range is slightly longer if clocks go back near an edge.
  private static func civilTimes(_ scale: DrawingScale, _ zone: Zone) -> ClosedRange<CivilDateTime> {
    var (first, last) = (zone.civil(at: scale.from), zone.civil(at: scale.until))
    if first > last { (first, last) = (last, first) }
    var instant = scale.from
    while let next = zone.nextTransition(after: instant), next < scale.until {
      first = min(first, zone.civil(at: next))
      last = max(last, zone.civil(at: next - .nanoseconds(1)))
      instant = next
    }
    return first...last
  }

  private static func contexts(of step: AxisStep, _ scale: DrawingScale, _ zone: Zone) -> [Tick] {
    guard let larger = step.larger else { return [] }
    let begins = positions(of: larger, scale, zone).filter { $0.instant > scale.from }
    return [Tick(x: 0, label: step.context(zone.civil(at: scale.from).date))]
      + begins.map { Tick(x: scale.x($0.instant), label: step.context($0.civil.date)) }
  }

  private static func weekends(_ scale: DrawingScale, _ zone: Zone) -> [DrawingSpan] {
    guard scale.pixels(86_400_000_000_000) >= shadedDayWidth else { return [] }
    var spans: [DrawingSpan] = []
    let midnights = positions(of: .days(1), scale, zone).map(\.instant).filter { $0 > scale.from }
    for day in [scale.from] + midnights {
      let weekday = zone.civil(at: day).date.weekday
      if weekday == .saturday || weekday == .sunday && spans.isEmpty {
        spans.append(DrawingSpan(scale.x(day), scale.width))
      } else if weekday == .monday, let last = spans.indices.last {
        spans[last].end = scale.x(day)
      }
    }
    return spans.filter { $0.width > 0 }
  }

  /// Returns the clock changes of `zone` in a window; none if there are too many.
  package static func clockChanges(of zone: Zone, in scale: DrawingScale) -> [ClockChange] {
    var changes: [ClockChange] = []
    var instant = scale.from
    while let next = zone.nextTransition(after: instant), next < scale.until {
      let before = next - .nanoseconds(1)
      let (old, new) = (zone.abbreviation(at: before), zone.abbreviation(at: next))
      let shift = ElapsedTime.seconds(Int64(zone.offset(at: next) - zone.offset(at: before)))
      let names = old == new ? new : "\(old) → \(new)"
      if shift != .zero {
        let label = "\(names), \(shift > .zero ? "+" : "−")\((shift > .zero ? shift : .zero - shift))"
        changes.append(ClockChange(x: scale.x(next), instant: next, label: label))
      }
      guard changes.count <= clockChangesMax else { return [] }
      instant = next
    }
    return changes
  }
}

extension AxisStep {
  /// Whether the ticks are times of day.
  fileprivate var isOfTime: Bool {
    if case .seconds = self { true } else { false }
  }

  /// The step from one context to the next.
  fileprivate var larger: AxisStep? {
    switch self {
    case .seconds: .days(1)
    case .days: .months(1)
    case .months: .years(1)
    case .years: nil
    }
  }
}
