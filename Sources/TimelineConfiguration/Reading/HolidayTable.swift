import TimelineCore

/// The lists of holidays that the files declare, each in a table `[holidays.NAME]`.
struct HolidayTable {
  /// The lists that were read without an error.
  private(set) var lists: [String: HolidayList] = [:]
  /// The contents of the files that were named.
  private(set) var files: [String: [UInt8]] = [:]
  private var places: [String: SourcePlace] = [:]

  /// Every name, right or wrong.
  var names: [String] { places.keys.sorted() }

  /// Whether there is a table of that name, right or wrong.
  func isKnown(_ name: String) -> Bool { places[name] != nil }

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
    guard places.count <= Limits.holidayListCountMax else {
      return reading.log.error(
        "there are too many lists of holidays", at: place,
        label: "expected at most \(Limits.holidayListCountMax)")
    }
    guard case .table(let entries) = entry.value.content else {
      return reading.log.error(
        "`holidays.\(entry.key)` is \(entry.value.kind)", at: entry.value.place,
        label: "expected a table", help: ["such as [holidays.\(entry.key)] with `dates = [2026-12-25]` in it"]
      )
    }
    let fields = Fields(entries, of: .holidays, path: "holidays.\(entry.key).", in: reading)
    switch (fields["dates"], fields["file"]) {
    case (let item?, nil):
      lists[entry.key] = dates(item, reading).map { HolidayList(name: entry.key, dates: $0) }
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

  private mutating func file(_ item: Item, name: String, _ reading: FileReading) -> HolidayList? {
    guard let path = reading.absolutePath(item) else { return nil }
    let bytes: [UInt8]
    switch reading.context.file(path) {
    case .success(let contents): bytes = contents
    case .failure(let refusal):
      reading.log.error(
        "the holidays `\(name)` cannot be read: \(refusal.reason)", at: item.place, label: "expected a file")
      return nil
    }
    files[path] = bytes
    let text = SourceText(ConfigurationSource(path: path, bytes: bytes))
    guard bytes.count <= Limits.fileByteCountMax else {
      reading.log.error(
        "\"\(path)\" is too large for a list of holidays", at: item.place,
        label: "expected at most \(Limits.fileByteCountMax) bytes")
      return nil
    }
    if path.hasSuffix(".ics") {
      do throws(HolidayFileError) {
        return try HolidayList(name: name, iCalendar: bytes)
      } catch {
        // It counts bytes; what can be wrong in a calendar is ASCII.
        report(error.reason, TextPosition(line: error.line, column: error.column), in: text, item, reading)
      }
    } else {
      do throws(HolidayLines.Failure) {
        return HolidayList(name: name, dates: try HolidayLines.dates(of: text))
      } catch {
        report(error.reason, error.position, in: text, item, reading)
      }
    }
    return nil
  }

  private func report(
    _ reason: String, _ position: TextPosition, in text: SourceText, _ item: Item, _ reading: FileReading
  ) {
    reading.log.error(
      "the file is not a list of holidays", at: text.place(position), label: reason,
      notes: [Diagnostic.Note(message: "it is named here", place: item.place)])
  }
}
