import Testing

@testable import TimelineImport

/// Lines as crons of others read them. Each row was run: cronie 1.7.2 (`crontab -T`), the generators of systemd-cron 1.15.19-5 and
/// 2.5.1-2, bcron 0.11-19 and the crond of busybox 1.35.
struct CronProgramTests {
  static func made(_ line: String, _ program: CronProgram, installed: CronProgram? = nil) -> CrontabImport {
    let source = CrontabSource(path: "/srv/crontab", bytes: Array("\(line)\n".utf8), format: .user("root"))
    return CrontabImport([source], in: .village, as: program, installed: installed)
  }

  static func schedule(_ line: String, _ program: CronProgram) -> String? {
    made("MAILTO=\"\"\n\(line) x", program).file.jobs.first?.values["schedule"]
  }

  /// The rule in Debian's cron is as it is written; a cron that is not named reads it so too.
  @Test(
    arguments: [
      ("0 0 13 * 5", "bcron systemd-cron", "{ calendar = \"Fri *-*-13 0:0\" }"),
      ("0 0 13 2-3 1-5", "bcron systemd-cron", "{ calendar = \"Mon,Tue,Wed,Thu,Fri *-2,3-13 0:0\" }"),
      ("0 0 1-31 * 5", "bcron systemd-cron", "{ cron = \"0 0 * * 5\" }"),
      ("0 0 13 * 0-6", "bcron systemd-cron busybox", "{ cron = \"0 0 13 * *\" }"),
      (
        "0 0 */2 * 1", "busybox", "{ cron = \"0 0 2,4,6,8,10,12,14,16,18,20,22,24,26,28,30 * 1\" }"
      ),
      ("0 0 13 * */2", "busybox", "{ cron = \"0 0 13 * 0,2,4,6\" }"),
      ("0 0 * */2 *", "", ""),
      ("0 2 * * 6-7", "systemd-cron busybox", "{ cron = \"0 2 * * *\" }"),
      ("0 2 * * 7", "busybox", "{ cron = \"0 2 * * *\" }"),
      ("0 2 * * 1-5", "", ""), ("*/15 8-17 * * 1,3", "", ""), ("0 0 1 1 *", "", ""),
    ])
  func `a line has the rule that its cron runs`(rule: String, programs: String, schedule: String) {
    for program in CronProgram.allCases {
      let isOther = programs.split(separator: " ").contains { $0 == program.rawValue }
      #expect(Self.schedule(rule, program) == (isOther ? schedule : "{ cron = \"\(rule)\" }"), "\(program)")
    }
  }

  /// Lines that mean the same under no other cron.
  @Test(
    arguments: [
      ("0 22-4 * * *", .busybox, "{ cron = \"0 0,1,2,3,4,22,23 * * *\" }"),
      ("60 * * * *", .busybox, "{ cron = \"* * * * *\" }"),
      ("5/20 1 * * *", .busybox, "{ cron = \"5 1 * * *\" }"),
      ("0 0 * * fri-sun", .busybox, "{ cron = \"0 0 * * 0,5,6\" }"),
      ("0 0 * * fri-sun", .systemdCron, "{ cron = \"0 0 * * *\" }"),
      ("@weekly", .systemdCron, "{ cron = \"0 0 * * 1\" }"),
      ("@daily", .systemdCron, "{ cron = \"@daily\" }"),
      (
        "~ 1 * * *", .cronie,
        "{ cron = \"0 1 * * *\", jitter = \"59m\", offset = \"hash\", accuracy = \"1m\" }"
      ),
      ("5/20 1 * * *", .systemdCron, "{ cron = \"5 1 * * *\" }"), ("51~19 1 * * *", .systemdCron, nil),
      ("5#2 1 * * *", .cronie, nil), ("0~59/20 * * * *", .cronie, nil), ("60 * * * *", .cronie, nil),
      ("x * * * *", .busybox, nil),
    ] as [(String, CronProgram, String?)])
  func `a line has the rule of the cron that runs it`(rule: String, program: CronProgram, schedule: String?) {
    #expect(Self.schedule(rule, program) == schedule)
  }

  @Test func `a cron that catches up has jobs that do, and a zone of its own`() {
    let jobs = Self.made("MAILTO=\"\"\n@daily x\n0 1 * * * y\n@reboot z", .systemdCron).file.jobs
    #expect(jobs.map { $0.values["missed"] } == ["\"latest\"", "\"skip\"", "\"skip\""])
    let zoned = Self.made("MAILTO=\"\"\n0 1 * * * a\nCRON_TZ=Asia/Tokyo\n0 1 * * * b", .cronie).file.jobs
    #expect(zoned.map { $0.values["time-zone"] } == [nil, "\"Asia/Tokyo\""])
    let others = Self.made("CRON_TZ=Asia/Tokyo\nTZ=Asia/Tokyo", .systemdCron).report
    #expect(others.lines.map(\.verdict) == [.differs, .differs])
    let installed = Self.made("TZ=Asia/Tokyo", .debian, installed: .systemdCron).report
    #expect(installed.lines.map(\.verdict) == [.differs])
    #expect(Self.made("TZ=Asia/Tokyo", .debian).report.lines.map(\.verdict) == [.carried])
  }

  /// The zone of a job below a line with `CRON_TZ`, and the note about that line.
  @Test(
    arguments: [
      ("Asia/Tokyo", .cronie, "Asia/Tokyo", .carried, nil), ("\"\"", .cronie, nil, .carried, nil),
      (
        "Europe/Berln", .cronie, "UTC", .differs,
        "there is no time zone \"Europe/Berln\", so that cronie runs the lines below in UTC, and so do the jobs: did you mean \"Europe/Berlin\"?"
      ),
      (
        "CET-1CEST", .cronie, nil, .notCarried,
        "there is no time zone \"CET-1CEST\", and the lines below have the machine's: `timedatectl list-timezones` has them all"
      ),
      (
        "Europe/Berlin", .debian, nil, .differs,
        "Debian's cron and systemd-cron 1.15 pass CRON_TZ to the command, and the lines below stay in the machine's zone, as do the jobs; cronie and systemd-cron 2.5 run them in it: set time-zone = \"Europe/Berlin\" if that is meant"
      ),
      (
        "Europe/Berln", .bcron, nil, .differs,
        "bcron passes CRON_TZ to the command, and the lines below stay in the machine's zone, as do the jobs; cronie and systemd-cron 2.5 run them in it: there is no time zone \"Europe/Berln\""
      ),
      (
        "Europe/Berlin", .busybox, nil, .differs,
        "busybox 1.35 reads SHELL and MAILTO alone, and the job has the variable"
      ),
    ] as [(String, CronProgram, String?, ImportedLine.Verdict, String?)])
  func `a zone for the lines below is that of their cron`(
    value: String, program: CronProgram, zone: String?, verdict: ImportedLine.Verdict, note: String?
  ) throws {
    let made = Self.made("CRON_TZ=\(value)\n0 1 * * * x", program)
    let line = try #require(made.report.lines.first { $0.line == 1 })
    #expect(made.file.jobs.first?.values["time-zone"] == zone.map { "\"\($0)\"" })
    #expect(line.verdict == verdict && line.notes == [note].compactMap(\.self))
  }

  @Test(
    arguments: [
      (
        "0 2 * * 6-7", "version 1.15 reads `6-7` as every day, and 2.5 as it is written; the job follows 1.15"
      ),
      (
        "0 2 * * 0-7",
        "version 1.15 reads `0-7` as Sunday alone, and 2.5 as it is written; the job follows 1.15"
      ),
      (
        "0 0 1 nov *",
        "version 1.15 runs `oct` never, `nov` in October and `dec` in November, and 2.5 as it is written; the job follows 2.5"
      ),
      ("5~9 1 * * *", "1.15 runs no line with it, and the job follows 2.5"), ("@daily", nil),
      ("0 0 13 * 5", nil),
    ] as [(String, String?)])
  func `a line that versions of systemd-cron read differently is carried with a difference`(
    rule: String, note: String?
  ) throws {
    let made = Self.made("\(rule) x", .systemdCron)
    let line = try #require(made.report.lines.first { $0.line == 1 })
    #expect(line.verdict == (note == nil ? .carried : .differs))
    #expect(note.map { note in line.notes.contains { $0.contains(note) } } ?? true)
  }

  @Test(
    arguments: [
      (
        "0 1 * * ? *",
        "this is a rule of AWS, with the year as its last field and 1 for Sunday: did you mean \"0 1 * * *\"?"
      ),
      (
        "0 10 ? * 2-6 *",
        "this is a rule of AWS, with the year as its last field and 1 for Sunday: did you mean \"0 10 * * MON-FRI\"?"
      ),
      ("0 0 12 * * ?", "without the last field it is `0 0 12 * *`"),
      ("0 1 * * ?", "did you mean \"0 1 * * *\"?"),
      ("0 0 12 ? * MON-FRI", "did you mean \"0 0 12 * * MON-FRI\"?"),
    ])
  func `a rule of another scheduler has its rule of cron in the report`(rule: String, text: String) {
    for (format, user) in [(CrontabSource.Format.user("root"), ""), (.system, "root ")] {
      let source = CrontabSource(path: "/srv/c", bytes: Array("\(rule) \(user)/bin/x\n".utf8), format: format)
      let notes = CrontabImport([source], in: .village).report.lines.flatMap(\.notes)
      #expect(notes.contains { $0.contains(text) }, "\(notes)")
    }
  }

  /// Lines of an anacrontab, with the difference that the report names for the anacron beside each cron.
  @Test(
    arguments: [
      ("@weekly 5 x true", .debian, "Debian's anacron has no word"),
      (
        "@weekly 5 x true", .cronie,
        "cronie's anacron counts days from the last run and looks hourly; the job has"
      ),
      ("@monthly 5 x true", .systemdCron, "systemd-cron 1.15 adds the delay to midnight"),
      ("7 5 x true", .bcron, "anacron counts days from the last run; the job has"),
      ("@hourly 5 x true", .cronie, "a period is a number of days"),
      ("RANDOM_DELAY=45", .debian, "Debian's anacron passes RANDOM_DELAY to the command alone"),
      ("RANDOM_DELAY=45", .cronie, "cronie's anacron delays the lines below by a random part of it"),
      ("START_HOURS_RANGE=3-22", .cronie, "cronie's anacron starts the lines below in these hours alone"),
      ("START_HOURS_RANGE=3-22", .systemdCron, "systemd-cron 1.15 runs @daily and longer periods"),
      ("RANDOM_DELAY=45", .busybox, nil), ("CRON_TZ=Asia/Tokyo", .cronie, nil),
    ] as [(String, CronProgram, String?)])
  func `the report has sentences about the anacron of the cron`(
    line: String, program: CronProgram, text: String?
  ) {
    let source = CrontabSource(path: "/etc/anacrontab", bytes: Array("\(line)\n".utf8), format: .anacron)
    let notes = CrontabImport([source], in: .village, as: program).report.lines.filter { $0.line == 1 }
      .flatMap(\.notes)
    #expect(
      notes.contains { $0.hasPrefix("Debian's") } == (program == .debian && text?.hasPrefix("D") == true))
    #expect(text.map { text in notes.contains { $0.contains(text) } } ?? notes.isEmpty, "\(notes)")
  }

  @Test(
    arguments: [
      ("0 0 13 * 5", .bcron, "bcron, which is installed here, runs it otherwise: the day of the month and"),
      (
        "0 2 * * 6-7", .systemdCron,
        "systemd-cron, which is installed here, runs it otherwise: version 1.15 reads"
      ),
      (
        "5#2 1 * * *", .cronie,
        "cronie, which is installed here, does not run it: `5#2`: cronie passes over the line"
      ),
      ("60 1 * * *", .busybox, "busybox, which is installed here, runs it otherwise: `60` is every value"),
      ("0 2 * * 1-5", .systemdCron, nil), ("0 0 13 * 5", .debian, nil), ("0 0 13 * 5", .cronie, nil),
    ] as [(String, CronProgram, String?)])
  func `the report names the lines that the installed cron runs otherwise`(
    rule: String, installed: CronProgram, note: String?
  ) throws {
    let made = Self.made("\(rule) x", .debian, installed: installed)
    let line = try #require(made.report.lines.last { $0.line == 1 })
    let found = line.notes.first { $0.contains("installed here") }
    #expect(found?.hasPrefix(note ?? "-") ?? (note == nil))
    if found != nil {
      #expect(found?.contains("import with --as \(installed.rawValue)") == true && line.verdict != .carried)
      #expect(made.rules.allSatisfy { if case .unproven = $0.kind { true } else { false } })
    }
  }

  @Test func `a file that the installed cron reads is not reported as ignored`() {
    let lines = Self.made("60 * * * * x\n1 1 * * * y", .debian, installed: .systemdCron).report.lines
    #expect(!lines.contains { $0.line == 0 && $0.kind == .unknown })
    #expect(lines.first { $0.line == 1 }?.verdict == .notCarried)
  }

  @Test(
    arguments: [
      (
        "*/6 * * * * * cmd",
        "with seconds in front it is schedule = { cron = \"*/6 * * * * *\" }, every 6 seconds"
      ),
      ("*/6 * * * * * cmd", "without the last field it is `*/6 * * * *`, every 6 minutes"),
      (
        "0 30 2 * * 1 cmd",
        "with seconds in front it is schedule = { cron = \"0 30 2 * * 1\" }, at 02:30 on Monday"
      ),
      ("0 */6 * * * 1 cmd", "without the last field it is `0 */6 * * *`"),
    ])
  func `a sixth field has its meanings in the report`(line: String, text: String) {
    for (format, user) in [(CrontabSource.Format.user("root"), ""), (.system, "root ")] {
      let source = CrontabSource(
        path: "/srv/c", bytes: Array((line.replacing("cmd", with: user + "cmd") + "\n").utf8), format: format)
      let notes = CrontabImport([source], in: .village).report.lines.flatMap(\.notes)
      #expect(notes.contains { $0.contains(text) }, "\(notes)")
    }
  }

  @Test(
    arguments: [
      ("@monthly", "Debian's anacron runs @monthly 13 times a year"),
      ("@weekly", "Debian's anacron has no word `@weekly`, so that it runs the job whenever it starts"),
      ("@daily", "has no word `@daily`"), ("@annually", "has no word `@annually`"),
      ("@hourly", "has no word `@hourly`"), ("0", "a period of 0 is always over"),
      ("7", nil), ("@yearly", nil),
    ] as [(String, String?)])
  func `the report explains how anacron treats a word`(period: String, text: String?) {
    let source = CrontabSource(
      path: "/etc/anacrontab", bytes: Array("\(period) 5 x true\n".utf8), format: .anacron)
    let notes = CrontabImport([source], in: .village).report.lines.filter { $0.line == 1 }.flatMap(\.notes)
    #expect(notes.contains { $0.contains(text ?? "Debian's anacron") } == (text != nil), "\(notes)")
  }
}
