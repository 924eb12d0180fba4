import TimelineCore

/// Reads holidays from a text. Each line has a date and, after spaces or tabs, an optional name; `#` begins a
/// comment.
enum HolidayLines {
  /// Place of an error in the text, and the expectation there.
  struct Failure: Error {
    let position: TextPosition
    let reason: String
  }

  static func dates(of text: SourceText) throws(Failure) -> [CivilDate] {
    var dates: [CivilDate] = []
    for number in 1...text.lineCount {
      let line = text.line(number)
      let indent = line.prefix(while: isBlank)
      let word = line.dropFirst(indent.count).prefix { !isBlank($0) && $0 != "#" }
      if word.isEmpty { continue }
      let column = indent.count + 1
      guard let date = date(word) else {
        throw Failure(
          position: TextPosition(line: number, column: column),
          reason: "a date such as 2026-12-25 is expected")
      }
      guard dates.count < HolidayList.dayCountMax else {
        throw Failure(
          position: TextPosition(line: number, column: column),
          reason: "at most \(HolidayList.dayCountMax) days are read")
      }
      dates.append(date)
    }
    return dates
  }

  private static func isBlank(_ character: Character) -> Bool { character == " " || character == "\t" }

  /// Returns the date of a word in ISO 8601, such as `2026-12-25`; `nil` for any other word.
  static func date(_ word: Substring) -> CivilDate? {
    let parts = word.split(separator: "-", omittingEmptySubsequences: false)
    let isDigits = parts.allSatisfy { $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }
    guard parts.map(\.utf8.count) == [4, 2, 2], isDigits, let year = Int(parts[0]), let month = Int(parts[1]),
      let day = Int(parts[2])
    else { return nil }
    return CivilDate(year: year, month: month, day: day)
  }
}
