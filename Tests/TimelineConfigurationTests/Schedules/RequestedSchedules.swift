/// A schedule that was requested of a public project.
struct RequestedSchedule: Sendable {
  /// The request, in words.
  let words: String
  /// Place of the request: the repository and the number of the issue.
  let source: String
  /// The schedule in a configuration.
  let schedule: String
  /// The same entries in Python, in naive local time; see `RequestedSchedulesTests.script`.
  let reference: String

  init(_ words: String, _ source: String, _ schedule: String, _ reference: String) {
    (self.words, self.source, self.schedule, self.reference) = (words, source, schedule, reference)
  }
}

// A reference is built in another way than the schedule where there is one: 14 days for two weeks, a filter for a pick.
extension RequestedSchedule {
  /// Every n days and weeks.
  static let distances = [
    RequestedSchedule(
      "each 2 weeks, on one day of the week", "jhuckaby/Cronicle#68",
      #"{ civil = { every = "2 weeks", from = 2026-01-04, at = ["04:00"] } }"#,
      #"rule("DAILY;INTERVAL=14", "2026-01-04T04:00")"#),
    RequestedSchedule(
      "Monday of every third week", "kelektiv/node-cron#168",
      #"{ rrule = "FREQ=WEEKLY;INTERVAL=3;BYDAY=MO", from = 2026-01-05T08:00:00 }"#,
      #"rule("DAILY;INTERVAL=21", "2026-01-05T08:00")"#),
    RequestedSchedule(
      "every other Wednesday", "harrisiirak/cron-parser#240",
      #"{ civil = { every = "14 days", from = 2026-01-07, at = ["14:00"] } }"#,
      #"rule("WEEKLY;INTERVAL=2", "2026-01-07T14:00")"#),
    RequestedSchedule(
      "each second week on Wednesday at 14:00", "harrisiirak/cron-parser#243",
      #"{ rrule = "FREQ=WEEKLY;INTERVAL=2;BYDAY=WE", from = 2026-01-14T14:00:00 }"#,
      #"rule("DAILY;INTERVAL=14", "2026-01-14T14:00")"#),
    // The week of 7 January counts, and its Monday is before it.
    RequestedSchedule(
      "every two weeks on Monday", "harrisiirak/cron-parser#342",
      #"{ civil = { every = "2 weeks", from = 2026-01-07, on = ["mon"], at = ["00:00"] } }"#,
      #"rule("DAILY;INTERVAL=14", "2026-01-19T00:00")"#),
    RequestedSchedule(
      "every fortnight, Saturday after 14 days", "HangfireIO/Cronos#63",
      #"{ civil = { every = "2 weeks", from = 2026-01-03, on = ["sat"], at = ["00:00"] } }"#,
      #"rule("DAILY;INTERVAL=14", "2026-01-03T00:00")"#),
    RequestedSchedule(
      "every x weeks", "jmrozanec/cron-utils#506",
      #"{ civil = { every = "5 weeks", from = 2026-01-06, at = ["06:00", "18:00"] } }"#,
      #"rule("DAILY;INTERVAL=35;BYHOUR=6,18", "2026-01-06T06:00")"#),
    RequestedSchedule(
      "every two weeks on Wednesday and Thursday", "jmrozanec/cron-utils#525",
      #"{ civil = { every = "2 weeks", from = 2026-01-08, on = ["wed", "thu"], at = ["09:00"] } }"#,
      #"rule("WEEKLY;INTERVAL=2;BYDAY=WE,TH", "2026-01-08T09:00")"#),
    RequestedSchedule(
      "every other Friday", "agenda/agenda#810",
      #"{ any = [{ rrule = "FREQ=WEEKLY;INTERVAL=2", from = 2026-01-09T09:00:00 }] }"#,
      #"rule("DAILY;INTERVAL=14", "2026-01-09T09:00")"#),
    RequestedSchedule(
      "every 2 weeks on Wednesday, Thursday and Friday", "dragonmantank/cron-expression#33",
      #"{ civil = { every = "2 weeks", from = 2026-01-09, on = ["wed", "thu", "fri"], at = ["22:00"] } }"#,
      #"rule("WEEKLY;INTERVAL=2;BYDAY=WE,TH,FR", "2026-01-09T22:00")"#),
    RequestedSchedule(
      "21:50 on Sunday and Tuesday to Thursday of each second week", "mtdowling/cron-expression#123",
      #"{ rrule = "FREQ=WEEKLY;INTERVAL=2;WKST=SU;BYDAY=SU,TU,WE,TH", from = 2026-01-04T21:50:00 }"#,
      #"(t + timedelta(n) for t in rule("DAILY;INTERVAL=14", "2026-01-04T21:50") for n in (0, 2, 3, 4))"#),
    RequestedSchedule(
      "every other Tuesday at 10:30, from 13 September 2022 on", "dragonmantank/cron-expression#147",
      #"{ civil = { every = "14 days", from = 2022-09-13, at = ["10:30"] } }"#,
      #"rule("WEEKLY;INTERVAL=2;BYDAY=TU", "2022-09-13T10:30")"#),
    RequestedSchedule(
      "every 4 weeks on Thursday at 10:00", "node-cron/node-cron#229",
      #"{ rrule = "FREQ=WEEKLY;INTERVAL=4;BYDAY=TH", from = 2026-01-01T10:00:00 }"#,
      #"rule("DAILY;INTERVAL=28", "2026-01-01T10:00")"#),
    RequestedSchedule(
      "Monday and Tuesday of even weeks of ISO 8601", "ice-cube-ruby/ice_cube#567",
      #"{ rrule = "FREQ=YEARLY;BYWEEKNO=\#(evenWeeks);BYDAY=MO,TU", from = 2026-01-05T07:00:00 }"#,
      #"[t for t in rule("WEEKLY;BYDAY=MO,TU", "2026-01-01T07:00") if t.isocalendar()[1] % 2 == 0]"#),
    RequestedSchedule(
      "every second day, also from the 31st to the next month", "atifaziz/NCrontab#23",
      #"{ civil = { every = "2 days", from = 2026-01-29, at = ["00:00"] } }"#,
      #"[t for t in rule("DAILY", "2026-01-29T00:00") if (t - datetime(2026, 1, 29)).days % 2 == 0]"#),
    RequestedSchedule(
      "every 45 minutes: 12:00, 12:45, 13:30, 14:15", "quartz-scheduler/quartz#528",
      #"{ rrule = "FREQ=MINUTELY;INTERVAL=45", from = 2026-01-01T12:00:00 }"#,
      #"(datetime(2026, 1, 1, 12) + n * timedelta(minutes=45) for n in range(20 * 366 * 32))"#),
    RequestedSchedule(
      "every 190 minutes, only between 06:15 and 22:15", "kelektiv/node-cron#353",
      #"{ rrule = "FREQ=MINUTELY;INTERVAL=190", from = 2026-01-01T06:15:00, only = ["06:15-22:15"] }"#,
      #"[t for t in rule("MINUTELY;INTERVAL=190", "2026-01-01T06:15") if 375 <= t.hour * 60 + t.minute < 1335]"#
    ),
  ]

  private static let evenWeeks = stride(from: 2, through: 52, by: 2).map(String.init).joined(separator: ",")

  /// Days of a month, a quarter or a year.
  static let days = [
    RequestedSchedule(
      "the last day of the month at 12:00", "node-cron/node-cron#147", #"{ cron = "0 12 L * *" }"#,
      #"[t for t in rule("DAILY", "2026-01-01T12:00") if (t + timedelta(days=1)).day == 1]"#),
    RequestedSchedule(
      "3 days before the last of the month", "Hexagon/croner#220", #"{ calendar = "*-*~04 00:00" }"#,
      #"rule("MONTHLY;BYMONTHDAY=-4", "2026-01-01T00:00")"#),
    RequestedSchedule(
      "the last 5 days of the month at 11:00", "argoproj/argo-workflows#8348",
      #"{ calendar = "*-*~01..05 11:00" }"#,
      #"rule("MONTHLY;BYMONTHDAY=-5,-4,-3,-2,-1", "2026-01-01T11:00")"#),
    RequestedSchedule(
      "each month on the 31st, or on its last day", "actualbudget/actual#6814",
      #"{ civil = { every = "1 month", from = 2026-01-31, short-month = "last", at = ["08:00"] } }"#,
      #"rule("MONTHLY;BYMONTHDAY=-1", "2026-01-01T08:00")"#),
    RequestedSchedule(
      "the end of every second month", "javan/whenever#745",
      #"{ civil = { every = "2 months", from = 2026-01-31, short-month = "last", at = ["23:59"] } }"#,
      #"rule("MONTHLY;INTERVAL=2;BYMONTHDAY=-1", "2026-01-31T23:59")"#),
    RequestedSchedule(
      "the last Friday of the month", "apache/airflow#30567", #"{ cron = "0 16 * * 5L" }"#,
      #"rule("MONTHLY;BYDAY=-1FR", "2026-01-01T16:00")"#),
    RequestedSchedule(
      "the last Thursday of the month, for five months", "OptimalBits/bull#1987",
      #"{ rrule = "FREQ=MONTHLY;BYDAY=-1TH;COUNT=5", from = 2026-02-26T02:30:00 }"#,
      #"rule("MONTHLY;BYDAY=TH;BYSETPOS=-1", "2026-02-01T02:30")[:5]"#),
    RequestedSchedule(
      "the first Monday and the first Tuesday of the month at 06:00", "jhuckaby/Cronicle#533",
      #"{ any = [{ cron = "0 6 * * 1#1" }, { cron = "0 6 * * 2#1" }] }"#,
      #"rule("MONTHLY;BYDAY=1MO,1TU", "2026-01-01T06:00")"#),
    RequestedSchedule(
      "Tuesday, in the first and in the third week of the month", "kubernetes/kubernetes#125610",
      #"{ calendar = "Tue *-*-01..07,15..21 18:00" }"#,
      #"rule("MONTHLY;BYDAY=1TU,3TU", "2026-01-01T18:00")"#),
    RequestedSchedule(
      "the first Saturday after the second Tuesday of the month",
      "aws-solutions/instance-scheduler-on-aws#522",
      #"{ calendar = "Sat *-*-12..18 09:00" }"#,
      #"[t + timedelta(days=4) for t in rule("MONTHLY;BYDAY=2TU", "2026-01-01T09:00")]"#),
    RequestedSchedule(
      "the third Thursday of every 2 months", "nutso/redmine-plugin-recurring-tasks#55",
      #"{ rrule = "FREQ=MONTHLY;INTERVAL=2;BYDAY=3TH", from = 2026-01-15T09:00:00 }"#,
      #"[t for t in rule("WEEKLY;BYDAY=TH", "2026-01-01T09:00") if 14 < t.day < 22 and t.month % 2]"#),
    RequestedSchedule(
      "Friday the 13th", "Hexagon/croner#139", #"{ calendar = "Fri *-*-13 00:00" }"#,
      #"[t for t in rule("DAILY", "2026-01-01T00:00") if t.day == 13 and t.weekday() == 4]"#),
    RequestedSchedule(
      "the first day of each quarter", "javan/whenever#585",
      #"{ civil = { every = "3 months", from = 2026-01-01, at = ["00:00"] } }"#,
      #"rule("YEARLY;BYMONTH=1,4,7,10;BYMONTHDAY=1", "2026-01-01T00:00")"#),
    RequestedSchedule(
      "every quarter from 16 May on", "P4sca1/cron-schedule#120",
      #"{ civil = { every = "3 months", from = 2026-05-16, at = ["00:00"] } }"#,
      #"rule("YEARLY;BYMONTH=2,5,8,11;BYMONTHDAY=16", "2026-05-16T00:00")"#),
    RequestedSchedule(
      "day 60 of each quarter", "DavisVaughan/almanac#4",
      #"{ cron = "0 9 * * *", pick = { per = "quarter", nth = [60] } }"#,
      #"nth(rule("DAILY", "2026-01-01T09:00"), quarter, 60)"#),
  ]

  /// Working days, where `national` are holidays of a file.
  static let workingDays = [
    RequestedSchedule(
      "the last working day of the month at 18:00", "jamesmh/coravel#382", #"{ cron = "0 18 LW * *" }"#,
      #"rule("MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1", "2026-01-01T18:00")"#),
    RequestedSchedule(
      "the last working day of the month, with holidays", "jmettraux/rufus-scheduler#278",
      #"{ cron = "0 12 * * *", except = ["Sat,Sun", "holidays national"], pick = { per = "month", nth = [-1] } }"#,
      #"nth(working("2026-01-01T12:00"), month, -1)"#),
    RequestedSchedule(
      "the first and the second weekday of the month", "HangfireIO/Cronos#60",
      #"{ cron = "0 0 * * *", only = ["Mon..Fri"], pick = { per = "month", nth = [1, 2] } }"#,
      #"rule("MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=1,2", "2026-01-01T00:00")"#),
    RequestedSchedule(
      "the first business day of the month, which is no bank holiday", "ice-cube-ruby/ice_cube#293",
      #"{ cron = "30 8 * * 1-5", except = ["holidays national"], pick = { per = "month", nth = [1] } }"#,
      #"nth(working("2026-01-01T08:30"), month, 1)"#),
    RequestedSchedule(
      "the third and the last business day of the month", "pallets-eco/croniter#183",
      #"{ calendar = "Mon..Fri 04:02", except = ["holidays national"], pick = { per = "month", nth = [3, -1] } }"#,
      #"nth(working("2026-01-01T04:02"), month, 3, -1)"#),
    RequestedSchedule(
      "the last business day of the week", "cuu508/cronsim#5",
      #"{ cron = "0 0 * * *", except = ["Sat,Sun", "holidays national"], pick = { per = "week", nth = [-1] } }"#,
      #"nth(working("2025-12-29T00:00"), week, -1)"#),
    RequestedSchedule(
      "the second to last Saturday of the month, except in holidays",
      "nutso/redmine-plugin-recurring-tasks#55",
      #"{ cron = "0 9 * * sat", except = ["holidays national"], pick = { per = "month", nth = [-2] } }"#,
      #"nth([t for t in rule("WEEKLY;BYDAY=SA", "2026-01-01T09:00") if t.date() not in national], month, -2)"#
    ),
    RequestedSchedule(
      "on weekdays, but not on a list of dates", "node-cron/node-cron#138",
      #"{ cron = "0 8 * * 1-5", except = ["holidays national"] }"#, #"working("2026-01-01T08:00")"#),
  ]

  static let all = distances + days + workingDays
}
