// Single fields in the words of other schedulers.
extension CronDialect {
  /// The refusal of the first field that is in another scheduler's words.
  var field: TextFailure? {
    guard (5...6).contains(fields.count) else { return nil }
    if let quartz { return quartz }
    let kinds = CronField.allCases.suffix(fields.count)
    for (kind, field) in zip(kinds, fields) {
      for element in field.text.split(separator: ",") {
        if let failure = failure(of: String(element), in: field, kind) { return failure }
      }
    }
    return nil
  }

  private func failure(of element: String, in field: Field, _ kind: CronField) -> TextFailure? {
    if element == "h" || element.hasPrefix("h/") || element.hasPrefix("h(") {
      return TextFailure(
        offset: field.offset, reason: "`H`, a hash of the job, does not stand in the rule",
        hint: Self.offsetHint)
    }
    if element.contains("~") {
      return TextFailure(
        offset: field.offset, reason: "`~`, a random number, does not stand in the rule",
        hint: Self.offsetHint)
    }
    if element.hasPrefix("+") {
      return TextFailure(
        offset: field.offset, reason: "`+` means nothing here",
        hint:
          "a date and a weekday that must both match are a calendar rule: { calendar = \"Mon *-*-1..7 08:00\" }"
      )
    }
    if kind == .dayOfMonth, element.hasPrefix("l-"), let days = Int(element.dropFirst(2)), days >= 0 {
      let text = days < 9 ? "0\(days + 1)" : "\(days + 1)"
      return TextFailure(
        offset: field.offset, reason: "days before the last of the month do not stand in a cron rule",
        hint: days < 28
          ? "they do in a calendar rule: { calendar = \"*-*~\(text)\" }"
          : "in a calendar rule they do up to the 28th from the end: { calendar = \"*-*~28\" }")
    }
    guard kind == .dayOfWeek, element.hasSuffix("#l"), element == field.text else { return nil }
    return TextFailure(
      offset: field.offset, reason: "the last weekday of the month is written without \"#\"",
      correction: (
        field.offset..<field.offset + field.text.utf8.count, written(field).dropLast(2).uppercased() + "L"
      ))
  }

  /// The feature that spreads jobs by a hash or at random.
  private static let offsetHint =
    "write a number, and beside the rule jitter = \"30m\", with offset = \"hash\" for a delay that is fixed for each job and machine"

  /// The refusal of a rule with `?`, which Quartz and AWS have.
  ///
  /// Proposed is the same rule in our words where it is sure to be the same: Quartz counts 1 for Sunday, so that numbers of
  /// weekdays become names, and AWS has the year as its sixth field.
  private var quartz: TextFailure? {
    guard let mark = fields.first(where: { $0.text == "?" }) else { return nil }
    var words = fields.map(written)
    let (dayOfMonth, dayOfWeek) = (fields.count - 3, fields.count - 1)
    var reason = "`?` is written `*` here"
    var isSame = fields[..<dayOfMonth].allSatisfy { $0.text != "?" } && fields[dayOfWeek - 1].text != "?"
    for index in [dayOfMonth, dayOfWeek] where words[index] == "?" { words[index] = "*" }
    if fields[dayOfWeek].text.utf8.contains(where: \.isDigit) {
      reason += ", and Quartz counts 1 for Sunday"
      if fields.count == 6, let named = Self.named(fields[dayOfWeek].text) {
        words[dayOfWeek] = named
      } else {
        isSame = false
      }
    }
    return TextFailure(
      offset: mark.offset, reason: reason,
      correction: isSame ? (0..<bytes.count, words.joined(separator: " ")) : nil,
      hint: isSame && words[dayOfWeek] == written(fields[dayOfWeek])
        ? nil : "name the days of the week, such as FRI, FRIL for the last or FRI#2 for the second Friday")
  }

  /// Quartz's numbers of weekdays by name, such as `friL` for `6L`; `nil` where they have steps.
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
    return result.replacing("l", with: "L")
  }
}
