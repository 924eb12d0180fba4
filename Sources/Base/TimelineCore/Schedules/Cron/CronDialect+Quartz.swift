// Rules with `?` for a day without a restriction, and with numbers of weekdays from 1 for Sunday.
extension CronDialect {
  /// The refusal of a rule with `?`.
  ///
  /// Its position identifies the scheduler. AWS has minute, hour, day, month, weekday and year; Quartz begins with
  /// seconds and may end with years; robfig has five fields, in which `?` is `*` and Sunday is 0. The equivalent
  /// crontab(5) rule, with names for numbers of weekdays, is proposed if it is certain to be equivalent.
  var quartz: TextFailure? {
    guard let mark = fields.first(where: { $0.text == "?" }), (5...7).contains(fields.count) else {
      return nil
    }
    guard !fields.contains(where: { $0.text.hasPrefix("/") || $0.text.hasPrefix("~/") }) else { return nil }
    let days = fields.indices.filter { fields[$0].text == "?" }
    if fields.count == 5 {
      let rule = fields.map { $0.text == "?" ? "*" : written($0) }
      return Self.translation(rule, isNamed: true, offset: mark.offset, of: bytes, "`?` is written `*` here")
    }
    if fields.count == 6, days == [2] || days == [4] {
      return Self.aws(fields.map(written), offset: mark.offset, of: bytes)
    }
    let (rule, isNamed) = Self.days(fields.prefix(6).map(written), weekday: 5)
    let isQuartz = days == [3] || days == [5]
    let hasNumber = fields[5].text.utf8.contains(where: \.isDigit)
    return Self.translation(
      rule, isNamed: isNamed && (isQuartz || !hasNumber), years: fields.count == 7 ? written(fields[6]) : "*",
      offset: mark.offset, of: bytes,
      "`?` is written `*` here" + (hasNumber ? ", and Quartz counts 1 for Sunday" : ""))
  }

  /// The refusal of AWS's six fields: minute, hour, day, month, weekday with 1 for Sunday, and year.
  static func aws(_ words: [String], offset: Int, of bytes: [UInt8]) -> TextFailure {
    let reason = "this is a rule of AWS, with the year as its last field and 1 for Sunday"
    guard words.count == 6 else {
      return TextFailure(
        offset: offset, reason: reason,
        hint: "write minute, hour, day, month and the name of the day: { cron = \"0 10 * * MON-FRI\" }")
    }
    let (rule, isNamed) = days(words, weekday: 4)
    return translation(
      Array(rule.dropLast()), isNamed: isNamed, years: words[5], offset: offset, of: bytes, reason)
  }

  /// The refusal with the equivalent cron rule, if there is one.
  private static func translation(
    _ words: [String], isNamed: Bool, years: String = "*", offset: Int, of bytes: [UInt8], _ reason: String
  ) -> TextFailure {
    let rule = words.joined(separator: " ")
    guard isNamed else { return TextFailure(offset: offset, reason: reason, hint: namesHint) }
    do throws(TextFailure) {
      _ = try CronParser.parse(Array(rule.utf8))
    } catch {
      // Another part is in another language as well: the hint is about that part.
      return failure(Array(rule.utf8)).map { TextFailure(offset: offset, reason: reason, hint: $0.hint) }
        ?? TextFailure(offset: offset, reason: "\(reason), and \(error.reason)")
    }
    return years == "*"
      ? TextFailure(offset: offset, reason: reason, correction: (0..<bytes.count, rule))
      : TextFailure(
        offset: offset, reason: reason,
        hint:
          "a cron rule has no year; without the year it is { cron = \"\(rule)\" }; `starts` and `ends` bound a schedule"
      )
  }

  private static let namesHint =
    "name the days of the week, such as FRI, FRIL for the last or FRI#2 for the second Friday"

  /// Returns the words with `*` for `?` and with names for numbers of weekdays, and whether the weekdays could be translated.
  private static func days(_ words: [String], weekday: Int) -> (words: [String], isNamed: Bool) {
    var words = words.map { $0 == "?" ? "*" : $0 }
    guard words[weekday].utf8.contains(where: \.isDigit) else {
      return (words, words[weekday].lowercased() != "l")
    }
    guard let name = named(words[weekday].lowercased()) else { return (words, false) }
    words[weekday] = name
    return (words, true)
  }

  /// Quartz's numbers of weekdays by name, such as `FRIL` for `6L`; `nil` if they have steps.
  private static func named(_ text: String) -> String? {
    guard !text.contains("/") else { return nil }
    let names = CronField.dayOfWeek.names
    var result = ""
    var isCount = false
    for scalar in text.unicodeScalars {
      guard let digit = Int(String(scalar)), !isCount else {
        result.unicodeScalars.append(scalar)
        isCount = scalar == "#"
        continue
      }
      guard (1...7).contains(digit) else { return nil }
      result += names[digit - 1].uppercased()
    }
    return result.uppercased()
  }
}
