import TimelineCore

/// Reads the tables `[[expect-schedule]]`.
struct ExpectationReader {
  let reading: FileReading

  /// The result of reading one table.
  struct ExpectationReading {
    /// `nil` after the expectation's errors have been reported.
    var expectation: PlacedExpectation?
    /// Jobs that the expectation names, valid or not.
    var mentions: [JobReferences.Mention] = []
  }

  private static let properties = ["max-gap", "min-gap", "per-day", "never-overlaps"]

  /// Reads all tables of a file.
  func read(_ item: Item) -> [ExpectationReading] {
    let help = ["an expectation begins with the header [[expect-schedule]], in double brackets"]
    guard let items = reading.array(item, expected: "an array of tables", help: help) else { return [] }
    guard items.count <= ConfigurationLimits.expectationCountMax else {
      reading.log.error(
        "there are \(items.count) tables `\(item.path)`", at: item.keyPlace,
        label: "expected at most \(ConfigurationLimits.expectationCountMax)")
      return []
    }
    return items.map(readOne)
  }

  private func readOne(_ item: Item) -> ExpectationReading {
    var outcome = ExpectationReading()
    guard let entries = reading.table(item, expected: "a table", help: []) else { return outcome }
    let fields = Fields(entries, of: .expectation, in: reading)
    let job = name("job", in: fields, &outcome)
    let other = name("never-overlaps", in: fields, &outcome)
    let gapMax = fields["max-gap"].flatMap { reading.elapsed($0, atLeast: .nanoseconds(1)) }
    let gapMin = fields["min-gap"].flatMap { reading.elapsed($0, atLeast: .nanoseconds(1)) }
    let countPerDay = fields["per-day"].flatMap {
      reading.integer($0, in: 0...ConfigurationLimits.entriesPerDayMax)
    }
    let span = fields["over"].map(span) ?? Self.span(ofYears: 1)
    if fields["job"] == nil {
      reading.log.error(
        "the expectation names no `job`", at: item.place, label: "expected `job` in it",
        help: ["such as `job = \"backup\"`"])
    }
    if !Self.properties.contains(where: { fields[$0] != nil }) {
      reading.log.error(
        "nothing is expected", at: item.place,
        label: "expected \(Spelling.alternatives(Self.properties)) in it",
        help: ["such as `max-gap = \"25h\"`"])
    }
    if let job, job == other, let item = fields["never-overlaps"] {
      reading.log.error(
        "`never-overlaps` names the job itself", at: item.place, label: "expected another job",
        help: ["its own runs overlap only as its `overlap` allows"])
    }
    guard let job, let span else { return outcome }
    var spanText = "1y"
    if case .string(let text) = fields["over"]?.value.content { spanText = text }
    var places: [String: SourcePlace] = [:]
    for key in Self.properties { places[key] = fields[key]?.place }
    var expectation = ScheduleExpectation(job: job, over: span)
    expectation.maxGap = gapMax
    expectation.minGap = gapMin
    expectation.perDay = countPerDay
    expectation.neverOverlaps = other
    outcome.expectation = PlacedExpectation(
      expectation: expectation, spanText: spanText, place: item.place, places: places)
    return outcome
  }

  private func name(_ key: String, in fields: Fields, _ outcome: inout ExpectationReading) -> JobName? {
    guard let item = fields[key], let text = reading.string(item, expected: "the name of a job") else {
      return nil
    }
    outcome.mentions.append(JobReferences.Mention(key: key, name: text, place: item.place))
    return JobName(text)
  }

  /// Returns a duration, also from a number of years such as `5y`.
  private func span(_ item: Item) -> ElapsedTime? {
    if case .string(let text) = item.value.content, text.hasSuffix("y"), let years = Int64(text.dropLast()) {
      if (1...100).contains(years) { return Self.span(ofYears: years) }
      reading.log.error(
        "`\(item.path)` is out of range", at: item.place,
        label: "expected 1 to 100 years, or days from \"1d\" on",
        help: ["the nearest is \"\(years < 1 ? 1 : 100)y\""])
      return nil
    }
    return reading.elapsed(item, atLeast: .days(1))
  }

  /// Returns the length of `years` years, including leap days.
  private static func span(ofYears years: Int64) -> ElapsedTime {
    min(.days(years * 365 + years / 4 + 1), ConfigurationLimits.elapsedMax)
  }
}
