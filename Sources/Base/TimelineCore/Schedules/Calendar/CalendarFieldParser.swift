/// Reads the fields of a calendar rule.
enum CalendarFieldParser {
  /// The most elements of one list, as in systemd.
  static let elementCountMax = 240

  /// Reads `*` or a list of numbers, ranges and steps. `*` is an empty list; for seconds it is every whole second.
  static func list(_ cursor: inout ByteCursor, _ field: CalendarField) throws(TextFailure)
    -> [CalendarComponent]
  {
    let start = cursor.offset
    if cursor.take("*") {
      guard cursor.isAtEnd || "-~:".utf8.contains(cursor.bytes[cursor.offset]) else {
        var end = cursor
        _ = end.takeAll { $0.isDigit || "/.,*".utf8.contains($0) }
        let step = cursor.bytes[start..<end.offset].starts(with: "*/".utf8)
        // `*,…` already means every value, so the correction is `*`.
        let isList = cursor.bytes[start..<end.offset].starts(with: "*,".utf8)
        let first = field.number(field.bounds.lowerBound, digits: 2)
        throw TextFailure(
          offset: cursor.offset, reason: "\"*\" stands alone; a list or a step begins with a number",
          correction: step && field != .dayFromEnd
            ? (start..<start + 1, first) : isList ? (start..<end.offset, "*") : nil)
      }
      return field == .second ? [CalendarField.everySecond] : []
    }
    var components = Set<CalendarComponent>()
    var count = 0
    repeat {
      count += 1
      guard count <= elementCountMax else {
        throw TextFailure(
          offset: cursor.offset, reason: "a list of at most \(elementCountMax) elements is expected")
      }
      components.insert(try component(&cursor, field))
    } while cursor.take(",")
    return components.sorted()
  }

  private static func component(
    _ cursor: inout ByteCursor, _ field: CalendarField
  ) throws(TextFailure) -> CalendarComponent {
    let start = cursor.offset
    var component = CalendarComponent(start: try number(&cursor, field))
    if cursor.take("..") {
      component.stop = try number(&cursor, field)
      component.step = field.unit
    }
    let end = cursor.offset
    if cursor.take("/") {
      component.step = try step(&cursor, field)
    } else if field == .second, let stop = component.stop, stop >= component.start,
      stop - component.start < field.unit
    {
      throw TextFailure(
        offset: start, reason: "a range of at least a second, or one with a step, is expected")
    }
    if let stop = component.stop, stop < component.start {
      throw TextFailure(
        offset: start, reason: "a range that ascends is expected",
        correction: (start..<end, unwrapped(component.start, stop, field)))
    }
    component = component.normalized
    let room =
      field == .dayFromEnd
      ? component.start - field.bounds.lowerBound : field.bounds.upperBound - component.start
    guard component.stop != nil || component.step <= room else {
      throw TextFailure(
        offset: end + 1, reason: "a step is expected that leads to another number of the field",
        hint: field.intervalHint(component.step))
    }
    return component
  }

  /// Reads a number within the bounds of the field, in its unit; seconds may have a fraction.
  private static func number(_ cursor: inout ByteCursor, _ field: CalendarField) throws(TextFailure) -> Int {
    let start = cursor.offset
    guard var number = try decimal(&cursor, field) else {
      throw TextFailure(offset: start, reason: "\(field.expectation) or \"*\" is expected")
    }
    // Years can be written without their century: 12 is 2012, 89 is 1989.
    if field == .year, number < 100 { number += number < 70 ? 2_000 : 1_900 }
    guard field.bounds.contains(number) else {
      throw TextFailure(offset: start, reason: "\(field.expectation) is expected")
    }
    return number
  }

  private static func step(_ cursor: inout ByteCursor, _ field: CalendarField) throws(TextFailure) -> Int {
    let start = cursor.offset
    guard let step = try decimal(&cursor, field), 1...Int(Int32.max) ~= step else {
      throw TextFailure(offset: start, reason: "a step above 0 is expected")
    }
    return step
  }

  /// Reads digits, and for seconds a fraction rounded to six digits; `nil` if there are no digits.
  private static func decimal(_ cursor: inout ByteCursor, _ field: CalendarField) throws(TextFailure) -> Int?
  {
    let digits = cursor.takeDigits()
    guard !digits.isEmpty else { return nil }
    // A number beyond Int32 is out of bounds of every field.
    let whole = min(digits.decimal() ?? Int.max, Int(Int32.max) + 1) * field.unit
    guard field == .second, cursor.peek == UInt8(ascii: "."),
      cursor.bytes.dropFirst(cursor.offset + 1).first != UInt8(ascii: ".")
    else { return whole }
    cursor.offset += 1
    let fraction = cursor.takeDigits()
    guard !fraction.isEmpty else {
      throw TextFailure(
        offset: cursor.offset, reason: "a digit is expected after the point",
        correction: (cursor.offset - 1..<cursor.offset, ""))
    }
    let six = fraction.prefix(6).decimal() ?? 0
    let padded = (min(fraction.count, 6)..<6).reduce(six) { scaled, _ in scaled * 10 }
    return whole + padded + (fraction.dropFirst(6).first ?? 0 >= UInt8(ascii: "5") ? 1 : 0)
  }

  /// A range that wraps, as two ascending ranges: `22..23,00..03`.
  private static func unwrapped(_ first: Int, _ last: Int, _ field: CalendarField) -> String {
    func range(_ low: Int, _ high: Int) -> String {
      let text = field.number(low, digits: 2)
      return low == high ? text : "\(text)..\(field.number(high, digits: 2))"
    }
    // A range of years, or of days from the end of the month, does not wrap: its bounds were probably swapped.
    if field == .year || field == .dayFromEnd { return range(last, first) }
    let top = field.bounds.upperBound / field.unit * field.unit
    return range(min(first, top), top) + "," + range(field.bounds.lowerBound, last)
  }
}

extension CalendarFieldParser {
  /// Reads comma-separated weekdays and ranges of weekdays. Returns a bit set; bit 0 is Sunday.
  static func weekdays(_ bytes: [UInt8], _ word: Range<Int>) throws(TextFailure) -> UInt64 {
    var cursor = ByteCursor(Array(bytes[..<word.upperBound]))
    cursor.offset = word.lowerBound
    var weekdays: UInt64 = 0
    repeat {
      let start = cursor.offset
      let first = try weekday(&cursor, isFirst: start == word.lowerBound)
      var last = first
      if cursor.take("..") || cursor.take("-") { last = try weekday(&cursor, isFirst: false) }
      guard first <= last else {
        let names = CalendarWeekday.names
        let correction = "\(names[first])..Sun," + (last == 0 ? "Mon" : "Mon..\(names[last])")
        throw TextFailure(
          offset: start, reason: "a range that ascends from Monday to Sunday is expected",
          correction: (start..<cursor.offset, correction))
      }
      weekdays |= (first...last).reduce(0) { $0 | CalendarWeekday.bit($1) }
      // A comma at the end is accepted, as by systemd.
    } while cursor.take(",") && !cursor.isAtEnd
    guard cursor.isAtEnd else {
      throw TextFailure(offset: cursor.offset, reason: "a comma, \"..\" or a space is expected after the day")
    }
    return weekdays
  }

  /// The index of the day that the whole word names, 0 for Monday.
  static func weekdayIndex(_ word: ArraySlice<UInt8>) -> Int? {
    let word = word.map(\.asLowercase)
    return CalendarWeekday.longNames.indices.first { index in
      let name = CalendarWeekday.longNames[index].utf8.map(\.asLowercase)
      return word == name || word.elementsEqual(name.prefix(3))
    }
  }

  private static func weekday(_ cursor: inout ByteCursor, isFirst: Bool) throws(TextFailure) -> Int {
    let start = cursor.offset
    let word = cursor.takeAll(where: \.isLetter)
    if let index = weekdayIndex(word) { return index }
    let lowercase = word.map(\.asLowercase)
    let weekday = Keyword.nearest(to: lowercase, among: CalendarWeekday.longNames.map { $0.lowercased() })
    let shorthand =
      isFirst && cursor.isAtEnd ? Keyword.nearest(to: lowercase, among: CalendarShorthand.names) : nil
    let correction =
      shorthand == nil
      ? CalendarWeekday.longNames.first { $0.lowercased() == weekday }.map { String($0.prefix(3)) }
      : weekday == nil ? shorthand : nil
    throw TextFailure(
      offset: start,
      reason: isFirst
        ? "a day of the week such as \"Mon\", a date, a time or a word such as \"daily\" is expected"
        : "a day of the week such as \"Mon\" is expected",
      correction: correction.map { (start..<cursor.offset, $0) })
  }
}

/// The words that stand for a whole rule.
enum CalendarShorthand {
  private static func numbers(_ numbers: Int...) -> [CalendarComponent] {
    numbers.map { CalendarComponent(start: $0) }
  }

  /// All words, each with the fields of its rule.
  private static let rules: [(names: [String], fields: CalendarFields)] = [
    (["minutely"], CalendarFields(hours: [], minutes: [])),
    (["hourly"], CalendarFields(hours: [])),
    (["daily"], CalendarFields()),
    (["weekly"], CalendarFields(weekdays: CalendarWeekday.bit(0))),
    (["monthly"], CalendarFields(days: numbers(1))),
    (["quarterly"], CalendarFields(months: numbers(1, 4, 7, 10), days: numbers(1))),
    (
      ["semiannually", "semi-annually", "biannually", "bi-annually"],
      CalendarFields(months: numbers(1, 7), days: numbers(1))
    ),
    (["yearly", "annually", "anually"], CalendarFields(months: numbers(1), days: numbers(1))),
  ]

  /// Returns the fields of a shorthand word, for example `daily`.
  static func fields(_ word: ArraySlice<UInt8>) -> CalendarFields? {
    rules.first { rule in
      rule.names.contains { $0.utf8.elementsEqual(word.lazy.map(\.asLowercase)) }
    }?.fields
  }

  static var names: [String] { rules.flatMap(\.names) }
}
