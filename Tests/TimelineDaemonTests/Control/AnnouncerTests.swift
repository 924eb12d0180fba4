import Testing
import TimelineCore
import TimelineEngine

@testable import TimelineDaemon

@Suite struct AnnouncerTests {
  /// Output of an announcer whose clock the test sets.
  final class Page {
    var text = ""
    var now = WallInstant(secondsSinceEpoch: 1_800_000_000)
  }

  func announcer(on page: Page) -> Announcer {
    Announcer(usesJournal: false, now: { page.now }, write: { page.text += $0 })
  }

  @Test func `lines are dated once a day and carry the time, the job and the fields`() throws {
    let page = Page()
    let announcer = announcer(on: page)
    announcer.jobWidth = 8
    announcer.announce(.notice, "hello")
    announcer.announce(
      Announcement(
        level: .info, text: "done", job: JobName("backup"), fields: [(name: "bytes", value: "12")]))
    page.now = page.now + .days(1) + .milliseconds(42)
    announcer.announce(.error, "two\nlines")
    #expect(
      page.text == """
        -- 2027-01-15 UTC
        08:00:00.000  hello
        08:00:00.000  backup    done  bytes=12
        -- 2027-01-16 UTC
        08:00:00.042  error: two
        08:00:00.042  error: lines

        """)
  }

  @Test(arguments: [
    ("\u{1B}[2Jgone", "\\u{1b}[2Jgone"), ("a\tb", "a\tb"), ("bell\u{7}\u{7F}", "bell\\u{7}\\u{7f}"),
    ("\u{9B}31mred", "\\u{9b}31mred"), ("over\rwritten", "over\\u{d}written"), ("Grüße, 日本", "Grüße, 日本"),
  ])
  func `control characters of a plugin are escaped on a terminal`(text: String, written: String) {
    let page = Page()
    let announcer = announcer(on: page)
    announcer.announce(Announcement(level: .info, text: text, fields: [(name: "f", value: text)]))
    announcer.announce(.info, "one\n\(text)")
    #expect(
      page.text == """
        -- 2027-01-15 UTC
        08:00:00.000  \(written)  f=\(written)
        08:00:00.000  one
        08:00:00.000  \(written)

        """)
  }

  @Test func `a message below the level is not written`() {
    let page = Page()
    let announcer = announcer(on: page)
    announcer.level = .warning
    announcer.announce(.notice, "quiet")
    announcer.announce(.warning, "loud")
    #expect(!page.text.contains("quiet"))
    #expect(page.text.contains("warning: loud"))
  }

  @Test func `journal fields name the job, run and entry, and a plugin's own fields cannot replace them`()
    throws
  {
    let announcement = Announcement(
      level: .info, kind: .pluginMessage, text: "x", job: JobName("backup"), run: RunID(number: 7),
      entry: WallInstant(secondsSinceEpoch: 0), fields: [(name: "_uid bytes-1", value: "0")])
    let fields = announcement.journalFields.map { "\($0.name)=\($0.value)" }
    #expect(
      fields == [
        "MESSAGE_ID=\(Announcement.Kind.pluginMessage.rawValue)", "TIMELINE_JOB=backup", "TIMELINE_RUN=7",
        "TIMELINE_ENTRY=1970-01-01T00:00:00Z",
        "TIMELINE_FIELD__UID_BYTES_1=0",
      ])
  }
}

@Suite struct HighRateSummaryTests {
  @Test func `a busy job is summarized after two seconds and then every minute`() throws {
    let job = try #require(JobName("sampler"))
    var summary = HighRateSummary()
    var told: [(second: Int64, text: String)] = []
    for tick in 0..<(70 * 50) {
      let nominal = WallInstant.epoch + .milliseconds(Int64(tick) * 20)
      let record = EntryRecord(
        entry: EntryKey(job: job, nominal: nominal), outcome: .succeeded,
        run: RunID(number: UInt64(tick)),
        startedAt: nominal + .microseconds(tick % 2 == 0 ? 100 : 300), endedAt: nominal + .milliseconds(1))
      if let (_, text) = summary.add(record) {
        told.append((record.endedAt.nanosecondsSinceEpoch / 1_000_000_000, text))
      }
    }
    #expect(told.map(\.second) == [2, 62])
    #expect(told.first?.text == "101 succeeded  late 199us on average, 300us at most")
  }
}
