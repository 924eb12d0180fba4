import Glibc
import Testing
import TimelineSystem
import TimelineTestSupport

/// Reloads of root's daemon that depend on files of another user.
@Suite(.enabled(if: CurrentProcess.effectiveUser == 0, "only root can give files away"))
struct ForeignReloadTests {
  @Test func `an untrusted list of another user disables its jobs, and refuses no reload`() throws {
    let workshop = try Workshop()
    try workshop.compile(directory: "Tests/BrokenPlugins/steady")
    let one = "[job.one]\nplugin = \"steady\"\nschedule = \(never)\n"
    try workshop.configure(one)
    let daemon = try DaemonProcess(workshop)
    try daemon.begin()
    let days = try workshop.write("2026-12-25\n", to: "theirs/days")
    let theirs = days.parentDirectory
    try #require(unsafe chown(theirs, 65_534, 65_534) == 0)
    let two = """
      [holidays.given]
      file = "\(days)"
      [job.two]
      plugin = "steady"
      schedule = { cron = "0 6 * * *", except = ["holidays given"] }

      """
    try workshop.configure(two + one)
    let reload = try daemon.control("reload")
    let text = reload.output + reload.errors
    #expect(
      reload.end == .exited(0) && text.contains("\(theirs): it belongs to user 65534"), "\(reload)")
    let list = try daemon.control("list")
    #expect(list.output.contains("one") && list.output.contains("two"), "\(list)")
    // An invalid list that root owns refuses the reload, because the operator can correct it.
    try #require(unsafe chown(theirs, 0, 0) == 0)
    try workshop.write("not a day\n", to: "theirs/days")
    try workshop.configure(two.replacing("two", with: "three") + one)
    #expect(try daemon.control("reload").end == .exited(1))
    #expect(try daemon.stop() == .exited(0))
  }
}
