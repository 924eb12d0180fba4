import TimelineCore

extension ScheduleReader {
  /// Returns the rule of `calendar`; `dst` is the key beside it.
  func calendar(_ item: Item, daylightSaving dst: Item?) -> ScheduleRule? {
    let policy = dst.map { daylightSaving($0) } ?? DaylightSavingPolicy()
    let expected = "a rule such as \"Mon..Fri 08:00\""
    guard let text = ruleText(item, expected: expected) else { return nil }
    let expression: CalendarExpression
    do throws(TextError) {
      expression = try CalendarExpression(parsing: text)
    } catch {
      reading.log.error(
        "`\(item.path)` is not a calendar rule", at: place(of: error.offset, in: text, item),
        label: error.reason, help: RuleHelp.calendar(text, error))
      return nil
    }
    warn(CalendarExpression.warnings(in: text), about: item, text)
    if let dst, !expression.fixesTimeOfDay {
      warnOfDaylightSaving(dst, because: "its hour or minute is `*` or goes on in steps")
    }
    guard let zone = self.zone(of: expression, in: text, item), let policy else { return nil }
    let rule = ScheduleRule.calendar(
      CalendarSchedule(expression: expression, zone: zone, daylightSaving: policy))
    warnOfEmptyDay(
      item, of: rule, help: "write the hour and the minutes as numbers without steps: then `dst` decides")
    return rule
  }

  /// Returns the zone at the end of the rule, or the job's zone if the rule has none.
  private func zone(of expression: CalendarExpression, in text: String, _ item: Item) -> Zone? {
    guard let name = expression.zoneName else { return zone }
    // A zone is the last word of the rule.
    let length = text.split(separator: " ").last?.utf8.count ?? 0
    let place = place(of: text.utf8.count - length, length: length, in: text, item)
    if let zone = reading.zone(named: name) {
      reading.warnOfZone(name, at: place)
      return zone
    }
    reading.lackZone(name, at: place)
    return nil
  }
}
