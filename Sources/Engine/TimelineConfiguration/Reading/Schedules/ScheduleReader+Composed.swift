import TimelineCore

/// Unions, windows and limits, which combine several rules into one schedule or restrict a rule.
extension ScheduleReader {
  /// Returns one schedule of all rules in the table, restricted by the windows and limits beside them.
  func composed(_ rules: [[ScheduleRule]], _ fields: Fields, _ item: Item) -> ScheduleRule? {
    let conditions = conditions(fields)
    guard let members = rules.first, let conditions, let zone else { return nil }
    if fields["any"] == nil, conditions == ComposedSchedule.Conditions() { return members.first }
    if conditions != ComposedSchedule.Conditions(), members.contains(where: \.isStartOfMachine) {
      reading.log.error(
        "\"@reboot\" has no windows and no bounds: it names no instant to judge by",
        at: item.keyPlace,
        label: "expected it without them", help: ["give the job a schedule of its own"])
      return nil
    }
    if let animation = fields["animation"] {
      reading.log.error(
        "an animation has no windows and no end: its entries come when the last run has ended",
        at: animation.keyPlace, label: "expected another kind of schedule",
        help: [Self.example(of: .periodic)])
      return nil
    }
    do throws(ScheduleError) {
      let schedule = try ComposedSchedule(members, conditions: conditions, zone: zone)
      guard movesSoon(schedule, fields), picksSoon(schedule, members, conditions, fields) else { return nil }
      let rule = ScheduleRule.composed(schedule)
      WindowChecks(reading: reading, conditions: conditions, rule: rule, zone: zone).run(fields)
      // With `@reboot` among the rules, an interval is counted from starts.
      if !members.contains(where: \.isStartOfMachine) {
        let sites = fields["any"].flatMap { reading.array($0, expected: "an array of schedules") } ?? [item]
        for (site, member) in zip(sites, members) { warnOfMoves(site, of: member, within: rule) }
      }
      return rule
    } catch {
      var reason = error.description
      if case .pickRefused = error, let pick = fields["pick"] {
        reading.log.error(
          "`\(pick.path)` cannot choose: \(reason)", at: pick.place,
          label: "expected positions among at most \(EntryPick.dayEntryCountMax) entries of a day and "
            + "\(EntryPick.periodEntryCountMax) of a period")
        return nil
      }
      if case .moveRefused = error, let move = fields["on-excluded"] {
        reading.log.error(
          "`\(move.path)` cannot move: \(reason)", at: move.place,
          label: "expected a rule with at most \(EntryMove.dayEntryCountMax) entries of a day")
        return nil
      }
      if case .neverMeets = error { reason = "no entry lies where the windows let it through" }
      reading.log.error(
        "the schedule is never due: \(reason)", at: item.keyPlace,
        label: "expected a rule and windows that meet")
      return nil
    }
  }

  /// Returns the members of `any`; `nil` if a member has an error.
  func union(_ item: Item) -> [ScheduleRule]? {
    let help = [Self.example(of: .composed)]
    guard let items = reading.array(item, expected: "an array of schedules", help: help) else { return nil }
    guard (1...ComposedSchedule.memberCountMax).contains(items.count) else {
      reading.log.error(
        items.isEmpty ? "`\(item.path)` is empty" : "`\(item.path)` has \(items.count) schedules",
        at: item.place,
        label: "expected 1 to \(ComposedSchedule.memberCountMax)")
      return nil
    }
    let members = items.map(member)
    return members.contains(nil) ? nil : members.compactMap(\.self)
  }

  private func member(_ item: Item) -> ScheduleRule? {
    if case .table(let entries) = item.value.content {
      let misplaced = [
        "any", "animation", "only", "except", "on-excluded", "move-max", "move-within", "pick", "starts",
        "ends", "limit", "jitter", "offset", "accuracy",
      ]
      if let entry = entries.first(where: { misplaced.contains($0.key) }) {
        reading.log.error(
          "`\(entry.key)` cannot be in a member of `any`", at: entry.place,
          label: "expected a rule alone",
          help: entry.key == "animation" || entry.key == "any" ? [] : ["put it beside `any`, for all of them"]
        )
        return nil
      }
    }
    if case .string("on-demand") = item.value.content {
      reading.log.error(
        "\"on-demand\" adds nothing to `any`", at: item.place, label: "expected a rule with entries",
        help: ["leave it out: every job can be triggered manually"])
      return nil
    }
    return read(item)?.rule
  }

  private func conditions(_ fields: Fields) -> ComposedSchedule.Conditions? {
    var conditions = ComposedSchedule.Conditions()
    var isRight = true
    for (key, path) in [("only", \ComposedSchedule.Conditions.only), ("except", \.except)] {
      guard let item = fields[key] else { continue }
      guard let windows = windows(item) else {
        isRight = false
        continue
      }
      conditions[keyPath: path] = windows
    }
    if !readMove(fields, into: &conditions) { isRight = false }
    for (key, path) in [("starts", \ComposedSchedule.Conditions.starts), ("ends", \.ends)] {
      guard let item = fields[key] else { continue }
      conditions[keyPath: path] = reading.instant(item, in: zone)
      if conditions[keyPath: path] == nil { isRight = false }
    }
    if let item = fields["pick"] {
      conditions.pick = pick(item)
      if conditions.pick == nil { isRight = false }
    }
    if let item = fields["limit"] {
      conditions.limit = reading.integer(item, in: 1...Int64(ComposedSchedule.limitMax))
      if conditions.limit == nil { isRight = false }
      if fields["starts"] == nil {
        reading.log.error(
          "`\(item.path)` counts entries from `starts`, and there is none", at: item.keyPlace,
          label: "expected `starts` beside it", help: ["such as `starts = 2026-01-31T08:00:00Z`"])
        isRight = false
      }
    }
    if let starts = conditions.starts, let ends = conditions.ends, ends < starts, let item = fields["ends"] {
      reading.log.error(
        "`\(item.path)` is before `starts`", at: item.place, label: "expected an instant after \(starts)",
        notes: fields["starts"].map { [Diagnostic.Note(message: "it starts here", place: $0.place)] } ?? [])
      isRight = false
    }
    return isRight ? conditions : nil
  }

  private func windows(_ item: Item) -> [CivilWindow]? {
    var help = ["windows look like [\"Mon..Fri 08:00-18:00\", \"2026-12-24..2026-12-31\", \"holidays NAME\"]"]
    if case .string(let text) = item.value.content { help = ["write it in brackets: [\"\(text)\"]"] }
    guard let items = reading.array(item, expected: "an array of windows", help: help) else { return nil }
    guard (1...ComposedSchedule.windowCountMax).contains(items.count) else {
      reading.log.error(
        items.isEmpty ? "`\(item.path)` is empty" : "`\(item.path)` has \(items.count) windows",
        at: item.place,
        label: "expected 1 to \(ComposedSchedule.windowCountMax)")
      return nil
    }
    let windows = items.map(window)
    return windows.contains(nil) ? nil : windows.compactMap(\.self)
  }

  private func window(_ item: Item) -> CivilWindow? {
    var text: String?
    if case .localDate(let date) = item.value.content { text = date.description }
    guard let text = text ?? reading.string(item, expected: "a window such as \"Mon..Fri 08:00-18:00\"")
    else {
      return nil
    }
    if text.hasPrefix("holidays ") {
      return holidays(String(text.dropFirst("holidays ".count)), item).map(CivilWindow.init(holidays:))
    }
    do throws(TextError) {
      return try CivilWindow(parsing: text)
    } catch {
      let help = reading.holidays.isKnown(text) ? ["did you mean \"holidays \(text)\"?"] : error.help
      reading.log.error(
        "`\(item.path)` is not a window", at: place(of: error.offset, in: text, item), label: error.reason,
        help: help)
      return nil
    }
  }

  private func holidays(_ name: String, _ item: Item) -> HolidayList? {
    if let zone, let list = reading.holidays.list(named: name, in: zone) {
      reading.caution = reading.caution ?? reading.holidays.cautions[name]
      return list
    }
    // Errors of an existing list have been reported at its place.
    if reading.holidays.isKnown(name) {
      if let lack = reading.holidays.lacks[name] { reading.lack(lack) }
      return nil
    }
    let near = Spelling.nearest(to: name, among: reading.holidays.names)
    reading.log.error(
      "there are no holidays `\(name)`", at: item.place, label: "expected the name of a list of holidays",
      help: [
        near.map { "did you mean \"holidays \($0)\"?" }
          ?? "declare them with the header [holidays.\(name)] and `dates` or a `file`"
      ])
    return nil
  }
}
