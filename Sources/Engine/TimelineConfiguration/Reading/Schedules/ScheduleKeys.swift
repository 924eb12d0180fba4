import TimelineCore

// The keys of schedules.
extension KeyTable {
  /// The kinds of schedules; each `schedule` has one.
  package static let scheduleKinds = ScheduleRule.KindName.allCases.map(\.rawValue)
  package static let schedule = KeyTable(title: "`schedule`", rows: kindRows + besideRows)

  /// The kinds, in the order of ``ScheduleRule/KindName``.
  private static let kindRows = [
    KeyRow(
      "periodic", .table(.periodic), "`{ from, by }`",
      "at `from` and at every whole multiple of `by` after it"),
    KeyRow(
      "animation", .table(.animation), "`{ minimum-interval, paused }`",
      "one run after the other, at least `minimum-interval` after the last start; none while `paused` is true"
    ),
    KeyRow(
      "explicit", .list(of: .instant, 1...ConfigurationLimits.explicitInstantCountMax),
      "array of 1 to 10000 instants, ascending", "at these instants"),
    KeyRow("every-minute", .yes, "`true`", "at second 0 of every minute of the job's zone"),
    KeyRow(
      "cron", .text(pattern: nil), "string such as `\"30 2 * * *\"`",
      "when clocks in the job's zone match the rule"),
    KeyRow(
      "calendar", .text(pattern: nil), "string such as `\"Mon..Fri 08:00\"`",
      "the same, in the language of OnCalendar"),
    KeyRow(
      "civil", .table(.civil), "`{ every, from, on, week-starts, short-month, at }`",
      "every n days, weeks, months or years at times of the day"),
    KeyRow(
      "rrule", .text(pattern: nil), "string such as `\"FREQ=MONTHLY;BYDAY=-1FR\"`",
      "at the times of an RRULE of RFC 5545, from the key `from` beside it on", needs: ["from"]),
    KeyRow(
      "any", .list(of: .definition("schedule"), 1...ComposedSchedule.memberCountMax),
      "array of 1 to 64 schedules, without animations, `on-demand` and `any`",
      "when any of them has an entry; once where several have"),
  ]

  /// The keys beside a kind.
  private static let besideRows = [
    KeyRow(
      "dst", .table(.daylightSaving), "`{ gap, fold }`", or: "`{ gap = \"run-at-end\", fold = \"first\" }`",
      "what clock changes do to a `cron`, `calendar`, `civil` or `rrule` rule that fixes the time of day; `gap` of `rrule` is `\"shift\"` by default"
    ),
    KeyRow(
      "delay", .duration, "duration", or: "`\"0s\"`",
      "with `cron = \"@reboot\"`: time from the start of the machine to the entry"),
    KeyRow("only", .definition("windows"), "array of 1 to 64 windows", "an entry must lie in one of them"),
    KeyRow("except", .definition("windows"), "array of 1 to 64 windows", "an entry must lie in none of them"),
    KeyRow(
      "on-excluded", .word(["skip"] + EntryMove.Direction.allCases.map(\.rawValue)),
      "`\"skip\"`, `\"before\"`, `\"after\"`, `\"nearest\"`", or: "`\"skip\"`",
      "what becomes of an entry that `only` or `except` excludes: it stays excluded, or moves to a day that lets it through"
    ),
    KeyRow(
      "move-max", .duration, "duration of whole days, `\"1d\"` to `\"31d\"`", or: "`\"7d\"`",
      "the most days by which an entry moves; needs `on-excluded`"),
    KeyRow(
      "move-within", .word(["month"]), "`\"month\"`", "a moved entry stays in its month; needs `on-excluded`"),
    KeyRow(
      "pick", .table(.pick), "`{ per, nth, week-starts }`", or: "all",
      "the entries of each period that are left, by their position"),
    KeyRow("starts", .instant, "instant or local instant", "the first instant of an entry"),
    KeyRow("ends", .instant, "instant or local instant", "the last instant of an entry"),
    KeyRow(
      "limit", .integer(1...ComposedSchedule.limitMax), "1 to 100000",
      "number of entries in all from `starts` on; needs `starts`"),
    KeyRow("jitter", .duration, "duration", "the longest delay of a start"),
    KeyRow(
      "offset", .word(["entry", "hash"]), "`\"entry\"`, `\"hash\"`", or: "`\"entry\"`",
      "one delay for each entry, or one for the job; needs `jitter`"),
    KeyRow("accuracy", .duration, "duration", "starts move to the next whole multiple of this"),
    KeyRow(
      "from", .localTime, "local time such as `2026-01-30T17:00:00`", or: "required with `rrule`",
      "with `rrule`: the first time, DTSTART", needs: ["rrule"]),
    KeyRow(
      "rdate", .list(of: .localTime, 0...RecurrenceRule.dateCountMax), "array of at most 4096 local times",
      "with `rrule`: entries beside those of the rule", needs: ["rrule"]),
    KeyRow(
      "exdate", .list(of: .localTime, 0...RecurrenceRule.dateCountMax), "array of at most 4096 local times",
      "with `rrule`: times that are no entries", needs: ["rrule"]),
  ]

  /// `schedule.periodic`.
  package static let periodic = KeyTable(
    title: "`periodic`",
    rows: [
      KeyRow(
        "from", .instant, "instant or local instant", or: "1970-01-01T00:00:00Z",
        "the phase: entries lie at whole multiples of `by` after it"),
      KeyRow("by", .duration, "duration, at least 1ms", or: KeyRow.required, "time between two entries"),
    ])
  /// `schedule.animation`.
  package static let animation = KeyTable(
    title: "`animation`",
    rows: [
      KeyRow("minimum-interval", .duration, "duration, at least 1ms", "least time between two starts"),
      KeyRow("paused", .boolean, "`true` or `false`", or: "`false`", "whether no entry comes"),
    ])
  /// `schedule.civil`.
  package static let civil = KeyTable(
    title: "`civil`",
    rows: [
      KeyRow(
        "every", .text(pattern: "^0*([1-9][0-9]{0,2}|1000) (day|week|month|year)s?$"),
        "`\"N days\"`, `\"N weeks\"`, `\"N months\"` or `\"N years\"`, 1 to 1000", or: KeyRow.required,
        "distance of the matching days, weeks, months or years"),
      KeyRow(
        "from", .text(pattern: "^[0-9]{4}-[0-9]{2}-[0-9]{2}$"), "date such as `2026-01-05`",
        or: KeyRow.required,
        "the first date; the day of months and years"),
      KeyRow(
        "on", .list(of: .weekday, 1...7), "array of `\"mon\"` to `\"sun\"`", or: "weekday of `from`",
        "days of a matching week; for weeks only"),
      KeyRow(
        "week-starts", .weekday, "`\"mon\"` to `\"sun\"`", or: "`\"mon\"`",
        "first day of a week; for weeks only"),
      KeyRow(
        "short-month", .word(CivilRecurrence.ShortMonth.allCases.map(\.rawValue)), "`\"skip\"`, `\"last\"`",
        or: "required from day 29 on",
        "what happens in a month without the day of `from`; for months and years only"),
      KeyRow(
        "at",
        .list(
          of: .text(pattern: "^([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9])?$"),
          1...CivilRecurrence.timeCountMax),
        "array of 1 to 64 times, `\"HH:MM\"` or `\"HH:MM:SS\"`, ascending", or: KeyRow.required,
        "times of each matching day"),
    ])
  /// `schedule.pick`.
  package static let pick = KeyTable(
    title: "`pick`",
    rows: [
      KeyRow(
        "per", .word(EntryPick.Period.allCases.map(\.rawValue)),
        "`\"day\"`, `\"week\"`, `\"month\"`, `\"quarter\"`, `\"year\"`", or: KeyRow.required,
        "the period whose entries are counted"),
      KeyRow(
        "nth",
        .list(
          of: .position(-EntryPick.positionMax...EntryPick.positionMax), 1...EntryPick.positionCountMax,
          isSet: true),
        "array of 1 to 32 whole numbers, 1 to 366 or -1 to -366, each once", or: KeyRow.required,
        "positions: 1 for the first entry, -1 for the last"),
      KeyRow(
        "week-starts", .weekday, "`\"mon\"` to `\"sun\"`", or: "`\"mon\"`",
        "first day of a week; for weeks only"),
    ])
  /// `schedule.dst`.
  package static let daylightSaving = KeyTable(
    title: "`dst`",
    rows: [
      KeyRow(
        "gap", .word(DaylightSavingPolicy.Gap.allCases.map(\.rawValue)),
        "`\"run-at-end\"`, `\"shift\"`, `\"skip\"`",
        or: "`\"run-at-end\"`", "what happens to an entry whose time clocks skip"),
      KeyRow(
        "fold", .word(DaylightSavingPolicy.Fold.allCases.map(\.rawValue)),
        "`\"first\"`, `\"second\"`, `\"both\"`",
        or: "`\"first\"`", "what happens to an entry whose time clocks show twice"),
    ])
}
