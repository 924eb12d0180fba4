import Testing
import TimelineCore

@testable import TimelineImport

struct UnitTests {
  @Test(
    arguments: [
      ("15min", 900), ("1h 30min", 5_400), ("1d2h", 93_600), ("90", 90), ("2 weeks", 1_209_600), ("0.5s", 0),
      ("1.5h", 5_400), ("infinity", nil),
      ("", nil), ("soon", nil), ("5 parsecs", nil), ("99999999999999y", nil),
    ] as [(String, Int64?)])
  func `a time span has units of systemd`(text: String, seconds: Int64?) {
    #expect(UnitTimespan.parse(text).map { $0.nanoseconds / 1_000_000_000 } == seconds)
  }

  @Test(
    arguments: [
      ("/bin/a -x 'b c' \"d\\\"e\"", ["/bin/a", "-x", "b c", "d\"e"]), ("a\\x20b \\s", ["a b", " "]),
      ("''", [""]), ("'open", nil), ("\\q", nil),
    ] as [(String, [String]?)])
  func `words have quotes and escapes`(text: String, words: [String]?) {
    #expect(UnitWords.split(text) == words)
  }

  @Test(
    arguments: [
      ("/bin/find -exec rm {} \\;", "[\"/bin/find\", \"-exec\", \"rm\", \"{}\", \";\"]"),
      ("/bin/a b", "[\"/bin/a\", \"b\"]"), ("-/bin/a", "{ command = [\"/bin/a\"], may-fail = true }"),
      ("+/bin/a", "[\"/bin/a\"]"),
      (":/bin/a $B", "[\"/bin/a\", \"$B\"]"),
      ("/bin/a $$", "[\"/bin/sh\", \"-c\", \"set -f; exec /bin/a \\\"\\\\$\\\"\"]"),
      ("/bin/a $B x${C}y", "[\"/bin/sh\", \"-c\", \"set -f; exec /bin/a $B \\\"x${C}y\\\"\"]"),
    ])
  func `a command keeps the meaning of its prefix and its variables`(text: String, element: String) throws {
    #expect(try UnitCommand.commands(text, runsAsRoot: true).map(\.element) == [element])
  }

  @Test(arguments: ["@/bin/a b", "!/bin/a", "-", "'"])
  func `a command that needs systemd is refused`(text: String) {
    #expect(throws: UnitCommand.Obstacle.self) { try UnitCommand.commands(text, runsAsRoot: true) }
    #expect(throws: UnitCommand.Obstacle.self) { try UnitCommand.commands("+/bin/a", runsAsRoot: false) }
  }

  /// A setting of a service, and the key and value of `run-limits`; none where the service stays systemd's.
  @Test(
    arguments: [
      ("MemoryMax=200M", "memory \"200M\""), ("MemoryMax=1073741824", "memory \"1048576K\""),
      ("MemoryMax=infinity", ""), ("MemoryMax=10%", nil), ("MemoryMax=1M", nil),
      ("MemoryMax=99999999999T", nil),
      ("MemoryMax=1.5G", nil),
      ("CPUQuota=20%", "cpu \"20%\""), ("CPUQuota=200%", "cpu \"200%\""), ("CPUQuota=0.5%", nil),
      ("CPUQuota=20", nil), ("TasksMax=20", "tasks 20"), ("TasksMax=infinity", ""), ("TasksMax=20%", nil),
      ("TasksMax=0", nil),
    ] as [(String, String?)])
  func `a limit of a service is one of its runs`(setting: String, expected: String?) {
    let unit = UnitFile(name: "a.service", parts: [.init(path: "/a", text: "[Service]\n\(setting)\n")])
    let limits = ServiceLimits(of: unit)
    #expect(limits.values.map { "\($0) \($1)" }.joined() == expected ?? "")
    #expect(limits.obstacles == (expected == nil ? [setting] : []))
  }

  @Test(
    arguments: [
      ("%n %N %p %i %I", "pg@a-b.timer pg@a-b pg a-b a/b"),
      ("%H %l %t 100%%", "village.example.org village /run 100%"), ("%h %u", "/root root"),
      ("5% off", "5% off"),
    ])
  func `specifiers are replaced`(text: String, expected: String) {
    let specifiers = UnitSpecifiers(unit: "pg@a-b.timer", context: .village)
    #expect(specifiers.resolve(text).text == expected)
    #expect(specifiers.resolve(text).unknown.isEmpty)
    #expect(specifiers.resolve("%b").unknown == ["%b"])
  }

  @Test func `drop-ins add settings, and an empty value resets a list and keeps a boolean`() {
    let unit = UnitFile(
      name: "a.timer",
      parts: [
        .init(
          path: "/a.timer",
          text: "[Timer]\nOnCalendar=daily\n# note\nOnCalendar=\\\n  weekly\nPersistent=yes\n"),
        .init(
          path: "/a.timer.d/x.conf", text: "[Timer]\r\nOnCalendar=\r\nOnCalendar=hourly\nPersistent=\nstray\n"
        ),
      ])
    #expect(unit.list("Timer", "OnCalendar") == ["hourly"])
    #expect(unit.isTrue("Timer", "Persistent"))
    #expect(unit.settings.map(\.line) == [2, 4, 6, 2, 3, 4])
    #expect(unit.others.filter { $0.verdict == .notCarried }.map(\.text) == ["stray"])
  }

  @Test func `the listing of systemctl has the files of a unit`() {
    let parts = UnitFile.parts(
      ofListing: "# /lib/a.timer\n[Timer]\n# a remark\n\n# /etc/a.timer.d/b.conf\n[Timer]\n")
    #expect(parts.map(\.path) == ["/lib/a.timer", "/etc/a.timer.d/b.conf"])
    #expect(parts.first?.text == "[Timer]\n# a remark\n\n")
    #expect(UnitFile.template(of: "a@b.timer") == "a@.timer")
    #expect(UnitFile.template(of: "a@.timer") == nil && UnitFile.template(of: "a.timer") == nil)
  }

  @Test(
    arguments: [
      ("ConditionPathExists=/a", "[\"test\", \"-e\", \"/a\"]"),
      ("ConditionPathExists=!/a", "[\"test\", \"!\", \"-e\", \"/a\"]"),
      ("ConditionACPower=true", "[\"systemd-ac-power\"]"),
      (
        "ConditionVirtualization=!container",
        "[\"/bin/sh\", \"-c\", \"! systemd-detect-virt --quiet --container\"]"
      ),
      (
        "ConditionPathExists=/a b\nConditionACPower=false",
        "[\"/bin/sh\", \"-c\", \"test -e '/a b' && ! systemd-ac-power\"]"
      ),
      ("ConditionPathExists=/a\nConditionPathExists=", nil), ("ConditionUser=root", nil),
      ("ConditionPathExists=|/a", nil),
    ] as [(String, String?)])
  func `a condition becomes a test`(lines: String, parameter: String?) {
    let conditions = UnitConditions(
      UnitFile(name: "a.service", parts: [.init(path: "/a", text: "[Unit]\n\(lines)\n")]))
    #expect(conditions.parameter == parameter)
  }

  @Test(
    arguments: [
      ("OnBootSec=5min\nOnStartupSec=300", "{ cron = \"@reboot\", delay = \"5m\" }"),
      ("OnCalendar=daily\nOnBootSec=", nil),
      (
        "OnBootSec=1\nOnCalendar=\nOnCalendar=daily\nOnUnitActiveSec=1h",
        "{ any = [{ calendar = \"daily\" }, { periodic = { by = \"1h\" } }] }"
      ),
      ("OnActiveSec=0\nRandomizedDelaySec=1m", "{ cron = \"@reboot\", jitter = \"1m\" }"),
    ] as [(String, String?)])
  func `the times of a timer become a schedule, and an empty value resets all`(
    lines: String, schedule: String?
  ) {
    let timer = UnitFile(name: "a.timer", parts: [.init(path: "/a", text: "[Timer]\n\(lines)\n")])
    #expect(TimerSchedule(timer, in: .village).text == schedule)
  }
}
