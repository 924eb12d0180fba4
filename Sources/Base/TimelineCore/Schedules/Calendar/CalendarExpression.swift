/// A rule in the language of systemd's `OnCalendar=`: the days on which a job runs and the times of those days.
///
/// Read from text by ``init(parsing:)`` and printed as `systemd-analyze calendar` normalizes it. At least one instant matches:
/// the parser refuses a rule without a match, for example 30 February. A rule and a ``Zone`` make a ``CalendarSchedule``; the
/// zone is the rule's, if the rule names a zone. Copies share their storage.
public struct CalendarExpression: Sendable {
  let storage: CalendarStorage

  init(_ fields: CalendarFields) {
    storage = CalendarStorage(fields)
  }

  /// The zone at the end of the rule, such as `Europe/Berlin`; `UTC` in capitals however it was written.
  public var zoneName: String? { storage.fields.zoneName }

  /// Whether the rule names times of the day, which a clock change can skip or repeat.
  ///
  /// True if neither its minutes nor its hours are `*` or have a step without an end such as `00/2`. All other rules
  /// follow real time.
  public var fixesTimeOfDay: Bool { storage.fixesTimeOfDay }

  var isFinerThanSeconds: Bool { storage.isFinerThanSeconds }
}

extension CalendarExpression: Hashable {
  /// Whether both rules have the same canonical form.
  public static func == (left: CalendarExpression, right: CalendarExpression) -> Bool {
    left.storage === right.storage || left.storage.fields == right.storage.fields
  }

  /// Feeds the canonical form into `hasher`.
  public func hash(into hasher: inout Hasher) { hasher.combine(storage.fields) }
}

/// The parts of a rule as they are written, in canonical order; an empty list is `*`.
struct CalendarFields: Sendable, Hashable {
  /// Bit 0 for Sunday to bit 6 for Saturday.
  var weekdays: UInt64 = 0x7F
  var years: [CalendarComponent] = []
  var months: [CalendarComponent] = []
  var days: [CalendarComponent] = []
  /// `~`: whether days count from the end of the month, 1 for the last.
  var daysCountFromEnd = false
  var hours = [CalendarComponent(start: 0)]
  var minutes = [CalendarComponent(start: 0)]
  /// In microseconds; never empty.
  var seconds = [CalendarComponent(start: 0)]
  var zoneName: String?
}

/// A rule prepared for searching; shared by all copies of it and never changed.
final class CalendarStorage: Sendable {
  let fields: CalendarFields
  /// Bit n of word k for the year 1970 + 64 k + n; `nil` for every year.
  let years: [UInt64]?
  let months: UInt64
  /// The days of months of 28, 29, 30 and 31 days: bit d for day d.
  let days: [UInt64]
  let hours: UInt64
  let minutes: UInt64
  let seconds: SecondsOfMinute
  let fixesTimeOfDay: Bool
  /// The seconds of a minute if all are whole, bit n for second n; otherwise 0.
  let secondBits: UInt64
  /// The weekdays, if the weekday alone decides whether a day matches; 0 if the date counts too.
  let weekdaysAlone: UInt64

  /// The years that a field can name one by one.
  static let years = 1_970...2_262

  init(_ fields: CalendarFields) {
    self.fields = fields
    years =
      fields.years.isEmpty
      ? nil
      : fields.years.reduce(into: Array(repeating: 0, count: 5)) { words, component in
        for year in component.numbers(through: Self.years.upperBound) {
          words[(year - 1_970) / 64] |= 1 << UInt64((year - 1_970) % 64)
        }
      }
    months = Self.mask(of: fields.months, 1...12)
    let days = Self.mask(of: fields.days, 1...31, isFromEnd: fields.daysCountFromEnd)
    self.days = (28...31).map { count in
      guard fields.daysCountFromEnd else { return days & (2 << UInt64(count) - 2) }
      return (1...count).reduce(0) { $0 | (days >> UInt64(count + 1 - $1) & 1) << UInt64($1) }
    }
    hours = Self.mask(of: fields.hours, 0...23)
    minutes = Self.mask(of: fields.minutes, 0...59)
    seconds = SecondsOfMinute(fields.seconds)
    fixesTimeOfDay = [fields.hours, fields.minutes].allSatisfy { field in
      !field.isEmpty && field.allSatisfy { $0.step == 0 || $0.stop != nil }
    }
    secondBits = seconds.wholeSeconds
    let isEveryDate = years == nil && months == 0x1FFE && days == 0xFFFF_FFFE
    weekdaysAlone = isEveryDate ? fields.weekdays : 0
  }

  /// Whether two matches can be less than a second apart, within a minute or across the start of a minute.
  var isFinerThanSeconds: Bool {
    let next = minutes >> 1 | (minutes & 1) << 59
    return seconds.shortestGap < 1_000_000 || minutes & next != 0 && seconds.gapToNextMinute < 1_000_000
  }

  /// The numbers of a field as bits; a step of days counted from the end of the month leads towards the end.
  private static func mask(
    of field: [CalendarComponent], _ bounds: ClosedRange<Int>, isFromEnd: Bool = false
  ) -> UInt64 {
    if field.isEmpty { return bounds.reduce(0) { $0 | 1 << UInt64($1) } }
    return field.reduce(0) { mask, component in
      if isFromEnd, component.step > 0, component.stop == nil {
        return stride(from: component.start, through: 1, by: -component.step).reduce(mask) {
          $0 | 1 << UInt64($1)
        }
      }
      return component.numbers(through: bounds.upperBound).reduce(mask) { $0 | 1 << UInt64($1) }
    }
  }
}
