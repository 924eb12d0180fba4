/// Reads the text of a moment, which depends on the zone and on the current time.
struct MomentReader {
  static let subject = "a time"
  /// Maximum length in bytes: the longest useful text has about 40. Keeps the work for a hostile text small.
  static let lengthMax = 64

  /// The place at which reading stopped, and the reason.
  struct Failure: Error {
    let offset: Int
    let reason: String
  }

  private var cursor: ByteCursor

  init(_ bytes: [UInt8]) {
    cursor = ByteCursor(bytes.map(\.asLowercase))
  }

  mutating func read() throws(Failure) -> WrittenMoment {
    skipBlanks()
    if cursor.take("now") { return try finish(.distance(.zero)) }
    if cursor.take("in ") { return try finish(.distance(try length(upTo: cursor.bytes.count))) }
    if let end = lengthEnd {
      let length = try length(upTo: end)
      _ = cursor.take(" ago")
      return try finish(.distance(.zero - length))
    }
    let day = try day()
    if day != nil {
      let isParted = cursor.peek == UInt8(ascii: " ") || cursor.take("t")
      if isAtEnd { return .civil(day: day, time: nil, offset: nil) }
      guard isParted else { throw expected("a blank and a time such as 02:30 are expected") }
    }
    skipBlanks()
    let time = try time()
    skipBlanks()
    return try finish(.civil(day: day, time: time, offset: try offset()))
  }

  /// The offset at which the length in `2h ago` ends; `nil` if the text does not have this form.
  private var lengthEnd: Int? {
    var end = cursor.bytes.count
    while end > 0, cursor.bytes[end - 1] == UInt8(ascii: " ") { end -= 1 }
    let word = Array(" ago".utf8)
    guard end > word.count, cursor.bytes[(end - word.count)..<end].elementsEqual(word) else { return nil }
    return end - word.count
  }

  private mutating func length(upTo end: Int) throws(Failure) -> ElapsedTime {
    let start = cursor.offset
    let bytes = cursor.takeAll(upTo: max(0, end - start)) { _ in true }
    let isBlank: (UInt8) -> Bool = { $0 == UInt8(ascii: " ") }
    let words = bytes.drop(while: isBlank).reversed().drop(while: isBlank).reversed()
    do {
      return try ElapsedTime(parsing: String(decoding: words, as: UTF8.self))
    } catch {
      throw Failure(offset: start, reason: "a length of time such as `2h` or `1h30m` is expected")
    }
  }

  private mutating func day() throws(Failure) -> WrittenMoment.Day? {
    if cursor.take("today") { return .fromToday(0) }
    if cursor.take("yesterday") { return .fromToday(-1) }
    if cursor.take("tomorrow") { return .fromToday(1) }
    let start = cursor.offset
    let year = cursor.takeDigits(upTo: 4)
    guard year.count == 4, cursor.take("-") else {
      cursor.offset = start
      return nil
    }
    let month = cursor.takeDigits(upTo: 2)
    guard month.count == 2, cursor.take("-") else { throw expected("a day such as 2026-11-21 is expected") }
    let day = cursor.takeDigits(upTo: 2)
    guard day.count == 2, let year = year.decimal(), let month = month.decimal(), let day = day.decimal(),
      let date = CivilDate(year: year, month: month, day: day)
    else { throw Failure(offset: start, reason: "there is no such day; one such as 2026-11-21 is expected") }
    return .date(date)
  }

  private mutating func time() throws(Failure) -> WrittenMoment.Time {
    let start = cursor.offset
    let hour = cursor.takeDigits(upTo: 2)
    guard !hour.isEmpty, cursor.take(":") else {
      throw Failure(offset: start, reason: "one of these is expected: \(Moment.forms)")
    }
    let minute = cursor.takeDigits(upTo: 2)
    guard minute.count == 2 else { throw expected("two digits of a minute are expected") }
    var precision = ElapsedTime.minutes(1)
    var (second, nanosecond) = (0, 0)
    if cursor.take(":") {
      let digits = cursor.takeDigits(upTo: 2)
      guard digits.count == 2, let number = digits.decimal() else {
        throw expected("two digits of a second are expected")
      }
      (second, precision) = (number, .seconds(1))
      if cursor.take(".") {
        let digits = cursor.takeDigits()
        guard (1...9).contains(digits.count), let fraction = digits.decimal() else {
          throw expected("one to nine digits of a fraction are expected")
        }
        let scale = (digits.count..<9).reduce(1) { scale, _ in scale * 10 }
        (nanosecond, precision) = (fraction * scale, .nanoseconds(Int64(scale)))
      }
    }
    guard let hour = hour.decimal(), let minute = minute.decimal(),
      let time = CivilTime(hour: hour, minute: minute, second: second, nanosecond: nanosecond)
    else { throw Failure(offset: start, reason: "a time of day from 00:00 to 23:59:59 is expected") }
    return WrittenMoment.Time(time: time, precision: precision)
  }

  /// Reads `Z`, `UTC` or `+01:00`, in seconds ahead of UTC.
  private mutating func offset() throws(Failure) -> Int? {
    if cursor.take("z") || cursor.take("utc") { return 0 }
    let isWest = cursor.take("-")
    guard isWest || cursor.take("+") else { return nil }
    let hours = cursor.takeDigits(upTo: 2)
    guard hours.count == 2, cursor.take(":") else { throw expected("an offset such as +01:00 is expected") }
    let minutes = cursor.takeDigits(upTo: 2)
    guard minutes.count == 2, let hours = hours.decimal(), let minutes = minutes.decimal(), hours < 24,
      minutes < 60
    else { throw expected("an offset such as +01:00 is expected") }
    return (isWest ? -1 : 1) * (hours * 3_600 + minutes * 60)
  }

  private mutating func finish(_ written: WrittenMoment) throws(Failure) -> WrittenMoment {
    guard isAtEnd else { throw expected("the end is expected") }
    return written
  }

  private var isAtEnd: Bool {
    mutating get {
      skipBlanks()
      return cursor.isAtEnd
    }
  }

  private mutating func skipBlanks() {
    _ = cursor.takeAll { $0 == UInt8(ascii: " ") }
  }

  private func expected(_ reason: String) -> Failure { Failure(offset: cursor.offset, reason: reason) }
}
