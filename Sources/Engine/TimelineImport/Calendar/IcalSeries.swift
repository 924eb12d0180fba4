import TimelineCore

/// An event with the events that replace times of it.
struct IcalSeries {
  /// The event itself; `nil` if the file has only replaced times.
  var main: IcalEvent?
  /// Events with a RECURRENCE-ID, in the order of the file.
  var overrides: [IcalEvent] = []
  /// Further events with the same UID.
  var doubles: [IcalEvent] = []

  /// Groups the events of a file by UID, in the order of the file. Each event without a UID is a series of its own.
  static func all(of events: [IcalEvent]) -> [IcalSeries] {
    var all: [IcalSeries] = []
    var places: [String: Int] = [:]
    for event in events {
      let place = places[event.uid] ?? all.count
      if place == all.count { all.append(IcalSeries()) }
      if !event.uid.isEmpty { places[event.uid] = place }
      if event.isOverride {
        all[place].overrides.append(event)
      } else if all[place].main == nil {
        all[place].main = event
      } else {
        all[place].doubles.append(event)
      }
    }
    return all
  }

  /// The events that make the job.
  var events: [IcalEvent] { (main.map { [$0] } ?? []) + overrides }

  /// The event whose summary and start the job has.
  var first: IcalEvent? { main ?? overrides.first }
}

extension IcalSeries {
  /// Moments of a series on the clocks of its job.
  struct Clocks {
    /// The zone of the job; that of the machine for times without a zone.
    let zone: Zone
    /// The key `time-zone` of the job; `nil` for times without a zone.
    let zoneName: String?
    let start: IcalMoment
    let context: IcalContext

    init(of start: IcalMoment, in context: IcalContext) throws(IcalObstacle) {
      (self.start, self.context) = (start, context)
      switch start.clock {
      case .day, .floating: (zone, zoneName) = (context.machineZone, nil)
      case .utc: (zone, zoneName) = (.utc, "UTC")
      case .zone(let name):
        zone = try context.namedZone(name)
        zoneName = zone.name
      }
    }

    /// Returns the local time of a moment. A day stands for the time of the start on this day.
    ///
    /// - Throws: An instant among times without a zone has no local time.
    func local(_ moment: IcalMoment) throws(IcalObstacle) -> CivilDateTime {
      switch (moment.clock, start.clock) {
      case (.day, _): return CivilDateTime(date: moment.civil.date, time: start.civil.time)
      case (.floating, _): return moment.civil
      case (let own, let clock) where own == clock: return moment.civil
      // Midnight in some zone is a usual way to write a day.
      case (_, .day) where moment.civil.time == start.civil.time: return moment.civil
      case (_, .day), (_, .floating):
        throw IcalObstacle(
          reason: "\(moment.civil) has a zone, and DTSTART has none: write both with a zone, or both without")
      default:
        guard let instant = try instant(moment) else { throw Self.late }
        return zone.civil(at: instant)
      }
    }

    /// Returns a moment as a point of a proof. It does not use the local time of the job where the moment has a zone.
    func point(_ moment: IcalMoment) throws(IcalObstacle) -> IcalExpansion.Point {
      if case .day = start.clock { return .local(try local(moment)) }
      guard let instant = try instant(moment) else { return .local(try local(moment)) }
      return .instant(instant)
    }

    /// Returns the instant of a moment with a zone; `nil` for a moment without one.
    private func instant(_ moment: IcalMoment) throws(IcalObstacle) -> WallInstant? {
      let instant: WallInstant?
      switch moment.clock {
      case .day, .floating: return nil
      case .utc: instant = moment.civil.instant(offset: 0)
      case .zone(let name): instant = try context.namedZone(name).calendarInstant(of: moment.civil)
      }
      guard let instant else { throw Self.late }
      return instant
    }

    static let late = IcalObstacle(reason: "a time in the years from 1678 through 2261 is expected")
  }
}
