import TimelineCore

/// Holiday lists declared by tables `[holidays.NAME]`.
struct HolidayTable {
  /// Lists without errors.
  private(set) var lists: [String: HolidayEvents] = [:]
  /// Contents of the lists' files, by path.
  private(set) var files: [String: [UInt8]] = [:]
  /// The output of ``ConfigurationContext/calendar`` for each iCalendar file, by path.
  private(set) var calendars: [String: [UInt8]] = [:]
  private let days = HolidayDays()
  /// Missing requirements by lists with an unreadable file. Only with
  /// ``ConfigurationContext/keepsJobsThatLackFiles``.
  private(set) var lacks: [String: MissingRequirement] = [:]
  /// Warnings about lists with an unreadable file, whose former days stay in force.
  private(set) var cautions: [String: Diagnostic] = [:]
  private var places: [String: SourcePlace] = [:]

  /// Names of all lists, including lists with errors.
  var names: [String] { places.keys.sorted() }

  /// Whether there is a table with the name, with or without errors.
  func isKnown(_ name: String) -> Bool { places[name] != nil }

  /// Returns the days of a list in local time of `zone`; `nil` if no list with the name was read without an error.
  func list(named name: String, in zone: Zone) -> HolidayList? {
    lists[name].map { days.list(of: $0, in: zone) }
  }

  /// Reads one list.
  mutating func read(_ entry: TOMLEntry, _ reading: FileReading) {
    let place = entry.place
    if let first = places[entry.key] {
      return reading.log.error(
        "there are two lists of holidays `\(entry.key)`", at: place, label: "expected another name",
        help: ["rename one, or leave it out"],
        notes: [Diagnostic.Note(message: "the first is here", place: first)])
    }
    places[entry.key] = place
    if JobName(entry.key) == nil {
      reading.log.error(
        "\"\(entry.key)\" cannot name holidays", at: place,
        label: "expected 1 to \(JobName.lengthMax) letters, digits, `-`, `_` or `.`, a letter or digit first")
    }
    guard places.count <= ConfigurationLimits.holidayListCountMax else {
      return reading.log.error(
        "there are too many lists of holidays", at: place,
        label: "expected at most \(ConfigurationLimits.holidayListCountMax)")
    }
    guard case .table(let entries) = entry.value.content else {
      return reading.log.error(
        "`holidays.\(entry.key)` is \(entry.value.kind)", at: entry.value.place,
        label: "expected a table", help: ["such as [holidays.\(entry.key)] with `dates = [2026-12-25]` in it"]
      )
    }
    let fields = Fields(entries, of: .holidays, path: "holidays.\(entry.key).", in: reading)
    defer { checkEnd(of: entry.key, at: place, reading) }
    switch (fields["dates"], fields["file"]) {
    case (let item?, nil):
      lists[entry.key] = dates(item, reading).map { HolidayEvents(name: entry.key, dates: $0) }
    case (nil, let item?): lists[entry.key] = file(item, name: entry.key, reading)
    case (nil, nil):
      reading.log.error(
        "the holidays `\(entry.key)` have no days", at: place, label: "expected `dates` or `file` in it",
        help: ["such as `dates = [2026-12-25]` or `file = \"/etc/timelined/holidays.ics\"`"])
    case (_?, let file?):
      reading.log.error(
        "the holidays `\(entry.key)` have `dates` and a `file`", at: file.keyPlace,
        label: "expected one of the two")
    }
  }

  /// Warns about a list that is empty, has ended or ends soon. After its last day, no day is a holiday, neither for
  /// `except` nor for `only`.
  private func checkEnd(of name: String, at place: SourcePlace, _ reading: FileReading) {
    guard let now = reading.context.now, let days = list(named: name, in: .utc)?.dates else { return }
    guard let last = days.last else {
      return reading.log.warning(
        "the holidays `\(name)` have no day", at: place, help: ["add the days, or leave the list out"])
    }
    // In the zone where days begin last, the date is a day earlier than in UTC.
    let isPast = last < Zone.utc.civil(at: now - .days(1)).date
    guard last < Zone.utc.civil(at: now + .days(Int64(ConfigurationLimits.holidayDaysAhead))).date else {
      return
    }
    reading.log.warning(
      isPast
        ? "the holidays `\(name)` are all past: no day is a holiday any more"
        : "the holidays `\(name)` end within a year: no day is a holiday after that",
      at: place, label: "the last is \(last)", help: ["add the days of the years to come"])
  }

  private func dates(_ item: Item, _ reading: FileReading) -> [CivilDate]? {
    let help = ["dates look like [2026-12-25, 2026-12-26]"]
    guard let items = reading.array(item, expected: "an array of dates", help: help) else { return nil }
    guard items.count <= HolidayList.dayCountMax else {
      reading.log.error(
        "`\(item.path)` has \(items.count) dates", at: item.place,
        label: "expected at most \(HolidayList.dayCountMax)")
      return nil
    }
    let dates = items.map { item -> CivilDate? in
      if case .localDate(let date) = item.value.content { return date }
      var help: [String] = []
      if case .string(let text) = item.value.content, HolidayLines.date(Substring(text)) != nil {
        help = ["write it without quotes: \(text)"]
      }
      reading.wrongKind(item, expected: "a date such as 2026-12-25", help: help)
      return nil
    }
    return dates.contains(nil) ? nil : dates.compactMap(\.self)
  }

  private mutating func file(_ item: Item, name: String, _ reading: FileReading) -> HolidayEvents? {
    guard let path = reading.absolutePath(item) else { return nil }
    let bytes: [UInt8]
    switch reading.context.file(path) {
    case .success(let contents): bytes = contents
    case .failure(let refusal):
      let message = "the holidays `\(name)` cannot be read: \(refusal.reason)"
      if let former = reading.context.formerFile(path) {
        cautions[name] = Diagnostic(
          severity: .warning, place: item.place, message: message,
          help: [
            "jobs go on by the days read before, and do not run after a restart: put the file there again"
          ])
        bytes = former
        break
      }
      lack(
        name,
        Diagnostic(
          place: item.place, message: message, label: "expected a file",
          help: ["correct the path, or put the file there; until then a list can have `dates` instead"]),
        reading, isOfOthers: refusal.isOfOthers)
      return nil
    }
    files[path] = bytes
    var source = ConfigurationSource(path: path, bytes: bytes)
    source.isPrivate = reading.context.isPrivate(path)
    let text = SourceText(source)
    guard bytes.count <= ConfigurationLimits.fileByteCountMax else {
      lack(
        name,
        Diagnostic(
          place: item.place, message: "\"\(path)\" is too large for a list of holidays",
          label: "expected at most \(ConfigurationLimits.fileByteCountMax) bytes"), reading)
      return nil
    }
    if Self.isCalendar(path, bytes) { return calendar(path, bytes, name: name, text, item, reading) }
    do throws(HolidayLines.Failure) {
      return HolidayEvents(name: name, dates: try HolidayLines.dates(of: text))
    } catch {
      lack(name, damage(error.reason, error.position, in: text, item), reading)
    }
    return nil
  }

  private mutating func calendar(
    _ path: String, _ bytes: [UInt8], name: String, _ text: SourceText, _ item: Item, _ reading: FileReading
  ) -> HolidayEvents? {
    // The period begins with a whole year, so that the days of a list stay the same until the next year.
    let year = Zone.utc.civil(at: reading.context.now ?? .epoch).date.year
    switch reading.context.calendar(path, bytes, year - 1...year + ConfigurationLimits.holidayYearsAhead) {
    case .failure(let refusal):
      lack(
        name,
        Diagnostic(
          place: item.place, message: "the holidays `\(name)` cannot be read: \(refusal.reason)",
          label: "expected a calendar that can be read"), reading)
    case .success(let output):
      calendars[path] = output
      do throws(CalendarLines.Failure) {
        return try CalendarLines { reading.zone(named: $0) }.events(of: output, name: name)
      } catch {
        // The column counts bytes. This is the same as scalars, because errors in a calendar are in ASCII parts.
        let position = TextPosition(line: error.line, column: error.column)
        lack(name, damage(error.reason, position, in: text, item), reading)
      }
    }
    return nil
  }

  /// Whether a file is iCalendar, by its name or its first line.
  private static func isCalendar(_ path: String, _ bytes: [UInt8]) -> Bool {
    let name = path.lowercased()
    if [".ics", ".ical", ".ifb", ".icalendar"].contains(where: name.hasSuffix) { return true }
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    let text = bytes.dropFirst(bytes.starts(with: mark) ? mark.count : 0).prefix(15)
    return String(decoding: text, as: UTF8.self).uppercased() == "BEGIN:VCALENDAR"
  }

  private func damage(
    _ reason: String, _ position: TextPosition, in text: SourceText, _ item: Item
  ) -> Diagnostic {
    Diagnostic(
      place: text.place(position), message: "the file is not a list of holidays", label: reason,
      notes: [Diagnostic.Note(message: "it is named here", place: item.place)])
  }

  /// Refuses the configuration because of an unavailable file. With ``ConfigurationContext/keepsJobsThatLackFiles``,
  /// warns instead and records the requirement for the jobs that name the list.
  private mutating func lack(
    _ name: String, _ diagnostic: Diagnostic, _ reading: FileReading, isOfOthers: Bool = false
  ) {
    guard reading.context.keepsJobsThatLackFiles else { return reading.log.report(diagnostic) }
    lacks[name] = MissingRequirement(diagnostic: diagnostic, isOfOthers: isOfOthers)
    var warning = diagnostic
    warning.severity = .warning
    reading.log.report(warning)
  }
}

/// Days of lists in zones, each computed once per reading of the files.
private final class HolidayDays {
  private struct Key: Hashable {
    var name: String
    var zone: String
  }

  private var lists: [Key: HolidayList] = [:]

  func list(of events: HolidayEvents, in zone: Zone) -> HolidayList {
    let key = Key(name: events.name, zone: events.isSameInEveryZone ? "" : zone.name)
    if let list = lists[key] { return list }
    let list = events.list(in: zone)
    lists[key] = list
    return list
  }
}
