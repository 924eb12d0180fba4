/// Recognizes calendar rules in other languages than systemd's, so that a refusal names the equivalent feature.
struct CalendarDialect {
  private let bytes: [UInt8]
  private let words: [(text: String, range: Range<Int>)]

  /// The refusal of a text in a known language; `nil` for any other text.
  static func failure(_ bytes: [UInt8]) -> TextFailure? {
    guard bytes.count <= CalendarParser.lengthMax else { return nil }
    let ranges = bytes.indices.split { bytes[$0] == UInt8(ascii: " ") }.map { $0.startIndex..<$0.endIndex }
    let dialect = CalendarDialect(
      bytes: bytes,
      words: ranges.map { (String(decoding: bytes[$0].map(\.asLowercase), as: UTF8.self), $0) })
    return CronDialect.call(bytes) ?? dialect.zone ?? dialect.halfDay ?? dialect.event ?? dialect.interval
      ?? dialect.times ?? dialect.order
      ?? CronDialect.several(bytes, of: "calendar", apartBy: ";|\n") {
        (try? CalendarParser.parse($0)) != nil
      }
  }

  /// Whether a word is a time or a day of another language, and therefore not a zone.
  static func isTime(_ word: ArraySlice<UInt8>) -> Bool {
    let text = String(decoding: word.map(\.asLowercase), as: UTF8.self)
    return timeWords.contains(text)
  }

  private static let timeWords: Set<String> = [
    "am", "pm", "noon", "midday", "midnight", "sunrise", "sunset", "dawn", "dusk", "weekdays", "weekday",
    "workdays", "weekend", "weekends",
  ]

  /// The refusal of a zone that is not at the end, or that is an offset.
  private var zone: TextFailure? {
    guard let first = words.first, let last = words.last else { return nil }
    for prefix in ["tz=", "cron_tz="] where first.text.hasPrefix(prefix) {
      return TextFailure(
        offset: first.range.lowerBound, reason: "the zone of a calendar rule stands at its end",
        hint: "such as { calendar = \"Mon..Fri 08:00 Europe/Berlin\" }, or `time-zone` beside the schedule")
    }
    if words.count > 1, first.text.contains("/"), first.text.utf8.last?.isLetter == true,
      bytes[first.range.lowerBound].isLetter
    {
      let rest = String(decoding: bytes[words[1].range.lowerBound...], as: UTF8.self)
      let name = String(decoding: bytes[first.range], as: UTF8.self)
      return TextFailure(
        offset: first.range.lowerBound, reason: "the zone of a calendar rule stands at its end",
        correction: (0..<bytes.count, "\(rest) \(name)"))
    }
    guard words.count > 1, let offset = FixedOffset(last.text) else { return nil }
    return TextFailure(
      offset: last.range.lowerBound, reason: "an offset is no zone",
      correction: offset.zoneName.map { (last.range, $0) }, hint: offset.hint)
  }

  /// The refusal of a time of a twelve-hour clock, such as `8:00 PM` or `8pm`.
  private var halfDay: TextFailure? {
    for (index, word) in words.enumerated() {
      guard let mark = ["am", "pm", "a.m.", "p.m."].first(where: { word.text.hasSuffix($0) }) else {
        continue
      }
      let isAlone = word.text == mark
      guard !isAlone || index > 0 else { continue }
      let time = isAlone ? words[index - 1].text : String(word.text.dropLast(mark.count))
      let start = isAlone ? words[index - 1].range.lowerBound : word.range.lowerBound
      let parts = time.split(separator: ":", omittingEmptySubsequences: false)
      guard (1...3).contains(parts.count), let hour = Int(parts[0]), (1...12).contains(hour) else { continue }
      let hours = hour % 12 + (mark.hasPrefix("p") ? 12 : 0)
      let minutes = parts.count > 1 ? parts.dropFirst().joined(separator: ":") : "00"
      return TextFailure(
        offset: isAlone ? word.range.lowerBound : start, reason: "hours are counted from 0 to 23",
        correction: (start..<word.range.upperBound, "\(hours < 10 ? "0" : "")\(hours):\(minutes)"))
    }
    return nil
  }

  /// The refusal of a named time, such as `noon`.
  private var event: TextFailure? {
    for word in words {
      switch word.text {
      case "noon", "midday":
        return TextFailure(
          offset: word.range.lowerBound, reason: "a time such as \"12:00\" is expected",
          correction: (word.range, "12:00"))
      case "midnight":
        return TextFailure(
          offset: word.range.lowerBound, reason: "a time such as \"00:00\" is expected",
          correction: (word.range, "00:00"))
      case "sunrise", "sunset", "dawn", "dusk":
        return TextFailure(
          offset: word.range.lowerBound, reason: "where and when the sun rises and sets is not known here",
          hint: "give a time, such as { calendar = \"18:30\" }")
      case "weekdays", "weekday", "workdays":
        return TextFailure(
          offset: word.range.lowerBound, reason: "days of the week are named",
          correction: (word.range, "Mon..Fri"))
      case "weekend", "weekends":
        return TextFailure(
          offset: word.range.lowerBound, reason: "days of the week are named",
          correction: (word.range, "Sat,Sun"))
      default: continue
      }
    }
    return nil
  }

  /// The refusal of a day of the week that is `*` or follows the time, in an otherwise valid rule.
  private var order: TextFailure? {
    guard words.count > 1, let first = words.first, let last = words.last else { return nil }
    let (found, reason, text): (Range<Int>, String, [UInt8])
    if first.text == "*" {
      (found, reason) = (first.range, "a rule for every day of the week names none")
      text = Array(bytes[words[1].range.lowerBound...])
    } else if CalendarFieldParser.weekdayIndex(bytes[last.range].prefix { $0.isLetter }) != nil {
      (found, reason) = (last.range, "the day of the week stands in front of date and time")
      let rest = words.dropLast().flatMap { [UInt8(ascii: " ")] + bytes[$0.range] }
      text = Array(bytes[last.range]) + rest
    } else {
      return nil
    }
    guard (try? CalendarParser.parse(text)) != nil else { return nil }
    return TextFailure(
      offset: found.lowerBound, reason: reason,
      correction: (0..<bytes.count, String(decoding: text, as: UTF8.self)))
  }

  /// The refusal of an interval in words, such as `every 5 minutes`.
  private var interval: TextFailure? {
    guard words.count > 1, words[0].text == "every" else { return nil }
    let rest = words.dropFirst().map(\.text).joined(separator: " ")
    let length: ElapsedTime?
    do throws(TextError) {
      length = try ElapsedTime(parsing: rest)
    } catch {
      length = error.suggestion.flatMap { try? ElapsedTime(parsing: $0) }
    }
    return length.map {
      TextFailure(
        offset: words[0].range.lowerBound, reason: "an interval is no calendar rule",
        hint: "it is { periodic = { by = \"\($0)\" } }")
    }
  }

  /// The refusal of times of different minutes, such as `8:00,12:15,20:30`.
  private var times: TextFailure? {
    guard let list = CalendarTimeList(in: String(decoding: bytes, as: UTF8.self)), list.times.count <= 8
    else {
      return nil
    }
    return TextFailure(
      offset: list.range.lowerBound, reason: "a list of times does not stand in one rule",
      hint: "times with minutes of their own are rules of their own: \(list.union)")
  }
}
