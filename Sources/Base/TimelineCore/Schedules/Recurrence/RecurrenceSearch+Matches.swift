// Matches of the rule, with those that are added and without those that are left out.
extension RecurrenceSearch {
  /// The first match from `time` on, if it is not later than `limit`; never allocates.
  func first(atOrAfter time: Int, through limit: Int) -> Int? {
    var found = firstOfRule(atOrAfter: time, through: limit)
    if let match = found, let index = index(ofRemoved: match) {
      found = laterThanRemoved[index] <= limit ? laterThanRemoved[index] : nil
    }
    let index = added.rank(of: time)
    guard index < added.count, added[index] <= limit else { return found }
    return min(found ?? .max, added[index])
  }

  /// The last match up to `time`, if it is not earlier than `limit`; never allocates.
  func last(atOrBefore time: Int, from limit: Int) -> Int? {
    var found = lastOfRule(atOrBefore: time, from: limit)
    if let match = found, let index = index(ofRemoved: match) {
      found = earlierThanRemoved[index] >= limit ? earlierThanRemoved[index] : nil
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

  private func index(ofRemoved time: Int) -> Int? {
    let index = removed.rank(of: time)
    return index < removed.count && removed[index] == time ? index : nil
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
      let set = RecurrenceSet(of: self, in: period)
      let index = firstChosen(from: set.rank(of: time, times), of: set.size)
      if index < set.size {
        let found = set.time(at: index, times)
        return found <= limit ? found : nil
      }
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
      let set = RecurrenceSet(of: self, in: period)
      let index = lastChosen(before: set.rank(of: time + 1, times), of: set.size)
      if index >= 0 {
        let found = set.time(at: index, times)
        return found >= limit ? found : nil
      }
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
        let set = RecurrenceSet(of: self, in: period)
        let limit = set.rank(of: last + 1, times)
        var index = firstChosen(from: set.rank(of: first, times), of: set.size)
        while index < limit {
          total += 1
          index = firstChosen(from: index + 1, of: set.size)
        }
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

  /// Returns the first index, from `begin` on, that ``positions`` choose in a set of a size; `size` or more for none.
  private func firstChosen(from begin: Int, of size: Int) -> Int {
    let fromStart = positions.rank(of: begin + 1)
    let fromEnd = positions.rank(of: begin - size)
    let index = fromStart < positions.count ? positions[fromStart] - 1 : size
    guard fromEnd < positions.count, positions[fromEnd] < 0 else { return index }
    return min(index, size + positions[fromEnd])
  }

  /// Returns the last index before `end` that ``positions`` choose in a set of a size; less than 0 for none.
  private func lastChosen(before end: Int, of size: Int) -> Int {
    let fromStart = positions.rank(of: end + 1) - 1
    let fromEnd = positions.rank(of: end - size) - 1
    let index = fromStart >= 0 ? positions[fromStart] - 1 : -1
    return fromEnd >= 0 ? max(index, size + positions[fromEnd]) : index
  }
}
