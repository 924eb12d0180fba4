extension CalendarExpression: CustomStringConvertible {
  /// The rule in its canonical form, such as `Mon..Fri *-*-* 08:00:00 Europe/Berlin`; reading it returns the same rule.
  public var description: String {
    let fields = storage.fields
    var text = fields.weekdays == 0x7F ? "" : Self.text(ofWeekdays: fields.weekdays) + " "
    text += CalendarField.year.text(of: fields.years) + "-" + CalendarField.month.text(of: fields.months)
    text += (fields.daysCountFromEnd ? "~" : "-") + CalendarField.day.text(of: fields.days)
    text +=
      " " + CalendarField.hour.text(of: fields.hours) + ":" + CalendarField.minute.text(of: fields.minutes)
    text += ":" + CalendarField.second.text(of: fields.seconds)
    return fields.zoneName.map { "\(text) \($0)" } ?? text
  }

  /// Days of the week, Monday first: `Mon..Wed,Fri,Sat`.
  static func text(ofWeekdays weekdays: UInt64) -> String {
    let set = weekdays >> 1 | (weekdays & 1) << 6
    var parts: [String] = []
    var day = 0
    while day < 7 {
      var end = day
      while set >> UInt64(end) & 1 == 1, end < 7 { end += 1 }
      switch end - day {
      case 0: end += 1
      case 1: parts.append(CalendarWeekday.names[day])
      case 2: parts += [CalendarWeekday.names[day], CalendarWeekday.names[day + 1]]
      default: parts.append("\(CalendarWeekday.names[day])..\(CalendarWeekday.names[end - 1])")
      }
      day = end
    }
    return parts.joined(separator: ",")
  }
}

/// The days of the week in the words of calendar rules.
enum CalendarWeekday {
  /// The short names, Monday first.
  static let names = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
  /// The long names, Monday first.
  static let longNames = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]

  /// The bit of a day, counted from Monday as 0, where Sunday has bit 0.
  static func bit(_ index: Int) -> UInt64 { 1 << UInt64((index + 1) % 7) }
}

extension CalendarField {
  /// The field as it is written: `*`, or its elements with commas between.
  func text(of components: [CalendarComponent]) -> String {
    if components.isEmpty || self == .second && components == [Self.everySecond] { return "*" }
    return components.map(text).joined(separator: ",")
  }

  /// The meaning of `*` for seconds: every second, not every microsecond.
  static let everySecond = CalendarComponent(start: 0, step: 1_000_000)

  private func text(_ component: CalendarComponent) -> String {
    var text = number(component.start, digits: self == .year ? 1 : 2)
    if let stop = component.stop { text += ".." + number(stop, digits: self == .year ? 1 : 2) }
    if component.step > 0, component.stop == nil || component.step != unit {
      text += "/" + number(component.step, digits: 1)
    }
    return text
  }

  /// A number of the field; fractions of a second have six digits.
  func number(_ number: Int, digits: Int) -> String {
    var text = ASCIIText()
    text.append(UInt64(number / unit), digits: digits)
    if number % unit > 0 {
      text.append(UInt8(ascii: "."))
      text.append(UInt64(number % unit), digits: 6)
    }
    return text.string
  }
}
