/// The five time fields of a line as sets of bits, parsed as by Debian's cron (entry.c, `get_list`).
struct CrontabFields: Equatable, Sendable {
  /// Bit n is the number n. For days of the week, both 0 and 7 are Sunday.
  var minutes: UInt64
  var hours: UInt64
  var daysOfMonth: UInt64
  var months: UInt64
  var daysOfWeek: UInt64
  /// Whether the minute or the hour begins with `*`. The line then follows local time through a clock change.
  var isWildcard: Bool
  /// Whether a day field begins with `*`. Both day fields must then match.
  var needsBothDays: Bool
  /// The fields in the form of a rule, without the parts that cron ignores.
  var rule: String
  /// Range of cron's random minute after the rule's minute (`0~30`), in minutes; 0 for no random minute.
  var randomMinutes = 0
  /// Parts that cron ignores.
  var ignored: [String] = []
  /// Whether Debian's cron refuses the fields, although they are read here.
  var isRefusedByCron = false
  /// The fields as a calendar rule, if no cron rule has the same meaning; otherwise `nil`.
  var calendar: String?
  /// Differences between this cron and Debian's cron in reading the fields, as clauses.
  var differences: [String] = []
  /// Readings that depend on the version of the cron.
  var versions: [VersionedReading] = []

  /// The fields in order, with the names that they accept.
  enum Field: Int, CaseIterable {
    case minute, hour, dayOfMonth, month, dayOfWeek

    var bounds: ClosedRange<Int> {
      switch self {
      case .minute: 0...59
      case .hour: 0...23
      case .dayOfMonth: 1...31
      case .month: 1...12
      case .dayOfWeek: 0...7
      }
    }

    /// The noun for messages, with its article.
    var title: String {
      switch self {
      case .minute: "a minute"
      case .hour: "an hour"
      case .dayOfMonth: "a day of the month"
      case .month: "a month"
      case .dayOfWeek: "a day of the week"
      }
    }

    /// Returns the value of the name of a month or a day.
    func value(ofName name: Substring) -> Int? {
      let names =
        switch self {
        case .month: ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]
        case .dayOfWeek: ["sun", "mon", "tue", "wed", "thu", "fri", "sat", "sun"]
        default: [String]()
        }
      return names.firstIndex(of: name.lowercased()).map { $0 + bounds.lowerBound }
    }
  }

  /// Reads five fields. Throws the first error that Debian's cron also refuses; without such an error, the first
  /// error.
  init(_ texts: [Substring], by program: CronProgram = .debian) throws(CrontabRefusal) {
    var refusal: CrontabRefusal?
    var sets: [UInt64] = []
    var written: [String] = []
    for (field, text) in zip(Field.allCases, texts) {
      var list = CrontabList(field: field, text: text, by: program)
      do throws(CrontabRefusal) {
        try list.read()
      } catch {
        if refusal.map({ error.isCrons && !$0.isCrons }) ?? true { refusal = error }
      }
      sets.append(list.bits)
      // Never an empty text, so that the following fields keep their positions.
      written.append(list.elements.isEmpty ? "-" : list.elements.joined(separator: ","))
      ignored += list.ignored
      randomMinutes += list.randomMinutes
      isRefusedByCron = isRefusedByCron || list.isRefusedByCron
      differences += list.differences
      versions += list.versions
    }
    (minutes, hours, daysOfMonth, months) = (sets[0], sets[1], sets[2], sets[3])
    daysOfWeek = sets[4] & 0x81 == 0 ? sets[4] : sets[4] | 0x81
    isWildcard = texts[0].hasPrefix("*") || texts[1].hasPrefix("*")
    needsBothDays = texts[2].hasPrefix("*") || texts[4].hasPrefix("*")
    rule = written.joined(separator: " ")
    if program == .busybox {
      try adapt(to: BusyboxFields(texts), texts)
      return
    }
    if var refusal {
      refusal.isCrons = refusal.isCrons || isRefusedByCron
      throw refusal
    }
    if program == .systemdCron, ["oct", "nov", "dec"].contains(where: texts[3].lowercased().contains) {
      versions.append(
        VersionedReading(
          clause:
            "version 1.15 runs `oct` never, `nov` in October and `dec` in November, and 2.5 as it is written",
          followed: "2.5"))
    }
    adapt(to: program)
  }
}

/// A reading of a line that differs between versions of a cron.
struct VersionedReading: Equatable, Sendable {
  /// The readings of the versions.
  var clause: String
  /// The version that a job follows.
  var followed: String
}

/// The reason why a line is not carried.
struct CrontabRefusal: Error, Equatable {
  var reason: String
  /// Whether cron also refuses the line, and therefore the whole file.
  var isCrons = true
  /// The user's column, if cron has read it before the error.
  var user: String?
}
