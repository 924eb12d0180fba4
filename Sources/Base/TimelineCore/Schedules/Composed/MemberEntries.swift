/// The entry of each rule of a union that a search comes to next. A rule is asked again only once the search has passed its entry, so that a
/// rule with few entries is not searched for each entry of the others.
struct MemberEntries {
  private var entries = InlineArray<64, WallInstant>(repeating: .max)
  /// The instant of the last question.
  private var place: WallInstant?

  /// The first instant after `instant` at which any rule has an entry; fast for ascending questions.
  mutating func next(after instant: WallInstant, of storage: ComposedSchedule.Storage) -> WallInstant? {
    let members = storage.members
    if members.count == 1 { return members[0].next(after: instant) }
    let isAscending = place.map { $0 <= instant } ?? false
    place = instant
    var first = WallInstant.max
    for index in members.indices {
      if !isAscending || entries[index] <= instant {
        entries[index] = members[index].next(after: instant) ?? .max
      }
      first = min(first, entries[index])
    }
    // The last of all instants stands for no entry.
    return first < .max ? first : storage.nextOfAny(after: instant)
  }

  /// The last instant not later than `instant` at which any rule has an entry; fast for descending questions.
  mutating func latest(
    atOrBefore instant: WallInstant, of storage: ComposedSchedule.Storage
  ) -> WallInstant? {
    let members = storage.members
    if members.count == 1 { return members[0].latest(atOrBefore: instant) }
    let isDescending = place.map { $0 >= instant } ?? false
    place = instant
    var last = WallInstant.min
    for index in members.indices {
      if !isDescending || entries[index] > instant {
        entries[index] = members[index].latest(atOrBefore: instant) ?? .min
      }
      last = max(last, entries[index])
    }
    // The first of all instants stands for no entry.
    return last > .min ? last : storage.latestOfAny(atOrBefore: instant)
  }
}
