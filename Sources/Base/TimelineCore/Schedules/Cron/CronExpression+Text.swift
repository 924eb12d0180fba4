extension CronExpression: CustomStringConvertible {
  /// The rule in its canonical form: five fields, or six when it has entries at other seconds than 0; numbers for names.
  ///
  /// Reading it returns the same rule. A leading `*` that affects daylight saving or days is neither added nor removed.
  public var description: String {
    if let plain = plainDescription { return plain }
    var fields = [
      text(of: .minute), text(of: .hour),
      Self.joined(text(of: .dayOfMonth), calendarDays.textOfMonth),
      text(of: .month),
      Self.joined(text(of: .dayOfWeek), calendarDays.textOfWeek),
    ]
    if secondBits != 1 { fields.insert(text(of: .second), at: 0) }
    return fields.joined(separator: " ")
  }

  /// The text of a rule whose fields are each one number or `*`, as in nearly every rule. Fast, because 100,000 rules
  /// may have to be written.
  private var plainDescription: String? {
    guard calendarDays.isEmpty else { return nil }
    var text = ""
    for field in CronField.allCases {
      let value = value(of: field)
      if field == .second, value.mask == 1 { continue }
      if !text.isEmpty { text += " " }
      if value.beginsWithStar, value.mask == field.all {
        text += "*"
      } else if !value.beginsWithStar, value.mask.nonzeroBitCount == 1 {
        text += String(value.mask.trailingZeroBitCount)
      } else {
        return nil
      }
    }
    return text
  }

  private func text(of field: CronField) -> String { field.text(of: value(of: field)) }

  private static func joined(_ numbers: String, _ others: [String]) -> String {
    ((numbers.isEmpty ? [] : [numbers]) + others).joined(separator: ",")
  }
}

extension CronField {
  /// The field as it is written: its leading `*` or `*/2`, if it has one, then the rest as numbers, ranges and steps.
  func text(of value: CronFieldValue) -> String {
    var parts: [String] = []
    var rest = value.mask
    if value.beginsWithStar, let step = starStep(in: value.mask) {
      parts.append(step == 1 ? "*" : "*/\(step)")
      rest &= ~progression(by: step)
    }
    return (parts + ranges(of: rest)).joined(separator: ",")
  }

  /// The smallest step by which `*/step` allows only numbers of `mask`.
  private func starStep(in mask: UInt64) -> Int? {
    (1...numbers.count).first { progression(by: $0) & ~mask == 0 }
  }

  /// Whether the numbers are better written with a leading `*`, in fields in which it has no effect.
  func isProgression(_ mask: UInt64) -> Bool {
    mask.nonzeroBitCount > 2 && starStep(in: mask).map { progression(by: $0) == mask } == true
  }

  private func ranges(of mask: UInt64) -> [String] {
    let all = numbers.filter { mask >> UInt64($0) & 1 == 1 }
    if all.count > 2, all[1] - all[0] > 1, let last = all.last,
      Self.mask(of: all[0]...last, by: all[1] - all[0]) == mask
    {
      return ["\(all[0])-\(last)/\(all[1] - all[0])"]
    }
    var parts: [String] = []
    var rest = all[...]
    while let first = rest.first {
      let run = rest.enumerated().prefix { $0.element == first + $0.offset }.count
      parts += run > 2 ? ["\(first)-\(first + run - 1)"] : rest.prefix(run).map(String.init)
      rest = rest.dropFirst(run)
    }
    return parts
  }
}

extension CronCalendarDays {
  fileprivate var textOfMonth: [String] {
    (hasLastDay ? ["L"] : []) + (hasLastWorkday ? ["LW"] : [])
      + (1...31).filter { nearestWorkdays >> UInt64($0) & 1 == 1 }.map { "\($0)W" }
  }

  fileprivate var textOfWeek: [String] {
    (0..<7).filter { lastWeekdays >> UInt64($0) & 1 == 1 }.map { "\($0)L" }
      + (0..<5).flatMap { week in
        (0..<7).filter { numberedWeekdays >> UInt64(8 * week + $0) & 1 == 1 }.map { "\($0)#\(week + 1)" }
      }
  }
}
