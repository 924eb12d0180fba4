import Testing
import TimelineConfiguration

@testable import TimelineImport

/// Timers that no administrator wrote.
@Suite struct GeneratedTimerTests {
  private static let text = "[Timer]\nOnCalendar=daily\n"

  @Test(
    arguments: [
      (
        "/run/systemd/generator/cron-x-root-0.timer", "/etc/crontab",
        "generated from /etc/crontab line 2: import the crontab: `timelinectl import crontab /etc/crontab`"
      ),
      (
        "/run/systemd/generator/cron-x-root-0.timer", "/etc/cron.d/x",
        "generated from /etc/cron.d/x line 2: import the crontab: `timelinectl import crontab /etc/cron.d/x`"
      ),
      (
        "/run/systemd/generator.late/x.timer", "/etc/fstab", "generated from /etc/fstab: import that"
      ),
      ("/run/systemd/generator.early/x.timer", nil, "it is made by a generator: import its source"),
      (
        "/run/systemd/transient/run-x.timer", nil,
        "it is transient and goes away with its start: import what starts it, for example a call of systemd-run"
      ),
      ("/etc/systemd/system/x.timer", "/etc/crontab", nil),
      ("/run/systemd/system/x.timer", nil, nil),
    ] as [(String, String?, String?)])
  func `the source of a generated or transient timer is imported in its place`(
    _ path: String, _ source: String?, _ note: String?
  ) {
    let description = "Description=[Timer] \"5 * * * * root date +%%s\"\n"
    let unit = source.map { "[Unit]\n\(description)SourcePath=\($0)\n" } ?? ""
    let name = path.split(separator: "/").last.map(String.init) ?? ""
    let timer = UnitFile(name: name, parts: [.init(path: path, text: unit + Self.text)])
    let made = TimerImport(
      [TimerSource(timer: timer, service: nil, generatedFrom: "#\n5 *\t* * *  root date +%s\n")], in: .village
    )
    #expect(made.file.jobs.isEmpty == (note != nil))
    #expect(made.report.lines.first { $0.kind == .job }?.notes.contains { $0 == note } == (note != nil))
    let (carried, refused) = note == nil ? (1, 0) : (0, 1)
    let jobs = "\n1 job: \(carried) carried, 0 carried with a difference, \(refused) not carried; "
    #expect(made.report.text.contains(jobs))
  }

  /// A relative path, and a link to the file of a generator.
  @Test(
    arguments: [
      ("./a.timer", ["/run/systemd/generator/./a.timer", "/run/systemd/generator/a.timer"], false),
      ("/srv/a.timer", ["/srv/a.timer", "/run/systemd/transient/a.timer"], false),
      ("/run/systemd/generator/a.timer", ["/run/systemd/generator/a.timer", "/srv/a.timer"], false),
      ("/srv/a.timer", ["/srv/a.timer", "/etc/systemd/system/a.timer"], true),
    ] as [(String, [String], Bool)])
  func `a timer is judged by the places of its file`(_ path: String, _ places: [String], _ isCarried: Bool) {
    let timer = UnitFile(name: "a.timer", parts: [.init(path: path, text: Self.text)])
    let made = TimerImport([TimerSource(timer: timer, service: nil, places: places)], in: .village)
    #expect(made.file.jobs.isEmpty != isCarried)
  }

  @Test(arguments: ["OnClockChange=no", "OnCalendar=daily\nOnCalendar=", "OnCalendar=sometimes"])
  func `no line of a timer without a job counts as carried`(settings: String) {
    let parts = [UnitFile.Part(path: "/a.timer", text: "# a\n[Timer]\n\(settings)\nWakeSystem=yes\n")]
    let service = UnitFile(name: "a.service", parts: [.init(path: "/a.service", text: "[Service]\nNice=5\n")])
    let timer = UnitFile(name: "a.timer", parts: parts)
    let report = TimerImport([TimerSource(timer: timer, service: service)], in: .village).report
    #expect(report.lines.allSatisfy { $0.verdict == .notCarried } && !report.isComplete)
    let count = report.lines.count - 1
    #expect(
      report.text.hasSuffix(
        "\n1 job: 0 carried, 0 carried with a difference, 1 not carried; \(count) lines: 0 carried, 0 carried with a difference, \(count) not carried\n"
      ))
  }

  @Test func `a line that is not found has no number`() {
    let text = "[Unit]\nDescription=[Timer] \"5 * * * * root a\"\nSourcePath=/etc/crontab\n" + Self.text
    let timer = UnitFile(name: "a.timer", parts: [.init(path: "/run/systemd/generator/a.timer", text: text)])
    let made = TimerImport([TimerSource(timer: timer, service: nil)], in: .village)
    let note = "generated from /etc/crontab: import the crontab: `timelinectl import crontab /etc/crontab`"
    #expect(made.report.lines.first { $0.kind == .job }?.notes == [note])
  }
}
