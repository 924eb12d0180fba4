// Hours, minutes and seconds: units are counted in elapsed time from the first time. Days, hours and minutes of the rule are those
// that clocks show.
extension RecurrenceSearch {
  /// Returns the first match from `start` up to `limit`, or the last one down to it. Each step goes to the next second at which
  /// the part that does not match can match.
  func step(from start: Int, through limit: Int, isForward: Bool) -> Int? {
    let firstUnit = (begin + offset).flooredQuotient(by: unit)
    let (dayLow, dayHigh) = (
      begin.flooredQuotient(by: 86_400) - 2, Ticks<RecurrenceRule>.all.upperBound / 86_400 + 2
    )
    var second = start
    var (low, high, shift, isIdle) = (1, 0, 0, false)
    var (firstOfMonth, lastOfMonth, days) = (1, 0, 0 as UInt64)
    for _ in 0..<Self.stepMax {
      guard isForward ? second <= limit : second >= limit else { return nil }
      if second < low || second > high {
        (low, high, shift) = stretch(holding: second)
        isIdle = idleOffsets.contains(shift)
      }
      if isIdle {
        second = isForward ? high + 1 : low - 1
        continue
      }
      let ofUnit = (second + offset).flooredQuotient(by: unit)
      let past = (ofUnit - firstUnit) % interval
      if past != 0 {
        second = (ofUnit - past + (isForward ? interval : 1)) * unit - offset - (isForward ? 0 : 1)
        continue
      }
      let local = second + shift
      let day = local.flooredQuotient(by: 86_400)
      if hasDays, day < firstOfMonth || day > lastOfMonth {
        let month = CivilMonth(holding: day)
        (firstOfMonth, lastOfMonth) = (month.dayBefore + 1, month.dayBefore + month.dayCount)
        days = self.days(in: month)
      }
      let isDay = !hasDays || days >> UInt64(day - firstOfMonth + 1) & 1 == 1
      let rest = modulus > 0 ? remainder(of: second + (usesClock ? shift : offset)) : 0
      let place = LocalPlace(local: local, day: day, isDay: isDay, rest: rest)
      guard let next = isForward ? next(from: place, through: dayHigh) : last(from: place, from: dayLow)
      else {
        return nil
      }
      if next == local { return second }
      second = isForward ? min(next - shift, high + 1) : max(next - shift, low - 1)
    }
    return nil
  }

  /// A second as clocks show it, in seconds since 1970 as if there were no zone.
  private struct LocalPlace {
    var local: Int
    var day: Int
    /// Whether the rule has the day.
    var isDay: Bool
    /// Place of the second among ``RecurrenceSearch/times``.
    var rest: Int

    var time: Int { local - day * 86_400 }
    var hour: Int { time / 3_600 }
    var minute: Int { time / 60 % 60 }
  }

  /// Returns the place itself if it matches, otherwise the next one at which the part that does not match can match; `nil` without a
  /// later day.
  private func next(from place: LocalPlace, through dayHigh: Int) -> Int? {
    if !place.isDay { return firstDay(atOrAfter: place.day + 1, through: dayHigh).map { $0 * 86_400 } }
    if hourBits >> UInt64(place.hour) & 1 == 0 {
      return place.day * 86_400 + (hourBits.firstBit(from: place.hour + 1) ?? 24) * 3_600
    }
    if minuteBits >> UInt64(place.minute) & 1 == 0 {
      return place.local - place.time % 3_600 + (minuteBits.firstBit(from: place.minute + 1) ?? 60) * 60
    }
    guard modulus > 0 else { return place.local }
    let index = times.rank(of: place.rest)
    return place.local - place.rest + (index < times.count ? times[index] : modulus)
  }

  /// Returns the place itself if it matches, otherwise the last one at which the part that does not match can match; `nil` without an
  /// earlier day.
  private func last(from place: LocalPlace, from dayLow: Int) -> Int? {
    if !place.isDay { return lastDay(atOrBefore: place.day - 1, from: dayLow).map { $0 * 86_400 + 86_399 } }
    if hourBits >> UInt64(place.hour) & 1 == 0 {
      return place.day * 86_400 + (hourBits.lastBit(upTo: place.hour - 1) ?? -1) * 3_600 + 3_599
    }
    if minuteBits >> UInt64(place.minute) & 1 == 0 {
      return place.local - place.time % 3_600 + (minuteBits.lastBit(upTo: place.minute - 1) ?? -1) * 60 + 59
    }
    guard modulus > 0 else { return place.local }
    let index = times.rank(of: place.rest + 1) - 1
    return place.local - place.rest + (index >= 0 ? times[index] : -1)
  }

  /// Returns the number of matches, in one step if the rule has no days, hours and minutes.
  func stepCount(from first: Int, through last: Int) -> Int {
    let isPlain = !hasDays && hourBits == 0xFF_FFFF && minuteBits == 1 << 60 - 1 && !usesClock
    if isPlain, modulus == 0 || modulus == unit {
      return countOfUnits(before: last + 1) - countOfUnits(before: first)
    }
    var (total, second) = (0, first)
    while let found = step(from: second, through: last, isForward: true) {
      total += 1
      second = found + 1
    }
    return total
  }

  /// Returns the number of matches earlier than `second` from the start of the first unit on.
  private func countOfUnits(before second: Int) -> Int {
    let ofUnit = (second + offset).flooredQuotient(by: unit)
    let firstUnit = (begin + offset).flooredQuotient(by: unit)
    let (whole, past) = (ofUnit - firstUnit).quotientAndRemainder(dividingBy: interval)
    let perUnit = modulus == 0 ? 1 : times.count
    if past > 0 { return (whole + 1) * perUnit }
    return whole * perUnit + (modulus == 0 ? 0 : times.rank(of: second + offset - ofUnit * unit))
  }

  /// Whether a unit of the interval can match the weekday and the time that clocks show at an offset. A rule of seconds whose
  /// interval comes to too many times of a week is not looked at.
  func canMatch(at shift: Int) -> Bool {
    for length in [60, 604_800] {
      let step = Self.commonDivisor(unit * interval, length)
      guard length / step <= Self.phaseCountMax else { continue }
      let first = (begin + offset).flooredQuotient(by: unit) * unit - offset
      let phases = stride(from: first, to: first + length, by: step)
      if !phases.contains(where: { canMatch($0, shift, length) || canMatch($0 + unit - 1, shift, length) }) {
        return false
      }
    }
    return true
  }

  /// The times of a week to which the interval of a rule of minutes can come.
  private static let phaseCountMax = 10_080

  /// Whether the part of a second that repeats after `length`, 60 s or a week, can match.
  private func canMatch(_ second: Int, _ shift: Int, _ length: Int) -> Bool {
    if length == 60 { return unit > 1 || modulus == 0 || times.contains(remainder(of: second + offset)) }
    let local = second + shift
    let day = local.flooredQuotient(by: 86_400)
    let time = local - day * 86_400
    return (weekdays == 0 || weekdays >> UInt64(CivilDate.weekdayIndex(day)) & 1 == 1)
      && hourBits >> UInt64(time / 3_600) & 1 == 1 && minuteBits >> UInt64(time / 60 % 60) & 1 == 1
  }

  private static func commonDivisor(_ first: Int, _ second: Int) -> Int {
    var (divisor, rest) = (first, second)
    while rest != 0 { (divisor, rest) = (rest, divisor % rest) }
    return divisor
  }

  private var hasDays: Bool {
    monthBits != 0x1FFE || weekdays != 0 || monthDays | monthDaysFromEnd != 0 || !yearDays.isEmpty
  }

  private func remainder(of second: Int) -> Int { second - second.flooredQuotient(by: modulus) * modulus }

  /// The first and the last second of the stretch of equal offset that holds `second`, and its offset.
  private func stretch(holding second: Int) -> (Int, Int, Int) {
    let storage = zone.storage
    let index = storage.index(at: Ticks<RecurrenceRule>.nanoseconds(second))
    let first = index == 0 ? Int.min / 2 : storage.startTick(of: index, RecurrenceRule.self)
    let hasLater = index + 1 < storage.starts.count
    let last = hasLater ? storage.startTick(of: index + 1, RecurrenceRule.self) - 1 : Int.max / 2
    return (first, last, Int(storage.offsets[index]))
  }
}
