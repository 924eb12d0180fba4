import Testing

@testable import TimelineImport

/// Lines as Debian's cron reads them: env.c, entry.c and do_command.c of cron 3.0pl1-162.
struct CrontabReadingTests {
  @Test(
    arguments: [
      ("MAILTO=root", .variable(name: "MAILTO", value: "root")),
      ("MAILTO = root  ", .variable(name: "MAILTO", value: "root")),
      ("MAILTO=\"\"", .variable(name: "MAILTO", value: "")),
      ("MAILTO=", .empty(name: "MAILTO")),
      ("A='two words '", .variable(name: "A", value: "two words ")),
      ("A=\"'nested'\"", .variable(name: "A", value: "nested")),
      ("A=b c # no comment", .variable(name: "A", value: "b c # no comment")),
      ("\"A\"=b", .variable(name: "A", value: "b")),
      ("PATH=$PATH:/opt/bin", .variable(name: "PATH", value: "$PATH:/opt/bin")),
      ("A=\"open", nil), ("A=\"b\" c", nil), ("\"A=\"b", nil), ("A b=c", nil),
      ("=b", .variable(name: "", value: "b")),
      ("* * * * * A=b true", nil), ("@reboot A=b true", nil),
    ] as [(String, CrontabVariable?)])
  func `a variable is a name, an equals sign and a value that may be in quotes`(
    line: String, expected: CrontabVariable?
  ) {
    #expect(CrontabVariable(Array(line.utf8)) == expected)
  }

  @Test(
    arguments: [
      ("date +\\%F", "date +%F", nil),
      ("mail joe%Hello,%%Bye", "mail joe", "Hello,\n\nBye\n"),
      ("cat%100\\% sure\\n%", "cat", "100% sure\\n\n"),
      ("sed s/\\\\./x/", "sed s/\\./x/", nil),
      ("echo \\$HOME", "echo \\$HOME", nil),
      ("true%", "true", nil), ("echo 'a%b'", "echo 'a", "b'\n"), ("cat%\\", "cat", "\\\n"),
    ] as [(String, String, String?)])
  func `a percent sign without a backslash ends the command`(column: String, command: String, input: String?)
  {
    let found = CrontabCommand(column: column)
    #expect(found.text == command)
    #expect(found.input == input)
  }

  @Test(
    arguments: [
      ("*/15 0 1,15 * 1-5", 0x2000_4000_8001, 1, 0x8002, 0x1FFE, 0x3E, true, false),
      ("5 4 * * sun", 0x20, 0x10, 0xFFFF_FFFE, 0x1FFE, 0x81, false, true),
      ("0 0 1 jan 7", 1, 1, 2, 2, 0x81, false, false),
      ("0 9-17/4 * 1-12/6 mon-wed", 1, 0x22200, 0xFFFF_FFFE, 0x82, 0x0E, false, true),
      ("59 */25 31 12 0-7", 1 << 59, 1, 1 << 31, 1 << 12, 0xFF, true, false),
      ("1,1,05 1 1 1 */7", 0x22, 2, 2, 2, 0x81, false, true),
    ] as [(String, UInt64, UInt64, UInt64, UInt64, UInt64, Bool, Bool)])
  func `fields become sets of numbers`(
    rule: String, minutes: UInt64, hours: UInt64, days: UInt64, months: UInt64, weekdays: UInt64,
    wildcard: Bool, both: Bool
  ) throws {
    let fields = try CrontabFields(rule.split(separator: " "))
    #expect(fields.minutes == minutes)
    #expect(fields.hours == hours)
    #expect(fields.daysOfMonth == days)
    #expect(fields.months == months)
    #expect(fields.daysOfWeek == weekdays)
    #expect(fields.isWildcard == wildcard)
    #expect(fields.needsBothDays == both)
    #expect(fields.rule == rule && fields.ignored.isEmpty)
  }

  @Test(
    arguments: [
      ("60 * * * *", "`60`: a minute is 0 to 59"), ("* 24 * * *", "`24`: an hour is 0 to 23"),
      ("* * 0 * *", "`0`: a day of the month is 1 to 31"), ("* * * 13 *", "`13`: a month is 1 to 12"),
      ("* * * * 8", "`8`: a day of the week is 0 to 7"),
      ("* * * * funday", "`funday`: a day of the week is expected"),
      ("1/20 * * * *", "`1/20`: a step needs a range in front of it: write `1-59/20`"),
      ("*/0 * * * *", "`*/0`: a step is a number above 0"), ("1, * * * *", "`1,`: a minute is expected"),
      (
        "* 22-4 * * *",
        "`22-4`: cron reads a range that descends as empty, so that the line never runs"
      ),
      ("* ~5 * * *", "`~5`: an hour is expected"), ("*/5x * * * *", "`*/5x`: a step is a number above 0"),
      ("22-4 60 * * *", "`60`: an hour is 0 to 23"),
      ("L * * * *", "`L`: a minute is expected"),
      ("Please read the manual first", "`Please`: a minute is expected"),
    ])
  func `a field that cron refuses is refused with the reason`(rule: String, reason: String) {
    let refusal = #expect(throws: CrontabRefusal.self) { try CrontabFields(rule.split(separator: " ")) }
    #expect(refusal?.reason == reason)
  }

  @Test(
    arguments: [
      ("0 0 * * 5#2", "0 0 * * 5", "`#2` in the field `5#2`"),
      ("0 22-4,5 * * *", "0 5 * * *", "the range `22-4`, which descends"),
      ("51~19 * * * *", "51 * * * *", "`~19` in the field `51~19`"),
      ("* 1~5,7 * * *", "* 1 * * *", "`~5,7` in the field `1~5,7`"),
      ("0.5 * * * *", "0 * * * *", "`.5` in the field `0.5`"),
    ])
  func `parts that cron ignores are left out and named`(rule: String, expected: String, ignored: String)
    throws
  {
    let fields = try CrontabFields(rule.split(separator: " "))
    #expect(fields.rule == expected)
    #expect(fields.ignored == [ignored])
  }

  @Test(arguments: [("0~30", 0, 30), ("~", 0, 59), ("10~", 10, 49), ("~5", 0, 5)])
  func `a random minute is a number and a length`(field: String, first: Int, length: Int) throws {
    let fields = try CrontabFields("\(field) 3 * * *".split(separator: " "))
    #expect(fields.rule == "\(first) 3 * * *")
    #expect(fields.randomMinutes == length)
  }

  @Test(arguments: [
    ("php", true), ("php-common_2", true), ("php.dpkg-old", false), ("a b", false), ("x~", false),
  ])
  func `cron.d has the names of run-parts`(name: String, isRead: Bool) {
    let source = CrontabSource(path: "/etc/cron.d/\(name)", bytes: [], format: .system)
    #expect((source.reasonNotRead == nil) == isRead)
    #expect(CrontabSource(path: "/srv/\(name)", bytes: [], format: .system).reasonNotRead == nil)
  }

  @Test func `a file of the spool directory is the crontab of a user`() {
    #expect(CrontabSource.format(ofFileAt: "/var/spool/cron/crontabs/ada") == .user("ada"))
    #expect(CrontabSource.format(ofFileAt: "/etc/cron.d/php") == .system)
    #expect(CrontabSource.format(ofFileAt: "/etc/crontab") == .system)
    #expect(CrontabSource.format(ofFileAt: "/srv/ada/crontab") == nil)
    #expect(CrontabSource.format(ofFileAt: "crontab") == nil)
  }
}
