import Testing

@testable import TimelineImport

struct CommandTests {
  @Test(
    arguments: [
      ("[ -x /a/b ] && /a/b -q", "[ -x /a/b ]", "/a/b -q"),
      ("test -x /a && cd / && /a | logger", "test -x /a", "cd / && /a | logger"),
      ("[ -x /a ] && [ -d /b ] && /a", "[ -x /a ] && [ -d /b ]", "/a"),
      ("command -v d > /dev/null && d 1 1", "command -v d > /dev/null", "d 1 1"),
      ("[ -x /a ] && if [ -d /b ]; then /a; fi", "[ -x /a ]", "if [ -d /b ]; then /a; fi"),
      ("! test -e /quiet && /a 'x && y'", "! test -e /quiet", "/a 'x && y'"),
      ("/usr/bin/test -x /a && /a", "/usr/bin/test -x /a", "/a"),
      ("[ -x /a ] && /a # daily", "[ -x /a ]", "/a # daily"),
      // The status is not that of the rest alone.
      ("[ -x /a ] && /a || true", nil, "[ -x /a ] && /a || true"),
      ("[ -x /a ] && /a; /b", nil, "[ -x /a ] && /a; /b"),
      ("[ -x /a ] && /a &", nil, "[ -x /a ] && /a &"), ("cd / && /a", nil, "cd / && /a"),
      ("[ -x /a ] && echo \"open", nil, "[ -x /a ] && echo \"open"), ("/a", nil, "/a"),
      ("if [ -x /a ] && [ -x /b ]; then /a; fi", nil, "if [ -x /a ] && [ -x /b ]; then /a; fi"),
    ] as [(String, String?, String)])
  func `a guard in front becomes a condition where the status allows it`(
    text: String, condition: String?, command: String
  ) {
    let guarded = GuardedCommand(text)
    #expect(guarded.condition == condition)
    #expect(guarded.command == command)
  }

  @Test(
    arguments: [
      ("test -e /run/systemd/system || /usr/lib/e2scrub_all", true),
      ("[ -x /a ] && if [ ! -d /run/systemd/system ]; then /a; fi", true),
      ("test -x /usr/bin/certbot -a \\! -d /run/systemd/system && certbot -q renew", true),
      ("[ -d \"/run/systemd/system\" ] || /a", true), ("! test -d /run/systemd/system/ && /a", true),
      ("[ -d /run/systemd/system ] && /a", false), ("/a /run/systemd/system || /b", false), ("/a", false),
    ])
  func `a line that a timer replaces is recognized`(text: String, isLeft: Bool) {
    #expect(GuardedCommand.isLeftToTimer(text) == isLeft)
  }

  @Test(
    arguments: [
      ("/usr/bin/id -u", ["/usr/bin/id", "-u"]), ("/a  b=c +%F", ["/a", "b=c", "+%F"]), ("id -u", nil),
      ("/a *", nil), ("/a ~", nil),
      ("/a > /dev/null", nil), ("/a $HOME", nil), ("/a 'b'", nil), ("A=b /a", nil),
    ] as [(String, [String]?)])
  func `a command without characters of a shell has words`(text: String, words: [String]?) {
    #expect(PlainCommand.words(text) == words)
  }

  @Test(
    arguments: [
      ("/usr/local/bin/backup --all", "backup"), ("cd / && run-parts --report /etc/cron.hourly", "run-parts"),
      ("test -x /usr/sbin/anacron || { cd /; }", "anacron"), ("nice -n 19 /opt/report.py", "report"),
      ("A=b 2 exec $X", "job"), ("$HOME/bin/report > $HOME/report.txt 2>&1", "report"),
    ])
  func `a job is named after its program`(text: String, name: String) {
    #expect(PlainCommand.programName(text) == name)
  }

  @Test func `names are unique, short and without characters that need quotes`() {
    var names = JobNames()
    #expect(names.name(["php", "php"]) == "php")
    #expect(names.name(["php"]) == "php-2")
    #expect(names.name(["Größe", "a.b"]) == "Gr----e-a-b")
    #expect(names.name([String(repeating: "x", count: 100)]).count == 59)
    #expect(names.name(["..."]) == "job")
  }
}
