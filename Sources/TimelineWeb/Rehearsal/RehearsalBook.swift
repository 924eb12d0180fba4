import TimelineCore

/// The rehearsals that were looked at last, by their begins. It is a cache alone: one that is not in it begins anew.
struct RehearsalBook {
  private var rehearsals: [Rehearsal] = []

  /// The rehearsal that begins at `instant`, if it is kept.
  func rehearsal(at instant: WallInstant) -> Rehearsal? {
    rehearsals.last { $0.start.isSameMillisecond(as: instant) }
  }

  /// Keeps a rehearsal, in the place of what was kept of it; of too many the one goes that was looked at first.
  mutating func keep(_ rehearsal: Rehearsal) {
    rehearsals.removeAll { $0.start.isSameMillisecond(as: rehearsal.start) }
    if rehearsals.count == WebLimits.rehearsalsKeptMax { rehearsals.removeFirst() }
    for index in rehearsals.indices { rehearsals[index].shrink() }
    rehearsals.append(rehearsal)
  }
}

extension WallInstant {
  /// Whether a page, which has milliseconds, has the same number for both.
  fileprivate func isSameMillisecond(as other: WallInstant) -> Bool {
    nanosecondsSinceEpoch.flooredQuotient(by: 1_000_000)
      == other.nanosecondsSinceEpoch.flooredQuotient(by: 1_000_000)
  }
}
