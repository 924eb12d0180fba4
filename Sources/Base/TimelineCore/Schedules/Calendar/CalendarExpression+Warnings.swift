extension CalendarExpression {
  /// Parts of a rule whose meaning, as in systemd, probably differs from the intent; empty if the text is not a rule.
  ///
  /// `8:00,20:00` is a list of minutes with seconds after it: 08:00:00 and 08:20:00.
  public static func warnings(in text: String) -> [RuleWarning] {
    guard text.utf8.contains(UInt8(ascii: ",")), let list = CalendarTimeList(in: text),
      list.times.count == 2, (try? CalendarExpression(parsing: text)) != nil
    else { return [] }
    let (hour, minutes) = (list.times[0].hour, list.times.map(\.minute))
    let seconds = minutes[1] == "00" ? "" : ":\(minutes[1])"
    let second = list.times[1].hour
    var help = [
      "the numbers behind the comma are a minute and a second: for both times write \(list.union)"
    ]
    if minutes[0] == minutes[1] {
      help.insert(
        "for \(hour):\(minutes[0]) and \(second):\(minutes[0]) write { calendar = \"\(list.rule("\(hour),\(second):\(minutes[0])"))\" }",
        at: 0)
    }
    return [
      RuleWarning(
        offset: list.range.lowerBound, length: list.range.count,
        message: "\"\(list.word)\" means \(hour):\(minutes[0])\(seconds) and \(hour):\(second)\(seconds)",
        help: help)
    ]
  }
}

/// A word of a calendar rule that looks like a list of times, such as `8:00,20:30`.
struct CalendarTimeList {
  /// The word and its bytes in the rule.
  let word: String, range: Range<Int>
  /// The times, with two digits for each number.
  let times: [(hour: String, minute: String)]
  private let before: String, behind: String

  /// Finds the word; `nil` if there is none.
  init?(in text: String) {
    for word in text.split(separator: " ") where word.contains(",") && word.contains(":") {
      let times = word.split(separator: ",", omittingEmptySubsequences: false).map(Self.time)
      guard times.count > 1, !times.contains(where: { $0 == nil }) else { continue }
      self.times = times.compactMap(\.self)
      self.word = String(word)
      let start = text.utf8.distance(from: text.startIndex, to: word.startIndex)
      range = start..<start + word.utf8.count
      (before, behind) = (String(text[..<word.startIndex]), String(text[word.endIndex...]))
      return
    }
    return nil
  }

  /// Returns the rule with `word` in place of the list.
  func rule(_ word: String) -> String { before + word + behind }

  /// The times as separate rules of an `any`.
  var union: String {
    let rules = times.map { "{ calendar = \"\(rule("\($0.hour):\($0.minute)"))\" }" }
    return "{ any = [\(rules.joined(separator: ", "))] }"
  }

  private static func time(_ text: Substring) -> (hour: String, minute: String)? {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 2,
      parts.allSatisfy({ (1...2).contains($0.utf8.count) && $0.utf8.allSatisfy(\.isDigit) }),
      let hour = Int(parts[0]), hour < 24, let minute = Int(parts[1]), minute < 60
    else { return nil }
    return (hour < 10 ? "0\(hour)" : "\(hour)", minute < 10 ? "0\(minute)" : "\(minute)")
  }
}
