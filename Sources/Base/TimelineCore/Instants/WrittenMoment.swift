/// A moment as written, before it is resolved by a zone and the current time.
enum WrittenMoment {
  /// A distance from now, negative for the past.
  case distance(ElapsedTime)
  /// A day, a time of a day, or both; `offset` is in seconds ahead of UTC, `nil` for the zone's own offset.
  case civil(day: Day?, time: Time?, offset: Int?)

  /// A day as it was written.
  enum Day: Hashable {
    case date(CivilDate)
    /// Days from today.
    case fromToday(Int)
  }

  /// A time of the day.
  struct Time: Hashable {
    var time: CivilTime
    /// The length of the stretch that the text names.
    var precision: ElapsedTime
  }
}

extension WrittenMoment {
  /// Returns the moment for a reader in `zone` at `now`.
  func moment(now: WallInstant, in zone: Zone) throws(MomentReader.Failure) -> Moment {
    switch self {
    case .distance(let length):
      return Moment(now + length)
    case .civil(let day, let time, let offset):
      let place = Place(zone: zone, offset: offset)
      let today = place.date(at: now)
      switch (day, time) {
      case (let day?, let time?):
        return try place.moment(of: Self.date(day, today: today), time)
      case (let day?, nil):
        return try place.moment(of: Self.date(day, today: today))
      case (nil, let time?):
        return try place.last(time, atOrBefore: now, today: today)
      case (nil, nil):
        preconditionFailure("the reader gives a day or a time")
      }
    }
  }

  private static func date(_ day: Day, today: CivilDate) throws(MomentReader.Failure) -> CivilDate {
    switch day {
    case .date(let date): return date
    case .fromToday(let days):
      guard let date = CivilDate(daysSinceEpoch: today.daysSinceEpoch + days) else { throw Place.outOfRange }
      return date
    }
  }
}

/// The reference of a civil time: a zone, or a fixed offset from UTC.
private struct Place {
  let zone: Zone
  let offset: Int?

  static let outOfRange = MomentReader.Failure(
    offset: 0, reason: "it lies outside \(WallInstant.min) to \(WallInstant.max)")

  func date(at instant: WallInstant) -> CivilDate {
    CivilDateTime(instant, offset: offset ?? zone.offset(at: instant)).date
  }

  /// A whole day, from its first instant to the first instant of the next day.
  func moment(of date: CivilDate) throws(MomentReader.Failure) -> Moment {
    guard let next = CivilDate(daysSinceEpoch: date.daysSinceEpoch + 1) else { throw Self.outOfRange }
    return Moment(stretches: [try midnight(of: date)..<midnight(of: next)])
  }

  func moment(of date: CivilDate, _ time: WrittenMoment.Time) throws(MomentReader.Failure) -> Moment {
    let civil = CivilDateTime(date: date, time: time.time)
    switch resolution(of: civil) {
    case .one(let instant):
      return Moment(stretches: [stretch(instant, time)])
    case .fold(let first, let second):
      return Moment(stretches: [stretch(first, time), stretch(second, time)], oddity: .shownTwice(civil))
    case .gap(let transition, let later, _):
      return Moment(
        stretches: [transition..<transition + .nanoseconds(1), stretch(later, time)],
        oddity: .skipped(civil, transition: transition))
    case .outOfRange:
      throw Self.outOfRange
    }
  }

  /// The last time a clock showed `time`; `today` is the day at `now`.
  func last(
    _ time: WrittenMoment.Time, atOrBefore now: WallInstant, today: CivilDate
  ) throws(MomentReader.Failure) -> Moment {
    for days in [0, -1] {
      guard let date = CivilDate(daysSinceEpoch: today.daysSinceEpoch + days) else { throw Self.outOfRange }
      let moment = try moment(of: date, time)
      let past = moment.stretches.filter { $0.lowerBound <= now }
      if !past.isEmpty { return Moment(stretches: past, oddity: moment.oddity) }
    }
    throw Self.outOfRange
  }

  private func midnight(of date: CivilDate) throws(MomentReader.Failure) -> WallInstant {
    switch resolution(of: CivilDateTime(date: date, time: .midnight)) {
    case .one(let instant), .fold(let instant, _), .gap(let instant, _, _): return instant
    case .outOfRange: throw Self.outOfRange
    }
  }

  private func resolution(of civil: CivilDateTime) -> CivilResolution {
    guard let offset else { return zone.instants(of: civil) }
    return civil.instant(offset: offset).map { .one($0) } ?? .outOfRange
  }

  private func stretch(_ instant: WallInstant, _ time: WrittenMoment.Time) -> Range<WallInstant> {
    instant..<max(instant, instant + time.precision)
  }
}
