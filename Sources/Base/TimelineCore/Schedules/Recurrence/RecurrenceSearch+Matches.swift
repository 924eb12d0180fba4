// Matches of the rule, with those that are added and without those that are left out.
extension RecurrenceSearch {
  /// The first match from `time` on, if it is not later than `limit`; never allocates.
  func first(atOrAfter time: Int, through limit: Int) -> Int? {
    var found = firstOfRule(atOrAfter: time, through: limit)
    while let match = found, contains(removed, match) {
      found = firstOfRule(atOrAfter: match + 1, through: limit)
    }
    let index = added.rank(of: time)
    guard index < added.count, added[index] <= limit else { return found }
    return min(found ?? .max, added[index])
  }

  /// The last match up to `time`, if it is not earlier than `limit`; never allocates.
  func last(atOrBefore time: Int, from limit: Int) -> Int? {
    var found = lastOfRule(atOrBefore: time, from: limit)
    while let match = found, contains(removed, match) {
      found = lastOfRule(atOrBefore: match - 1, from: limit)
    }
    let index = added.rank(of: time + 1) - 1
    guard index >= 0, added[index] >= limit else { return found }
    return max(found ?? .min, added[index])
  }

  /// Returns the number of matches from `first` through `last`.
  func count(from first: Int, through last: Int) -> Int {
    guard first <= last else { return 0 }
    func number(_ times: [Int]) -> Int { times.rank(of: last + 1) - times.rank(of: first) }
    return countOfRule(from: first, through: last) + number(added) - number(removed)
  }

  private func contains(_ times: [Int], _ time: Int) -> Bool {
    let index = times.rank(of: time)
    return index < times.count && times[index] == time
  }

  /// Whether `time` is a match of the rule.
  func isMatch(_ time: Int) -> Bool { firstOfRule(atOrAfter: time, through: time) != nil }

  func firstOfRule(atOrAfter time: Int, through limit: Int) -> Int? {
    let (time, limit) = (max(time, begin), min(limit, end))
    if unit > 0 { return step(from: time, through: limit, isForward: true) }
    let lastDay = limit.flooredQuotient(by: 86_400)
    var today = time.flooredQuotient(by: 86_400)
    while let day = firstDay(atOrAfter: today, through: lastDay) {
      if positions.isEmpty {
        let index = day == today ? times.rank(of: time - today * 86_400) : 0
        guard index < times.count else {
          today += 1
          continue
        }
        let found = day * 86_400 + times[index]
        return found <= limit && found >= time ? found : nil
      }
      let period = period(holding: day)
      let chosen = choice(in: period, from: time, through: limit)
      if chosen.count > 0 { return chosen.first }
      today = period.upperBound
    }
    return nil
  }

  func lastOfRule(atOrBefore time: Int, from limit: Int) -> Int? {
    let (time, limit) = (min(time, end), max(limit, begin))
    if unit > 0 { return step(from: time, through: limit, isForward: false) }
    let firstDay = limit.flooredQuotient(by: 86_400)
    var today = time.flooredQuotient(by: 86_400)
    while let day = lastDay(atOrBefore: today, from: firstDay) {
      if positions.isEmpty {
        let index = (day == today ? times.rank(of: time - today * 86_400 + 1) : times.count) - 1
        guard index >= 0 else {
          today -= 1
          continue
        }
        let found = day * 86_400 + times[index]
        return found >= limit && found <= time ? found : nil
      }
      let period = period(holding: day)
      let chosen = choice(in: period, from: limit, through: time)
      if chosen.count > 0 { return chosen.last }
      today = period.lowerBound - 1
    }
    return nil
  }

  /// Returns the number of matches of the rule, in one step for each month, or for each set if the rule chooses from sets.
  func countOfRule(from first: Int, through last: Int) -> Int {
    let (first, last) = (max(first, begin), min(last, end))
    guard first <= last else { return 0 }
    if unit > 0 { return stepCount(from: first, through: last) }
    let (begin, end) = (first.flooredQuotient(by: 86_400), last.flooredQuotient(by: 86_400))
    var total = 0
    if !positions.isEmpty {
      var today = begin
      while let day = firstDay(atOrAfter: today, through: end) {
        let period = period(holding: day)
        total += choice(in: period, from: first, through: last).count
        today = period.upperBound
      }
      return total
    }
    var month = CivilMonth(holding: begin)
    while month.dayBefore < end {
      var days = days(in: month)
      if begin > month.dayBefore { days &= ~0 << UInt64(begin - month.dayBefore) }
      if end - month.dayBefore <= month.dayCount { days &= 2 << UInt64(end - month.dayBefore) - 1 }
      total += days.nonzeroBitCount * times.count
      month.advance(toOneOf: monthBits)
    }
    if firstDay(atOrAfter: begin, through: begin) != nil { total -= times.rank(of: first - begin * 86_400) }
    if firstDay(atOrAfter: end, through: end) != nil {
      total -= times.count - times.rank(of: last - end * 86_400 + 1)
    }
    return total
  }

  /// Returns the elements of the set of a period that ``positions`` choose, from `low` through `high`: the first, the last and
  /// their number.
  private func choice(in period: Range<Int>, from low: Int, through high: Int) -> (
    first: Int, last: Int, count: Int
  ) {
    // A year of weeks lies in at most fourteen months.
    var days = InlineArray<14, UInt64>(repeating: 0)
    var daysBefore = InlineArray<14, Int>(repeating: 0)
    var (used, dayCount) = (0, 0)
    var month = CivilMonth(holding: period.lowerBound)
    while month.dayBefore + 1 < period.upperBound {
      var set = self.days(in: month)
      set &= ~0 << max(period.lowerBound - month.dayBefore, 0)
      set &= 1 << min(period.upperBound - month.dayBefore, 63) - 1
      (days[used], daysBefore[used]) = (set, month.dayBefore)
      used += 1
      dayCount += set.nonzeroBitCount
      month.advance()
    }
    let size = dayCount * times.count
    var chosen = (first: Int.max, last: Int.min, count: 0)
    for position in positions {
      let index = position > 0 ? position - 1 : size + position
      // The same element can be chosen from either end.
      guard 0..<size ~= index, position > 0 || !contains(positions, index + 1) else { continue }
      var (rank, time) = index.quotientAndRemainder(dividingBy: times.count)
      var slot = 0
      while rank >= days[slot].nonzeroBitCount {
        rank -= days[slot].nonzeroBitCount
        slot += 1
      }
      var set = days[slot]
      for _ in 0..<rank { set &= set &- 1 }
      time = (daysBefore[slot] + set.trailingZeroBitCount) * 86_400 + times[time]
      guard low <= time, time <= high else { continue }
      chosen = (min(chosen.first, time), max(chosen.last, time), chosen.count + 1)
    }
    return chosen
  }
}
