import Testing
import TimelineCore

/// A rule in the language of another scheduler is refused with the equivalent here, and nothing with another meaning is proposed.
@Suite struct `Rules of other schedulers` {
  /// A text, the proposal for it, and a part of the message.
  static let crons: [(text: String, suggestion: String?, said: String)] = [
    ("TZ=Europe/Berlin 0 5 * * *", nil, "time-zone = \"Europe/Berlin\""),
    ("CRON_TZ=UTC @daily", nil, "time-zone = \"UTC\""),
    ("0 5 * * * America/New_York", nil, "time-zone = \"America/New_York\""),
    ("0 5 * * * UTC", nil, "time-zone = \"UTC\""), ("@daily Europe/Berlin", nil, "--zone"),
    ("@every 1h30m", nil, "{ periodic = { by = \"1h30m\" } }"),
    ("@every 0s", nil, "{ periodic = { by = \"1h30m\" } }"),
    ("@every -1h", nil, "{ periodic = { by = \"1h30m\" } }"),
    ("@every 90 minutes", nil, "{ periodic = { by = \"1h30m\" } }"),
    ("rate(5 minutes)", nil, "{ periodic = { by = \"5m\" } }"),
    ("cron(0 10 * * ? *)", "0 10 * * *", "AWS"), ("cron(0/15 8 ? * 2-6 *)", "0/15 8 * * MON-FRI", "AWS"),
    ("cron(0 10 * * ? 2027)", nil, "without the year it is { cron = \"0 10 * * *\" }"),
    ("cron(0 10 L-2 * ? *)", nil, "{ calendar = \"*-*~03 10:00\" }"),
    ("cron(0 10 * * MON)", nil, "minute, hour, day"),
    ("0 1 ? * 6L *", "0 1 * * FRIL", "AWS"), ("0 1 ? * 2/2 *", nil, "name the days"),
    ("at(2027-01-01T08:00:00)", nil, "{ calendar = \"2027-01-01 08:00:00\" }"),
    ("at(2027-02-30T10:00:00)", nil, "February 2027 has no day 30"),
    ("at(2027-02-30)", nil, "February 2027 has no day 30"), ("at(noon)", nil, "a single time is"),
    (
      "0 1 * * *; 0 5 * * *", nil, "{ any = [{ cron = \"0 1 * * *\" }, { cron = \"0 5 * * *\" }] }"
    ),
    ("0 1 * * * | @daily", nil, "{ any = [{ cron = \"0 1 * * *\" }, { cron = \"@daily\" }] }"),
    ("0 1 * * *,0 5 * * *", nil, "{ any = [{ cron = \"0 1 * * *\" }, { cron = \"0 5 * * *\" }] }"),
    ("rate(1 fortnight)", nil, "such as { periodic = { by = \"1h30m\" } }"),
    ("R/2027-01-01T00:00:00Z/PT1H", nil, "by = \"1h\""), ("R5/2027-01-01T00:00:00Z/P1M", nil, "months"),
    ("@noon", nil, "{ cron = \"0 12 * * *\" }"),
    ("@weekdays", nil, "MON-FRI"), ("@minutely", nil, "every-minute"), ("@wekly", "@weekly", "\"@weekly\""),
    ("@weekday", nil, "MON-FRI"), ("@fortnightly", nil, "is expected"),
    ("@month", "@monthly", "\"@monthly\""),
    ("0 0 1 1 * 2027", nil, "`starts` and `ends`"), ("0 0 0 1 1 * 2027-2030", nil, "calendar rule"),
    ("0 0 12 1 1 ? 2027/2", nil, "without the year it is { cron = \"0 0 12 1 1 *\" }"),
    ("0 0 12 ? * 2 *", "0 0 12 * * MON", "Quartz"), ("0 0 12 * * 5 *", nil, "name the days"),
    ("1 2 3 4 5 6 7 8", nil, "there are 8"),
    ("30 0 L-3 * *", nil, "{ calendar = \"*-*~04 00:30\" }"),
    ("0 0 L5 * *", nil, "{ calendar = \"*-*~05 00:00\" }; `L-5`, 5 before the last, is ~06"),
    ("0 0 5L * *", nil, "FRIL in the last field"),
    ("0 0 L28 * *", nil, "{ calendar = \"*-*~28 00:00\" }"), ("0 0 L1 * *", "0 0 L * *", "\"L\""),
    ("0 0 L-0 * *", "0 0 L * *", "\"L\""), ("15 6 -5 * *", nil, "{ calendar = \"*-*~05 06:15\" }"),
    ("0 0 -1 * *", "0 0 L * *", "\"L\""), ("*/5 0 -2 * *", nil, "such as { calendar = \"*-*~02 08:00\" }"),
    ("0 0 -2 6 *", nil, "{ calendar = \"*-06~02 00:00\" }"),
    ("0 0 * * mon#-1", "0 0 * * MONL", "without \"#\""),
    ("0 0 * * mon#last", "0 0 * * MONL", "without \"#\""),
    ("0 8 * * fri#-2", nil, "{ calendar = \"Fri *-*~08..14 08:00\" }"), ("0 0 * * 1#6", nil, "at most five"),
    ("0 0 * * mon%2", nil, "by = \"2w\""), ("0 0 * * 1%2+1", nil, "by = \"2w\""),
    ("0 0 * * L5", "0 0 * * 5L", "day of the week"), ("0 0 * * L", nil, "Saturday"),
    ("0 22-2/2 * * *", nil, "ascends"), ("0 8-24 * * *", nil, "the last hour of a day is 23"),
    ("R 2 * * *", nil, "offset = \"hash\""), ("# 2 * * *", nil, "offset = \"hash\""),
    ("0 0 L-30 * *", nil, "*-*~28"), ("0 0 * * 5#L", "0 0 * * 5L", "without \"#\""),
    ("0 0 * * fri#L", "0 0 * * FRIL", "without \"#\""),
    ("H 2 * * *", nil, "offset = \"hash\""), ("H/15 * * * *", nil, "jitter"),
    ("H(0-29) 3 * * *", nil, "offset = \"hash\""), ("0~59 3 * * *", nil, "jitter"),
    ("~ 3 * * *", nil, "jitter"),
    ("0 8 1-7 * +MON", nil, "{ calendar = \"Mon *-*-1..7 08:00\" }"),
    ("-*/5 * * * *", "*/5 * * * *", "`--`"), ("-5 * * * *", nil, "leave it out"),
    ("0 15 10 ? * 6L", "0 15 10 * * FRIL", "Quartz"), ("0 0 12 ? * 2#1", "0 0 12 * * MON#1", "Quartz"),
    ("0 0 12 ? * 2-6", "0 0 12 * * MON-FRI", "Quartz"), ("0 0 12 ? * MON-FRI", "0 0 12 * * MON-FRI", "`?`"),
    ("0 ? * * * *", "0 * * * * *", "`?`"), ("? 0 3 * * MON", "* 0 3 * * MON", "`?`"),
    ("0 ? * * * 5", nil, "name the days"),
    ("0 0 12 1 * ?", "0 0 12 1 * *", "`?`"), ("0 12 ? * 6", "0 12 * * 6", "`?`"),
    ("0 10 * * ? *", "0 10 * * *", "AWS"), ("0 0 12 ? * 2/2", nil, "name the days"),
    ("0 5 * * * /usr/bin/backup", nil, "command = [\"/usr/bin/backup\"]"),
    ("0 5 * * * root /usr/bin/backup", nil, "command"),
    ("0 0 */29 2 1L", nil, "never fall on one day"), ("0 0 31 2 *", nil, "February never has a day 31"),
    ("60 * * * *", nil, "from 0 to 59"), ("0 24 * * *", nil, "hour 24 is hour 0 of the next day"),
    ("*/0 * * * *", nil, "above 0"),
    ("0 0 * * sunset", nil, "day of the week"), ("0 0 * * wendesday", "0 0 * * wed", "day of the week"),
    ("0 0 * * ma", nil, "day of the week"), ("0 0 * ma *", nil, "month"),
  ]

  static let calendars: [(text: String, suggestion: String?, said: String)] = [
    ("sunset", nil, "a time"), ("Mon sunrise", nil, "the sun"), ("sun", "", ""),
    ("weekdays 08:00", "Mon..Fri 08:00", "named"),
    ("8:00 PM", "20:00", "0 to 23"), ("12:30am", "00:30", "0 to 23"), ("Mon 8pm", "Mon 20:00", "0 to 23"),
    ("12:00:05 p.m.", "12:00:05", "0 to 23"), ("midnight", "00:00", "00:00"),
    ("Fri noon", "Fri 12:00", "12:00"),
    ("daily UTC+3", "", ""), ("daily GMT-05:00", "daily Etc/GMT+5", "POSIX"),
    ("daily UTC+5:30", nil, "name a place"), ("daily +03:00", "daily Etc/GMT-3", "POSIX"),
    ("Europe/Berlin 08:00", "08:00 Europe/Berlin", "at its end"), ("TZ=UTC daily", nil, "at its end"),
    ("rate(5 minutes)", nil, "{ periodic = { by = \"5m\" } }"),
    (
      "8:00,12:15,20:30", nil,
      "{ any = [{ calendar = \"08:00\" }, { calendar = \"12:15\" }, { calendar = \"20:30\" }] }"
    ),
    ("08:00; Mon 20:30", nil, "{ any = [{ calendar = \"08:00\" }, { calendar = \"Mon 20:30\" }] }"),
    ("*:0/90", nil, "{ periodic = { by = \"90m\" } }"), ("0/36:00", nil, "{ periodic = { by = \"36h\" } }"),
    ("every 5 minutes", nil, "{ periodic = { by = \"5m\" } }"),
    ("*:*/15", "*:00/15", "alone"), ("secondly", nil, "daily"), ("weekdays", "Mon..Fri", "named"),
    ("month", "monthly", "daily"),
    ("Mon 24:00", nil, "from 0 to 23"), ("2026-02-30", nil, "no month"), ("Mon 2026-09-29", nil, "fall"),
    ("10", nil, "17:30"), ("daily foo bar", nil, "zone"),
  ]

  static let windows: [(text: String, suggestion: String?, said: String)] = [
    ("Dec", nil, "a window has no months"), ("december", nil, "a window has no months"),
    ("daily", nil, "windows look like"), ("sunset", nil, "windows look like"),
    ("8-18", nil, "windows look like"),
    ("08:00..18:00", "08:00-18:00", "08:00-18:00"), ("08:00-08:00", nil, "is not in it"),
    ("Mon Tue", nil, "windows look like"), ("2026-02-30", nil, "calendar has"), ("Tues", "Tue", "Tue"),
  ]

  private func check(
    _ row: (text: String, suggestion: String?, said: String), _ read: () throws(TextError) -> Void
  ) {
    do throws(TextError) {
      try read()
      #expect(row.suggestion == "", "\(row.text) is taken")
    } catch {
      #expect(error.suggestion == row.suggestion, "\(error)")
      #expect(error.description.contains(row.said) || error.help.joined().contains(row.said), "\(error)")
    }
  }

  @Test(arguments: crons) func `a cron rule of another scheduler`(
    row: (text: String, suggestion: String?, said: String)
  ) {
    check(row) { () throws(TextError) in _ = try CronExpression(parsing: row.text) }
  }

  @Test(arguments: calendars) func `a calendar rule in other words`(
    row: (text: String, suggestion: String?, said: String)
  ) {
    check(row) { () throws(TextError) in _ = try CalendarExpression(parsing: row.text) }
  }

  @Test(arguments: windows) func `a window in other words`(
    row: (text: String, suggestion: String?, said: String)
  ) {
    check(row) { () throws(TextError) in _ = try CivilWindow(parsing: row.text) }
  }

  static let steps: [(rule: String, same: String, message: String, help: [String])] = [
    (
      "*/90 * * * *", "*/60 * * * *", "\"*/90\" means only minute 0, since no other minute is 90 further on",
      [
        "the rule runs every hour on every day",
        "for every 90 minutes use periodic: { periodic = { by = \"90m\" } }",
      ]
    ),
    (
      "0 */25 * * *", "0 */24 * * *", "\"*/25\" means only hour 0, since no other hour is 25 further on",
      [
        "the rule runs at 00:00 on every day",
        "for every 25 hours use periodic: { periodic = { by = \"25h\" } }",
      ]
    ),
    (
      "0 0 */100,1-7 * MON", "0 0 */31,1-7 * 1",
      "\"*/100\" means only day 1, since no other day is 100 further on",
      ["the rule runs at 00:00 on day 1 to 7 of the month, if it is Monday"]
    ),
    (
      "0 10-12/5 * * *", "0 10 * * *", "\"10-12/5\" means only hour 10, since no other hour is 5 further on",
      ["the rule runs at 10:00 on every day"]
    ),
    (
      "5/99999999999999999999 0 * * *", "5 0 * * *",
      "\"5/99999999999999999999\" means only minute 5, since no other minute is 1000000 further on",
      ["the rule runs at 00:05 on every day"]
    ),
  ]

  @Test(arguments: steps) func `a step past the end of its field is accepted with a warning`(
    row: (rule: String, same: String, message: String, help: [String])
  ) throws {
    let rule = try CronExpression(parsing: row.rule)
    #expect(rule == (try CronExpression(parsing: row.same)))
    #expect(try CronExpression(parsing: rule.description) == rule)
    let warnings = CronExpression.warnings(in: row.rule)
    #expect(warnings.map(\.message) == [row.message])
    #expect(warnings.first?.help == row.help)
  }

  @Test(arguments: ["*/60 * * * *", "0 */24 * * *", "0 0 1-7 * */7", "*/45 * * * *", "@daily", "no rule"])
  func `a step with the obvious meaning has no warning`(rule: String) {
    #expect(CronExpression.warnings(in: rule).isEmpty)
  }

  @Test func `an offset is replaced by a zone of the database if there is one`() {
    let rows: [(String, String?)] = [
      ("UTC+3", "Etc/GMT-3"), ("gmt-11", "Etc/GMT+11"), ("UTC+00:00", "UTC"), ("+14", "Etc/GMT-14"),
      ("-0330", nil),
      ("UTC-13", nil), ("UTC+5:30", nil),
    ]
    for (text, name) in rows {
      #expect(FixedOffset(text)?.zoneName == name && FixedOffset(text) != nil, "\(text)")
    }
    for text in ["UTC", "Etc/GMT+3", "+3:0", "+99", "+", "CET+1"] {
      #expect(FixedOffset(text) == nil, "\(text)")
    }
  }

  @Test func `months and years are no lengths of time`() {
    for text in ["200y", "1month", "2 years"] {
      let error = #expect(throws: TextError.self) { try ElapsedTime(parsing: text) }
      #expect(error?.suggestion == nil && error?.hint?.contains("365d") == true, "\(text)")
    }
  }
}
