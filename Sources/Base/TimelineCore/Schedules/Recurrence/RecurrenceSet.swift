/// The matches of a week, month or year, from which positions choose: the matching days of each month, each at all times of the rule.
struct RecurrenceSet {
  // A year of weeks lies in at most fourteen months.
  private var days = InlineArray<14, UInt64>(repeating: 0)
  private var daysBefore = InlineArray<14, Int>(repeating: 0)
  private var monthCount = 0
  /// The number of matches.
  private(set) var size = 0

  init(of search: RecurrenceSearch, in period: Range<Int>) {
    var month = CivilMonth(holding: period.lowerBound)
    while month.dayBefore + 1 < period.upperBound {
      var set = search.days(in: month)
      set &= ~0 << max(period.lowerBound - month.dayBefore, 0)
      set &= 1 << min(period.upperBound - month.dayBefore, 63) - 1
      (days[monthCount], daysBefore[monthCount]) = (set, month.dayBefore)
      monthCount += 1
      size += set.nonzeroBitCount * search.times.count
      month.advance()
    }
  }

  /// Returns the number of matches earlier than `time`.
  func rank(of time: Int, _ times: [Int]) -> Int {
    let day = time.flooredQuotient(by: 86_400)
    var rank = 0
    for index in 0..<monthCount where day > daysBefore[index] {
      let bit = min(day - daysBefore[index], 32)
      rank += days[index].bitCount(below: bit) * times.count
      if days[index] >> UInt64(bit) & 1 == 1 { rank += times.rank(of: time - day * 86_400) }
    }
    return rank
  }

  /// Returns the match at an index below ``size``.
  func time(at index: Int, _ times: [Int]) -> Int {
    var (rank, time) = index.quotientAndRemainder(dividingBy: times.count)
    var month = 0
    while rank >= days[month].nonzeroBitCount {
      rank -= days[month].nonzeroBitCount
      month += 1
    }
    var set = days[month]
    for _ in 0..<rank { set &= set &- 1 }
    time = (daysBefore[month] + set.trailingZeroBitCount) * 86_400 + times[time]
    return time
  }
}
