import TimelineCore

extension ScheduleReader {
  /// Returns the rule of `cron`, with the keys `dst` and `delay` beside it.
  func cron(_ item: Item, in fields: Fields) -> ScheduleRule? {
    let dst = fields["dst"]
    let policy = dst.map { daylightSaving($0) } ?? DaylightSavingPolicy()
    guard let text = ruleText(item, expected: "a rule such as \"30 2 * * *\"") else { return nil }
    if text == "@reboot" {
      if let dst { warnOfDaylightSaving(dst, because: "it names no time of the day") }
      var delay: ElapsedTime? = .zero
      if let item = fields["delay"] { delay = reading.elapsed(item, atLeast: .zero) }
      return delay.map {
        .explicit(ExplicitSchedule(startOfMachine: reading.context.startOfMachine, delay: $0))
      }
    }
    let expression: CronExpression
    do throws(TextError) {
      expression = try CronExpression(parsing: text)
    } catch {
      reading.log.error(
        "`\(item.path)` is not a cron rule", at: place(of: error.offset, in: text, item), label: error.reason,
        help: RuleHelp.cron(text, error))
      return nil
    }
    warn(CronExpression.warnings(in: text), about: item, text)
    if let dst, !expression.fixesTimeOfDay {
      warnOfDaylightSaving(dst, because: "its minute or hour begins with `*`")
    }
    guard let zone, let policy else { return nil }
    let rule = ScheduleRule.cron(CronSchedule(expression: expression, zone: zone, daylightSaving: policy))
    warnOfEmptyDay(
      item, of: rule,
      help: "with numbers for the `*`, `dst` decides: { cron = \"\(expression.atFixedTimes)\" }")
    return rule
  }

  /// Whether the schedule is `@reboot`, or has a `cron` that is not a text.
  func isOfStartOfMachine(_ fields: Fields) -> Bool {
    guard let item = fields["cron"] else { return false }
    guard case .string(let text) = item.value.content else { return true }
    return text == "@reboot"
  }

  /// Refuses a `delay` beside a rule other than `@reboot`.
  func refuseDelay(_ item: Item) {
    reading.log.error(
      "`\(item.path)` is the time from the start of the machine, which this schedule does not name",
      at: item.keyPlace, label: "expected it beside `cron = \"@reboot\"`",
      help: ["leave it out; `jitter` delays starts by a pseudo-random time"])
  }

  /// Refuses a `dst` beside another kind of schedule.
  func refuseDaylightSaving(_ item: Item) {
    reading.log.error(
      "`\(item.path)` stands beside no `cron`, `calendar`, `civil` or `rrule`", at: item.keyPlace,
      label: "expected a rule that changes of the clocks concern", help: ["leave `dst` out"])
  }

  /// Warns that a `dst` has no effect.
  func warnOfDaylightSaving(_ item: Item, because reason: String) {
    reading.log.warning(
      "`\(item.path)` changes nothing: the rule follows real time, since \(reason)", at: item.keyPlace,
      help: ["leave it out"])
  }

  /// Returns the value of `dst`; `nil` after its errors have been reported. What it leaves out is that of `standard`.
  func daylightSaving(
    _ item: Item, instead standard: DaylightSavingPolicy = DaylightSavingPolicy()
  ) -> DaylightSavingPolicy? {
    let example = "it looks like { gap = \"run-at-end\", fold = \"first\" }"
    guard let entries = reading.table(item, expected: "a table with `gap` and `fold`", help: [example]) else {
      return nil
    }
    let fields = Fields(entries, of: .daylightSaving, path: item.path + ".", in: reading)
    var policy = standard
    var isRight = true
    if let gap = fields["gap"] {
      if let choice = reading.choice(gap, of: DaylightSavingPolicy.Gap.self) {
        policy.gap = choice
      } else {
        isRight = false
      }
    }
    if let fold = fields["fold"] {
      if let choice = reading.choice(fold, of: DaylightSavingPolicy.Fold.self) {
        policy.fold = choice
      } else {
        isRight = false
      }
    }
    return isRight ? policy : nil
  }

  /// Returns the place of `length` bytes at `offset` of a string; the place of the whole string if the string is not
  /// written verbatim in the file.
  func place(of offset: Int, length: Int = 1, in text: String, _ item: Item) -> SourcePlace {
    let (begin, end) = (item.value.begin, item.value.end)
    let isVerbatim = begin.line == end.line && end.column - begin.column == text.unicodeScalars.count + 2
    guard isVerbatim else { return item.place }
    // Continuation bytes of UTF-8 are not counted, because their scalar has been counted.
    func scalarCount(_ bytes: Int) -> Int { text.utf8.prefix(bytes).count { $0 & 0xC0 != 0x80 } }
    let (first, past) = (scalarCount(offset), scalarCount(offset + length))
    return reading.source.place(
      TextPosition(line: begin.line, column: begin.column + 1 + first),
      TextPosition(line: begin.line, column: begin.column + 1 + max(past, first + 1)))
  }
}
