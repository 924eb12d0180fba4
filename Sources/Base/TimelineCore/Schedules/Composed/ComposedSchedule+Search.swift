// Searches over all rules of a union.
extension ComposedSchedule.Storage {
  /// The first instant strictly later than `instant` at which any rule has an entry.
  func nextOfAny(after instant: WallInstant) -> WallInstant? {
    var found: WallInstant?
    for member in members {
      guard let next = member.next(after: instant) else { continue }
      found = found.map { min($0, next) } ?? next
    }
    return found
  }

  /// The last instant not later than `instant` at which any rule has an entry.
  func latestOfAny(atOrBefore instant: WallInstant) -> WallInstant? {
    var found: WallInstant?
    for member in members {
      guard let latest = member.latest(atOrBefore: instant) else { continue }
      found = found.map { max($0, latest) } ?? latest
    }
    return found
  }

  /// Returns the number of instants in (`start`, `end`] at which any rule has an entry, clamped to `Int.max`.
  ///
  /// The entries of the densest rule are counted; the entries of the other rules are checked one by one.
  func countOfAny(after start: WallInstant, through end: WallInstant) -> Int {
    if members.count == 1 { return countOfRule(0, after: start, through: end) }
    let counts = members.indices.map { countOfRule($0, after: start, through: end) }
    let densest = counts.indices.max { counts[$0] < counts[$1] } ?? 0
    var total = counts[densest]
    for index in members.indices where index != densest && counts[index] > 0 {
      var instant = start
      while let next = members[index].next(after: instant), next <= end {
        instant = next
        let isCounted = members.indices.contains { other in
          (other < index || other == densest) && members[other].latest(atOrBefore: next) == next
        }
        if !isCounted { total = total.addingClamped(1) }
      }
    }
    return total
  }
}

extension ComposedSchedule.Storage {
  /// The number of entries in (`start`, `end`] of all rules, without regard to windows. An instant counts for each rule, so that it is
  /// quick to find.
  func countOfEach(after start: WallInstant, through end: WallInstant) -> Int {
    var total = 0
    for index in members.indices {
      total = total.addingClamped(countOfRule(index, after: start, through: end))
    }
    return total
  }

  @inline(never)
  private func countOfRule(_ index: Int, after start: WallInstant, through end: WallInstant) -> Int {
    members[index].count(after: start, through: end)
  }
}

// Entries in open windows, without regard to bounds and picks.
extension ComposedSchedule.Storage {
  /// The first entry after `instant`, at most `last`, that windows let through.
  func nextOpen(
    after instant: WallInstant, through last: WallInstant = .max, _ entries: inout MemberEntries
  ) -> WallInstant? {
    var lower = instant
    for _ in 0..<ComposedSchedule.stepCountMax {
      guard let candidate = entries.next(after: lower, of: self), candidate <= last else { return nil }
      if access(at: candidate).isOpen { return candidate }
      guard let opening = closed(from: candidate) else { return nil }
      lower = opening - .nanoseconds(1)
    }
    return nil
  }

  /// The last entry not later than `instant`, at least `first`, that windows let through.
  func latestOpen(
    atOrBefore instant: WallInstant, from first: WallInstant = .min, _ entries: inout MemberEntries
  ) -> WallInstant? {
    var upper = instant
    for _ in 0..<ComposedSchedule.stepCountMax {
      guard let candidate = entries.latest(atOrBefore: upper, of: self), candidate >= first else {
        return nil
      }
      if access(at: candidate).isOpen { return candidate }
      guard let closing = closed(through: candidate), closing > .min else { return nil }
      upper = closing - .nanoseconds(1)
    }
    return nil
  }

  /// Returns the number of entries in (`start`, `end`] that windows let through.
  func countOpen(after start: WallInstant, through end: WallInstant) -> Int {
    var (total, lower) = (0, start)
    while let candidate = nextOfAny(after: lower), candidate <= end {
      let isOpen = access(at: candidate).isOpen
      let edge = isOpen ? nextEdge(after: candidate) : closed(from: candidate)
      let last = edge.map { min($0 - .nanoseconds(1), end) } ?? end
      if isOpen { total = total.addingClamped(countOfAny(after: lower, through: last)) }
      lower = last
    }
    return total
  }
}

extension ComposedSchedule {
  /// Whether windows or a rule can leave anything out.
  var mayOmit: Bool {
    !storage.conditions.only.isEmpty || !storage.conditions.except.isEmpty
      || storage.members.contains(where: \.mayOmit)
  }

  /// Returns the instants in (`start`, `end`] that windows exclude or that rules omit by themselves, ascending.
  ///
  /// Omissions of daylight saving can overlap entries of other rules of a union. At most ``stepCountMax`` edges of
  /// windows are checked.
  func omissions(after start: WallInstant, through end: WallInstant) -> [Omission] {
    let (lower, upper) = (max(start, storage.start - .nanoseconds(1)), min(end, storage.end))
    guard lower < upper, mayOmit else { return [] }
    var rows = excluded(after: lower, through: upper)
    for member in storage.members where member.mayOmit {
      rows += member.omissions(after: lower, through: upper).filter { omission in
        // Excludes omissions outside of the windows, and instants at which another rule has an entry.
        storage.access(at: omission.first).isOpen
          && (omission.first != omission.last
            || storage.latestOfAny(atOrBefore: omission.first) != omission.first
              && (storage.reach == nil || latest(atOrBefore: omission.first) != omission.first))
      }
    }
    return rows.sorted { ($0.first, $0.last) < ($1.first, $1.last) }
  }

  private func excluded(after start: WallInstant, through end: WallInstant) -> [Omission] {
    var rows: [Omission] = []
    var lower = start
    var isNewRow = true
    for _ in 0..<Self.stepCountMax {
      guard let candidate = storage.nextOfAny(after: lower), candidate <= end else { break }
      let (isOpen, exception) = storage.access(at: candidate)
      let edge = storage.nextEdge(after: candidate)
      var upper = edge.map { min($0 - .nanoseconds(1), end) } ?? end
      if isOpen {
        isNewRow = true
      } else {
        var reason = self.reason(at: candidate, exception: exception)
        // Each entry moves by itself.
        if let words = moveWords(of: candidate) { (upper, reason) = (candidate, "\(reason); \(words)") }
        let last = storage.latestOfAny(atOrBefore: upper) ?? candidate
        let count = storage.countOfAny(after: lower, through: upper)
        if !isNewRow, let row = rows.last, row.reason == reason {
          rows[rows.count - 1].last = last
          rows[rows.count - 1].count = row.count.addingClamped(count)
        } else {
          rows.append(
            Omission(first: candidate, last: last, count: count, outcome: .excluded, reason: reason))
        }
        isNewRow = false
      }
      lower = upper
    }
    return rows
  }

  /// Returns the reason why windows exclude `instant`, without its move.
  func reason(at instant: WallInstant, exception: Int?) -> String {
    reason(
      atLocal: Int(instant.wholeSeconds.seconds) + storage.zone.offset(at: instant), exception: exception)
  }

  /// Returns the reason why windows exclude a local time, in seconds since 1970.
  func reason(atLocal local: Int, exception: Int?) -> String {
    let conditions = storage.conditions
    guard let exception else {
      return "outside " + conditions.only.map { "\"\($0)\"" }.joined(separator: " and ")
    }
    let window = conditions.except[exception]
    let date = CivilDate(uncheckedDaysSinceEpoch: local.flooredQuotient(by: 86_400))
    guard case .holidays(let list) = window.days, let index = list.index(of: date.daysSinceEpoch) else {
      return "within \"\(window)\""
    }
    let label = list.labels[index]
    return label.isEmpty
      ? "\(date) is one of the holidays \(list.name)"
      : "\(date) is \(label), one of the holidays \(list.name)"
  }
}

extension ComposedSchedule {
  /// The parts of the rules that ``description`` leaves out, and the days of the holidays.
  var undescribedParts: [String] {
    storage.members.flatMap { ["rule"] + $0.undescribedParts }
      + (storage.conditions.only + storage.conditions.except).flatMap { window -> [String] in
        guard case .holidays(let list) = window.days else { return [] }
        return ["list"] + list.days.map(String.init)
      }
  }
}

extension DaylightSavingPolicy {
  /// Choices of the policy that differ from the default.
  var parts: [String] {
    (gap == Self().gap ? [] : ["gap \(gap.rawValue)"])
      + (fold == Self().fold ? [] : ["fold \(fold.rawValue)"])
  }
}
