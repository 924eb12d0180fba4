extension Zone {
  /// The instants at which clocks in the zone show `civil`: one, none or two.
  public func instants(of civil: CivilDateTime) -> CivilResolution {
    let local = Int64(civil.secondsSinceEpoch)
    let bounds = ZoneLimits.offsets
    var index = storage.index(at: Self.nanoseconds(local - Int64(bounds.upperBound)))
    let last = storage.index(at: Self.nanoseconds(local - Int64(bounds.lowerBound)))

    var first: WallInstant?
    var gap: Int?
    while index <= last {
      let offset = Int64(storage.offsets[index])
      // Every change falls on a whole second, so seconds decide.
      let isAfterStart = index == 0 || local - offset >= startSeconds(of: index)
      let isBeforeEnd = index + 1 == storage.starts.count || local - offset < startSeconds(of: index + 1)
      if isAfterStart, isBeforeEnd {
        guard let instant = civil.instant(offset: Int(offset)) else { return .outOfRange }
        if let first { return .fold(first: first, second: instant) }
        first = instant
      } else if isAfterStart, local < startSeconds(of: index + 1) + Int64(storage.offsets[index + 1]) {
        gap = index + 1
      }
      index += 1
    }
    if let first { return .one(first) }
    return gap.map { self.gap(at: $0, around: civil) } ?? .outOfRange
  }

  private func gap(at index: Int, around civil: CivilDateTime) -> CivilResolution {
    guard let later = civil.instant(offset: Int(storage.offsets[index - 1])),
      let earlier = civil.instant(offset: Int(storage.offsets[index]))
    else { return .outOfRange }
    return .gap(
      transition: WallInstant(nanosecondsSinceEpoch: storage.starts[index]), byOffsetBefore: later,
      byOffsetAfter: earlier)
  }

  private func startSeconds(of index: Int) -> Int64 {
    storage.starts[index].flooredQuotient(by: 1_000_000_000)
  }

  private static func nanoseconds(_ seconds: Int64) -> Int64 {
    WallInstant(secondsSinceEpoch: seconds).nanosecondsSinceEpoch
  }
}

/// The instants of a civil time in a zone: usually one, but clock changes skip times and show some twice.
public enum CivilResolution: Sendable, Hashable {
  /// Clocks show the time once.
  case one(WallInstant)
  /// Clocks never show the time: they were put forward over it at `transition`.
  ///
  /// Read with the offset before the change, the time lies after the change (02:30 becomes 03:30). Read with the
  /// offset after the change, it lies before the change (02:30 becomes 01:30).
  case gap(transition: WallInstant, byOffsetBefore: WallInstant, byOffsetAfter: WallInstant)
  /// Clocks show the time twice: they were put back in between.
  case fold(first: WallInstant, second: WallInstant)
  /// The time lies outside the years of instants.
  case outOfRange
}
