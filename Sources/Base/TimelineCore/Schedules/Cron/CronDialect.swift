/// Recognizes cron rules in the languages of other schedulers, so that a refusal names the equivalent feature and
/// proposes nothing with another meaning.
struct CronDialect {
  /// A field in lower case, and its offset.
  struct Field {
    let text: String
    let offset: Int
  }

  let bytes: [UInt8]
  let fields: [Field]

  /// The refusal of a text in another scheduler's language; `nil` if none is recognized.
  static func failure(_ bytes: [UInt8]) -> TextFailure? {
    guard bytes.count <= CronParser.lengthMax else { return nil }
    let ranges = bytes.indices.split { bytes[$0] == UInt8(ascii: " ") || bytes[$0] == 0x09 }
    let dialect = CronDialect(
      bytes: bytes,
      fields: ranges.map { range in
        Field(
          text: String(decoding: bytes[range.startIndex..<range.endIndex].map(\.asLowercase), as: UTF8.self),
          offset: range.startIndex)
      })
    return several(bytes, of: "cron", apartBy: ";|,\n") { (try? CronParser.parse($0)) != nil }
      ?? dialect.wholeRule ?? dialect.zone ?? dialect.word ?? dialect.quartz ?? dialect.commandOrYear
      ?? dialect.field
  }

  /// The text of a field as it was written.
  func written(_ field: Field) -> String {
    String(decoding: bytes[field.offset..<field.offset + field.text.utf8.count], as: UTF8.self)
  }

  /// The hint on where to write a zone.
  static func zoneHint(_ name: String) -> String {
    "a job has the zone in a key of its own: time-zone = \"\(name)\"; `timelinectl next RULE --zone \(name)` tries it out"
  }
}

extension CronDialect {
  /// Largest number of rules in one text for which a refusal proposes an `any`.
  private static let severalMax = 8

  /// The refusal of several rules in one text, such as `0 1 * * *; 0 5 * * *`.
  static func several(
    _ bytes: [UInt8], of kind: String, apartBy marks: String, isRule: ([UInt8]) -> Bool
  ) -> TextFailure? {
    for mark in marks.utf8 {
      let rules = bytes.split(separator: mark).map { part in
        String(decoding: part, as: UTF8.self).split { $0.isWhitespace }.joined(separator: " ")
      }
      guard (2...severalMax).contains(rules.count), rules.allSatisfy({ isRule(Array($0.utf8)) }) else {
        continue
      }
      let members = rules.map { "{ \(kind) = \"\($0)\" }" }.joined(separator: ", ")
      return TextFailure(
        offset: bytes.firstIndex(of: mark) ?? 0, reason: "one rule is expected, and there are \(rules.count)",
        hint: "several rules are an `any`: { any = [\(members)] }")
    }
    return nil
  }

  /// The refusal of a function of AWS or of an interval of ISO 8601, which stand for a whole schedule; `nil` for any other text.
  static func call(_ bytes: [UInt8]) -> TextFailure? {
    let text = String(decoding: bytes, as: UTF8.self)
    let (name, rest) = (text.prefix { $0 != "(" }.lowercased(), text.drop { $0 != "(" }.dropFirst())
    let inside = String(rest.prefix { $0 != ")" })
    switch name {
    case "cron" where text.contains("("):
      return aws(inside.split(separator: " ").map(String.init), offset: 0, of: bytes)
    case "rate" where text.contains("("):
      return interval(inside, offset: 0, reason: "\"rate\" is an interval")
    case "at" where text.contains("("):
      if let failure = missingDay(inside) { return failure }
      let calendar = inside.replacing("T", with: " ")
      let isRule = (try? CalendarExpression(parsing: calendar)) != nil
      return TextFailure(
        offset: 0, reason: "this is a single instant of AWS",
        hint: "a single time is { calendar = \"\(isRule ? calendar : "2027-01-01 08:00:00")\" }")
    default: return repetition(text)
    }
  }

  /// The refusal of an instant on a day that its month lacks.
  private static func missingDay(_ instant: String) -> TextFailure? {
    let date = instant.prefix { $0 != "T" }.split(separator: "-").compactMap { Int($0) }
    guard date.count == 3, (1...12).contains(date[1]),
      date[2] > CivilDate.dayCount(ofMonth: date[1], inYear: date[0])
    else { return nil }
    let month = RuleWords.monthNames[date[1] - 1]
    return TextFailure(
      offset: 0, reason: "this is a single instant of AWS, and \(month) \(date[0]) has no day \(date[2])")
  }

  /// The refusal of a repeating interval of ISO 8601, such as `R/2027-01-01T00:00:00Z/PT1H`.
  private static func repetition(_ text: String) -> TextFailure? {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 3, parts[0].lowercased().hasPrefix("r"), parts[0].dropFirst().allSatisfy(\.isNumber),
      parts[2].lowercased().hasPrefix("p")
    else { return nil }
    let halves = parts[2].dropFirst().lowercased().split(separator: "t", omittingEmptySubsequences: false)
    let hasMonths = halves[0].contains { "ym".contains($0) }
    let length = halves.joined()
    guard !hasMonths, let by = try? ElapsedTime(parsing: length), by > .zero else {
      return TextFailure(
        offset: 0, reason: "an interval of ISO 8601 is no cron rule",
        hint: "months and years are a calendar rule, such as { calendar = \"*-*-01 08:00\" }")
    }
    return TextFailure(
      offset: 0, reason: "an interval of ISO 8601 is no cron rule",
      hint:
        "it is { periodic = { by = \"\(by)\", from = 2027-01-01T00:00:00Z } } with its own start; `limit` bounds the number of entries"
    )
  }

  /// The refusal of functions of AWS and of the `-` of cronie.
  private var wholeRule: TextFailure? {
    guard let first = fields.first else { return nil }
    if let call = Self.call(bytes) { return call }
    // In cronie and SUSE's cron a leading `-` means: do not log the command.
    guard first.text.count > 1, first.text.hasPrefix("-") else { return nil }
    return TextFailure(
      offset: first.offset, reason: "a \"-\" in front of a rule means nothing here",
      correction: first.text.hasPrefix("-*") ? (first.offset..<first.offset + 1, "") : nil,
      hint: "leave it out; on a command line `--` goes in front of a rule that begins with \"-\"")
  }

  /// The refusal of a zone in front of a rule or behind it.
  private var zone: TextFailure? {
    guard let first = fields.first, let last = fields.last, fields.count > 1 else { return nil }
    for prefix in ["tz=", "cron_tz="] where first.text.hasPrefix(prefix) {
      let name = written(first).dropFirst(prefix.count).filter { $0 != "\"" && $0 != "'" }
      return TextFailure(
        offset: first.offset, reason: "a zone does not stand in a cron rule",
        hint: Self.zoneHint(name.isEmpty ? "Europe/Berlin" : name))
    }
    guard first.text.hasPrefix("@") || fields.count > 5, Self.isZone(last.text) else { return nil }
    return TextFailure(
      offset: last.offset, reason: "a zone does not stand in a cron rule", hint: Self.zoneHint(written(last)))
  }

  /// Whether a field is a zone and not a list of days.
  private static func isZone(_ text: String) -> Bool {
    if ["utc", "gmt", "z", "local"].contains(text) || text.hasPrefix("utc+") || text.hasPrefix("utc-") {
      return true
    }
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count > 1, text.utf8.first?.isLetter == true, let place = parts.last else { return false }
    return Zone.isWellFormed(name: text) && place.utf8.first?.isLetter == true
  }

  /// The refusal of a word with `@` that this program does not accept.
  private var word: TextFailure? {
    guard let first = fields.first, first.text.hasPrefix("@") else { return nil }
    if first.text == "@every" || first.text.hasPrefix("@every=") {
      let words = fields.dropFirst().map(written).joined(separator: " ")
      return Self.interval(words, offset: first.offset, reason: "\"@every\" is an interval and no cron rule")
    }
    let hints: [(words: [String], hint: String)] = [
      (["@minutely", "@every_minute"], "every minute is { cron = \"* * * * *\" } or \"every-minute\""),
      (["@every_second", "@secondly"], "every second is { periodic = { by = \"1s\" } }"),
      (["@weekdays", "@weekday", "@workdays"], "from Monday to Friday is { cron = \"0 0 * * MON-FRI\" }"),
      (["@weekend", "@weekends"], "on Saturday and Sunday is { cron = \"0 0 * * SAT,SUN\" }"),
      (["@quarterly"], "every quarter is { calendar = \"quarterly\" }"),
      (["@noon", "@midday"], "noon is { cron = \"0 12 * * *\" }"),
      (["@startup", "@boot", "@onboot"], "once after each start of the machine is { cron = \"@reboot\" }"),
      (["@once", "@manual"], "a job without a schedule of its own has schedule = \"on-demand\""),
    ]
    guard let hint = hints.first(where: { $0.words.contains(first.text) })?.hint else { return nil }
    return TextFailure(
      offset: first.offset, reason: "\"\(written(first))\" is no word of cron's here", hint: hint)
  }

  private static func interval(_ words: String, offset: Int, reason: String) -> TextFailure {
    var text: String?
    do throws(TextError) {
      if try ElapsedTime(parsing: words) > .zero { text = words }
    } catch {
      let length = error.suggestion.flatMap { try? ElapsedTime(parsing: $0) }
      if let length, length > .zero { text = length.description }
    }
    return TextFailure(
      offset: offset, reason: reason,
      hint: text.map { "an interval is { periodic = { by = \"\($0)\" } }" }
        ?? "an interval is a length of time, such as { periodic = { by = \"1h30m\" } }")
  }

  /// The refusal of a command or a year behind the fields.
  private var commandOrYear: TextFailure? {
    guard fields.count > 5, let last = fields.last else { return nil }
    if let command = fields.dropFirst(5).first(where: { $0.text.hasPrefix("/") || $0.text.hasPrefix("~/") }) {
      return TextFailure(
        offset: command.offset, reason: "a command does not stand in the rule",
        hint:
          "a job has it as a parameter: plugin = \"exec\" and with = { command = [\"\(written(command))\"] }")
    }
    if fields.count <= 7, Self.isYears(last.text) {
      return TextFailure(
        offset: last.offset, reason: "a cron rule has no year",
        hint:
          "a calendar rule has one: { calendar = \"2027-01-01 08:00\" }; `starts` and `ends` bound a schedule"
      )
    }
    guard fields.count > 6 else { return nil }
    return TextFailure(
      offset: fields[6].offset,
      reason: "5 fields, or 6 with seconds first, are expected, and there are \(fields.count)",
      hint: "a year stands in a calendar rule, or `starts` and `ends` bound the schedule"
        + (fields[5].text.utf8.contains(where: \.isDigit)
          ? "; Quartz counts 1 for Sunday: name the days, such as FRI" : ""))
  }

  /// Whether a field is years: `2027`, `2027-2030`, `2027/2` or a list of them.
  private static func isYears(_ text: String) -> Bool {
    text.split(separator: ",", omittingEmptySubsequences: false).allSatisfy { element in
      let digits = element.prefix { $0.isASCII && $0.isNumber }
      guard digits.count == 4, let year = Int(digits) else { return false }
      return (1_900...2_299).contains(year)
    }
  }
}
