/// A cron that has run a crontab; each reads some lines in its own way.
///
/// | line | Debian's cron | others |
/// |---|---|---|
/// | `0 0 13 * 5` | one of the days matches | bcron 0.11, systemd-cron 1.15 and 2.5: both match, also for `1-31` |
/// | `0 0 */2 * 1` | both match, days are odd | busybox 1.35: one matches, days are even |
/// | `* * * * 6-7` | Saturday and Sunday | systemd-cron 1.15: a range up to 7 is empty, and a field without a day is every day; busybox: every day, also for `7` |
/// | `0 22-4 * * *` | never | busybox: ranges wrap |
/// | `0 0 1 nov *` | November | systemd-cron 1.15: October, and `oct` is never |
/// | `5~9` | 5 | cronie 1.7: random, chosen at its start; systemd-cron 2.5: random, chosen at each reload of systemd |
/// | `5#2` | 5 | cronie 1.7 refuses text that Debian's cron ignores |
/// | `@weekly` | Sunday | systemd-cron: Monday; missed runs of every word except `@reboot` are caught up |
/// | a wrong line | its whole file is ignored | others ignore only the line |
package enum CronProgram: String, Sendable, CaseIterable {
  /// The package `cron` of Debian.
  case debian
  case cronie
  case systemdCron = "systemd-cron"
  case bcron
  case busybox

  /// Whether the day of the month and the day of the week must always both match.
  var alwaysNeedsBothDays: Bool { self == .bcron || self == .systemdCron }

  var title: String { self == .debian ? "Debian's cron" : rawValue }

  /// Returns the difference of a job from a line with a random minute.
  func differenceOfRandomMinute(_ first: String) -> String {
    let start =
      switch self {
      case .debian, .bcron, .busybox:
        "Debian's cron runs it at minute \(first); cronie and systemd-cron draw the minute"
      case .cronie: "cronie draws the minute whenever it starts"
      case .systemdCron:
        "systemd-cron 1.15 runs no line with it, and the job follows 2.5, which draws the minute at each reload of systemd"
      }
    return "`~`: \(start); here it is fixed for each job and machine"
  }
}

extension CrontabFields {
  /// Changes the days for a cron that requires both days to match.
  mutating func adapt(to program: CronProgram) {
    guard program.alwaysNeedsBothDays, !needsBothDays else { return }
    needBothDays()
    differences.append("the day of the month and the day of the week must both match")
  }

  private var hasAllDays: Bool { daysOfMonth == 0xFFFF_FFFE }
  private var hasAllWeekdays: Bool { daysOfWeek & 0x7F == 0x7F }

  /// Makes the rule require both days, even if neither field begins with `*`, which has this meaning in a rule.
  private mutating func needBothDays() {
    needsBothDays = true
    if hasAllDays {
      write("*", .dayOfMonth)
    } else if hasAllWeekdays {
      write("*", .dayOfWeek)
    } else {
      let names = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
      let days = names.indices.filter { daysOfWeek >> UInt64($0) & 1 == 1 }.map { names[$0] }
      let date = "*-\(Self.list(months, .month))-\(Self.list(daysOfMonth, .dayOfMonth))"
      calendar =
        "\(days.joined(separator: ",")) \(date) \(Self.list(hours, .hour)):\(Self.list(minutes, .minute))"
    }
  }

  /// Replaces the fields, as Debian's cron reads them, by the fields that busybox reads. `self` is empty if Debian's
  /// cron refuses the texts.
  mutating func adapt(to busybox: BusyboxFields, _ texts: [Substring]) throws(CrontabRefusal) {
    let debian = self
    (minutes, hours, months) = (busybox[.minute], busybox[.hour], busybox[.month])
    daysOfMonth = busybox[.dayOfMonth] & 0xFFFF_FFFE
    daysOfWeek = busybox[.dayOfWeek] | (busybox[.dayOfWeek] & 1) << 7
    (ignored, randomMinutes, isRefusedByCron) = ([], 0, false)
    for field in Field.allCases where set(field) != debian.set(field) {
      let list = Self.list(field == .dayOfWeek ? set(field) & 0x7F : set(field), field)
      guard !list.isEmpty else {
        throw CrontabRefusal(
          reason: "`\(texts[field.rawValue])`: busybox reads no number: correct it", isCrons: false)
      }
      write(list, field)
      differences.append("`\(texts[field.rawValue])` is \(list == "*" ? "every value" : list)")
    }
    needsBothDays = !busybox.countsDayOfMonth || !busybox.countsDayOfWeek
    if !busybox.countsDayOfMonth { write("*", .dayOfMonth) }
    if !busybox.countsDayOfWeek { write("*", .dayOfWeek) }
    if !needsBothDays {
      if text(.dayOfMonth).hasPrefix("*") {
        write(Self.list(daysOfMonth, .dayOfMonth, stars: false), .dayOfMonth)
      }
      if text(.dayOfWeek).hasPrefix("*") { write(Self.list(daysOfWeek & 0x7F, .dayOfWeek), .dayOfWeek) }
    }
    if needsBothDays != debian.needsBothDays, dates != debian.dates {
      differences.append(
        needsBothDays
          ? "a day field with all its values does not count"
          : "one of the day of the month and the day of the week must match")
    }
  }

  private func set(_ field: Field) -> UInt64 {
    switch field {
    case .minute: minutes
    case .hour: hours
    case .dayOfMonth: daysOfMonth
    case .month: months
    case .dayOfWeek: daysOfWeek
    }
  }

  /// Whether the line is due, for each combination of a day of the month and a day of the week.
  private var dates: [Bool] {
    var dates: [Bool] = []
    for day in 1...31 {
      for weekday in 0...6 {
        let isOfMonth = daysOfMonth >> UInt64(day) & 1 == 1
        let isOfWeek = daysOfWeek >> UInt64(weekday) & 1 == 1
        dates.append(needsBothDays ? isOfMonth && isOfWeek : isOfMonth || isOfWeek)
      }
    }
    return dates
  }

  @inline(never) private func text(_ field: Field) -> String {
    rule.split(separator: " ").map(String.init)[field.rawValue]
  }

  @inline(never) private mutating func write(_ text: String, _ field: Field) {
    var texts = rule.split(separator: " ").map(String.init)
    texts[field.rawValue] = text
    rule = texts.joined(separator: " ")
  }

  /// Returns the numbers of a set as a list, or `*` for all numbers.
  @inline(never) private static func list(_ bits: UInt64, _ field: Field, stars: Bool = true) -> String {
    let numbers = field.bounds.filter { bits >> UInt64($0) & 1 == 1 }
    let count = field == .dayOfWeek ? 7 : field.bounds.count
    return numbers.count == count && stars ? "*" : numbers.map(String.init).joined(separator: ",")
  }
}
