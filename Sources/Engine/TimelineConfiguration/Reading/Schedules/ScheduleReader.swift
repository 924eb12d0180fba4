import TimelineCore

/// Reads a job's `schedule`: a table with exactly one kind, or the text `every-minute` or `on-demand`.
struct ScheduleReader {
  let reading: FileReading
  /// The job's zone; `nil` if the zone's name has an error, which has been reported.
  let zone: Zone?

  /// Returns the rule and its timing; `nil` after all errors have been reported.
  func read(_ item: Item) -> (rule: ScheduleRule, timing: ScheduleTiming)? {
    switch item.value.content {
    case .string(let text): return word(text, item).map { ($0, ScheduleTiming()) }
    case .table(let entries):
      let schedule = table(entries, item)
      if let rule = schedule?.rule, case .periodic = rule, item.path == "schedule" {
        warnOfMoves(item, of: rule, within: rule)
      }
      return schedule
    case .array(let values) where !values.isEmpty:
      reading.wrongKind(
        item, expected: "a table with a kind of schedule", help: [Self.union(of: values)])
      return nil
    default:
      reading.wrongKind(
        item, expected: "a table with a kind of schedule",
        help: ["a schedule looks like { periodic = { by = \"30s\" } }"])
      return nil
    }
  }

  private func word(_ text: String, _ item: Item) -> ScheduleRule? {
    if text == "every-minute" { return everyMinute }
    if text == "on-demand" { return Self.onDemand }
    var help = ["a schedule with values looks like { periodic = { by = \"30s\" } }"]
    if let rule = RuleHelp.recurrence(text) {
      help = [rule]
    } else if text == "@reboot" || (try? CronExpression(parsing: text)) != nil {
      help = ["did you mean { cron = \"\(text)\" }?"]
    } else if (try? CalendarExpression(parsing: text)) != nil {
      help = ["did you mean { calendar = \"\(text)\" }?"]
    } else if let kind = Spelling.nearest(
      to: text, among: KeyTable.scheduleKinds + ["on-demand"], atMost: 1)
    {
      switch ScheduleRule.KindName(rawValue: kind) {
      case .everyMinute, nil: help = ["did you mean \"\(kind)\"?"]
      case let kind?: help = [Self.example(of: kind)]
      }
    } else if let elapsed = try? ElapsedTime(parsing: text) {
      help = ["did you mean { periodic = { by = \"\(elapsed)\" } }?"]
    } else if let hint = Self.hint(for: text) {
      help = [hint]
    }
    reading.log.error(
      "\"\(text)\" is not a schedule", at: item.place,
      label: "expected a table, \"every-minute\" or \"on-demand\"",
      help: help)
    return nil
  }

  /// Returns a hint if the text is a rule in the syntax of another scheduler.
  private static func hint(for text: String) -> String? {
    do throws(TextError) {
      _ = try CronExpression(parsing: text)
    } catch {
      if let hint = error.hint { return hint }
    }
    do throws(TextError) {
      _ = try CalendarExpression(parsing: text)
    } catch {
      return error.hint
    }
    return nil
  }

  private func table(
    _ entries: TOMLTable, _ item: Item
  ) -> (rule: ScheduleRule, timing: ScheduleTiming)? {
    let fields = Fields(entries, of: .schedule, path: "schedule.", in: reading)
    if entries.count == 1, let item = fields.ordered.first,
      let kind = ScheduleRule.KindName(rawValue: item.key), kind != .composed
    {
      // The usual case: no key beside the rule could change the rule.
      guard let rule = rule(of: kind, item, in: fields),
        zone != nil || reading.context.keepsJobsThatLackFiles
      else { return nil }
      return (rule, ScheduleTiming())
    }
    let kinds = fields.ordered.filter { KeyTable.scheduleKinds.contains($0.key) }
    if kinds.count > 1 {
      let (first, second) = (kinds[0], kinds[1])
      reading.log.error(
        "the schedule is of two kinds, `\(first.path)` and `\(second.path)`", at: second.keyPlace,
        label: "expected one kind", help: ["write a job for each, or `any = [...]` around them"],
        notes: [Diagnostic.Note(message: "the first is here", place: first.keyPlace)])
    }
    if kinds.isEmpty, entries.count == fields.ordered.count {
      reading.log.error(
        "the schedule has no kind", at: item.keyPlace,
        label: "expected \(Spelling.alternatives(KeyTable.scheduleKinds)) in it",
        help: [Self.example(of: .periodic)])
    }
    let members = fields.ordered.map { rules($0, in: fields) }
    let schedule = composed(members.compactMap(\.self), fields, item)
    guard let timing = exactness(fields), let schedule else { return nil }
    return (schedule, timing)
  }

  /// Returns the rules of an entry of the table; `nil` for a key that only modifies rules, and for an entry with an
  /// error.
  private func rules(_ item: Item, in fields: Fields) -> [ScheduleRule]? {
    if item.key == "any" { return union(item) }
    if let kind = ScheduleRule.KindName(rawValue: item.key) {
      return rule(of: kind, item, in: fields).map { [$0] }
    }
    if Self.recurrenceKeys.contains(item.key), fields["rrule"] == nil { refuseRecurrenceKey(item) }
    let civilKinds = ["cron", "calendar", "civil", "rrule"]
    if item.key == "dst", civilKinds.allSatisfy({ fields[$0] == nil }), fields.ordered.count > 1 {
      refuseDaylightSaving(item)
    }
    if item.key == "delay", !isOfStartOfMachine(fields) { refuseDelay(item) }
    return nil
  }

  /// Returns the rule of a kind; `nil` after its errors have been reported, and for a union, which has several rules.
  private func rule(of kind: ScheduleRule.KindName, _ item: Item, in fields: Fields) -> ScheduleRule? {
    switch kind {
    case .periodic: periodic(item)
    case .animation: animation(item)
    case .explicit: explicit(item)
    case .everyMinute: boolean(item)
    case .cron: cron(item, in: fields)
    case .calendar: calendar(item, daylightSaving: fields["dst"])
    case .civil: civil(item, daylightSaving: fields["dst"])
    case .recurrence: recurrence(item, in: fields)
    case .composed: nil
    }
  }

  private func exactness(_ fields: Fields) -> ScheduleTiming? {
    var timing = ScheduleTiming()
    var isRight = true
    for (key, path) in [("jitter", \ScheduleTiming.jitter), ("accuracy", \.accuracy)] {
      guard let item = fields[key] else { continue }
      if fields["animation"] != nil {
        reading.log.error(
          "`\(item.path)` stands beside an animation, whose entries come when the last run has ended",
          at: item.keyPlace, label: "expected another kind of schedule", help: ["leave it out"])
        isRight = false
      } else if let length = reading.elapsed(item, atLeast: .zero) {
        timing[keyPath: path] = length
      } else {
        isRight = false
      }
    }
    if let item = fields["offset"] {
      guard let choice = offset(item, in: fields) else { return nil }
      timing.hasFixedOffset = choice == .hash
    }
    return isRight ? timing : nil
  }

  /// Methods to choose the delays of entries within `jitter`.
  private enum Offset: String, CaseIterable {
    /// Each entry has its own delay.
    case entry
    /// All entries have the same delay, from a hash of the job and the machine.
    case hash
  }

  private func offset(_ item: Item, in fields: Fields) -> Offset? {
    guard fields["jitter"] != nil else {
      reading.log.error(
        "`\(item.path)` has no span that it lies in", at: item.keyPlace, label: "expected `jitter` beside it",
        help: ["such as jitter = \"30m\", offset = \"hash\""])
      return nil
    }
    return reading.choice(item, of: Offset.self)
  }

  static func example(of kind: ScheduleRule.KindName) -> String {
    switch kind {
    case .animation: "an animation looks like { animation = { minimum-interval = \"16ms\" } }"
    case .explicit: "dates look like { explicit = [2026-12-24T18:00:00+01:00] }"
    case .everyMinute: "every minute is written { every-minute = true }"
    case .cron: "a rule looks like { cron = \"30 2 * * *\" }"
    case .composed: "a union looks like { any = [{ cron = \"0 8 * * *\" }, { cron = \"30 17 * * *\" }] }"
    case .calendar: "a rule of systemd looks like { calendar = \"Mon..Fri 08:00\" }"
    case .civil:
      "every other Monday looks like { civil = { every = \"2 weeks\", from = 2026-01-05, at = [\"09:00\"] } }"
    case .recurrence:
      "the last Friday of each month looks like { rrule = \"FREQ=MONTHLY;BYDAY=-1FR\", from = 2026-01-30T17:00:00 }"
    case .periodic: "a period looks like { periodic = { by = \"30s\" } }"
    }
  }

  /// A schedule without entries, for jobs that run only manually or as a reaction.
  static var onDemand: ScheduleRule? { (try? ExplicitSchedule([])).map(ScheduleRule.explicit) }

  private var everyMinute: ScheduleRule? { zone.map { .everyMinute(EveryMinuteSchedule(zone: $0)) } }

  private func boolean(_ item: Item) -> ScheduleRule? {
    guard let value = reading.boolean(item) else { return nil }
    if value { return everyMinute }
    reading.log.error(
      "`\(item.path)` is false, which leaves no schedule", at: item.place, label: "expected true",
      help: ["to keep a job from running write `enabled = false`"])
    return nil
  }
}

extension ScheduleReader {
  private func periodic(_ item: Item) -> ScheduleRule? {
    guard
      let entries = reading.table(item, expected: "a table with `by`", help: [Self.example(of: .periodic)])
    else { return nil }
    let fields = Fields(entries, of: .periodic, path: item.path + ".", in: reading)
    // Without `from`, the phase is relative to the epoch, and so the same after a restart and on every machine.
    let start = fields["from"].map { reading.instant($0, in: zone) } ?? WallInstant.epoch
    guard let by = fields["by"] else {
      if entries.count == (fields["from"] == nil ? 0 : 1) {
        reading.log.error(
          "`\(item.path)` has no `by`", at: item.keyPlace, label: "expected an interval in it",
          help: [Self.example(of: .periodic)])
      }
      return nil
    }
    guard let interval = reading.elapsed(by, atLeast: ConfigurationLimits.intervalMin), let start else {
      return nil
    }
    return (try? PeriodicSchedule(from: start, by: interval)).map(ScheduleRule.periodic)
  }

  private func animation(_ item: Item) -> ScheduleRule? {
    guard let entries = reading.table(item, expected: "a table", help: [Self.example(of: .animation)]) else {
      return nil
    }
    let fields = Fields(entries, of: .animation, path: item.path + ".", in: reading)
    var interval: ElapsedTime?
    if let minimum = fields["minimum-interval"] {
      guard let value = reading.elapsed(minimum, atLeast: ConfigurationLimits.intervalMin) else { return nil }
      interval = value
    }
    var isPaused = false
    if let paused = fields["paused"] {
      guard let value = reading.boolean(paused) else { return nil }
      isPaused = value
    }
    return (try? AnimationSchedule(minimumInterval: interval, isPaused: isPaused)).map(ScheduleRule.animation)
  }

  private func explicit(_ item: Item) -> ScheduleRule? {
    var help = [Self.example(of: .explicit)]
    switch item.value.content {
    case .offsetDateTime, .localDateTime: help = ["write it in brackets, even when it is the only one"]
    default: break
    }
    guard let items = reading.array(item, expected: "an array of date-times", help: help) else { return nil }
    guard !items.isEmpty, items.count <= ConfigurationLimits.explicitInstantCountMax else {
      reading.log.error(
        items.isEmpty ? "`\(item.path)` has no dates" : "`\(item.path)` has too many dates", at: item.place,
        label: "expected 1 to \(ConfigurationLimits.explicitInstantCountMax)")
      return nil
    }
    let instants = items.map { reading.instant($0, in: zone) }
    var isAscending = true
    for index in items.indices.dropFirst() {
      guard let previous = instants[index - 1], let instant = instants[index], instant <= previous else {
        continue
      }
      isAscending = false
      reading.log.error(
        instant == previous ? "the date is given twice" : "the date is earlier than the one before it",
        at: items[index].place, label: "expected a date after \(previous)",
        help: [instant == previous ? "leave one of the two out" : "put the dates in ascending order"],
        notes: [Diagnostic.Note(message: "the one before it", place: items[index - 1].place)])
    }
    guard isAscending, !instants.contains(nil) else { return nil }
    return (try? ExplicitSchedule(instants.compactMap(\.self))).map(ScheduleRule.explicit)
  }
}
