import Testing
import TimelineClient
import TimelineControl
import TimelineCore
import TimelineEngine
import TimelineEngineTestSupport
import TimelineRehearsal

@Suite struct `The archive of a daemon's entries` {
  private let name = TimelineEngineTestSupport.name("a")

  private func job(running: [RunReport] = []) -> JobReport {
    JobReport(name: "a", plugin: "exec", schedule: "every 10s", next: nil, running: running)
  }

  private func ended(_ entry: Int64, _ outcome: Outcome = .succeeded) -> EntryReport {
    EntryReport(
      job: "a", entry: t(entry), outcome: outcome, run: UInt64(abs(entry)), startedAt: t(entry),
      endedAt: t(entry + 1), attempts: 1)
  }

  private func archive() -> EntryArchive {
    var archive = EntryArchive()
    archive.take([job()])
    return archive
  }

  private func page(_ entries: Range<Int64>, isCut: Bool = true) -> HistoryReply {
    HistoryReply(entries: entries.map { ended($0) }, isCut: isCut, zone: "UTC")
  }

  private func stretch(_ from: Int64, _ until: Int64) -> PastStretch {
    PastStretch(from: t(from), until: t(until))
  }

  /// A list of active runs has the latest attempt and no cause. The end of a run has both.
  @Test func `keeps cause and first start of a run`() {
    var archive = archive()
    var started = ViewEntry(t(2_400))
    (started.start, started.cause, started.run) = (t(2_410), .trigger, 7)
    archive.take(ReportedEntry(job: name, entry: started))
    for _ in 0..<2 {
      archive.take([job(running: [RunReport(run: 7, entry: t(2_400), startedAt: t(2_900), attempt: 2)])])
    }
    let shown = archive.entries(of: name).first
    #expect(shown?.start == t(2_410) && shown?.cause == .trigger && shown?.attempts == 2)
    var end = started
    (end.outcome, end.end) = (.failed, t(2_950))
    archive.take(ReportedEntry(job: name, entry: end))
    #expect(archive.entries(of: name) == [end])
  }

  @Test func `that is full drops the older half of the finished entries`() {
    var archive = archive()
    var active = ViewEntry(t(-300_000))
    (active.start, active.run) = (t(-300_000), 7)
    archive.take(ReportedEntry(job: name, entry: active))
    archive.take(page(-200_000..<Int64(EntryList.entriesMax - 1) - 200_000), downTo: t(-200_000))
    #expect(!archive.lacks(t(-400_000)))
    archive.take(ReportedEntry(job: name, entry: ViewEntry(t(2_400), outcome: .failed)))
    let entries = archive.entries(of: name)
    #expect(entries.count == EntryList.entriesMax / 2 + 1)
    #expect(entries.first == active && entries.last?.outcome == .failed)
    #expect(archive.knownFrom.map { $0 > t(-200_000) } == true)
  }

  /// Rows: a stretch, the end of the next page, and the number of entries that stay.
  @Test(arguments: [
    // The stretch goes back by half of its length: the known entries stay.
    (50_000, 51_000, "1970-01-01T13:53:20.000000001Z", 1_000),
    // It is far back: the entries between are not read.
    (10_000, 11_000, "1970-01-01T03:20:00.000000001Z", 0),
    // It ends now.
    (99_500, 100_500, "1970-01-01T13:53:20.000000001Z", 1_000),
  ])
  func `reads on from the known entries, or at the stretch that is shown`(
    from: Int64, until: Int64, end: String, kept: Int
  ) {
    var archive = archive()
    archive.take(page(50_000..<51_000), downTo: .min)
    archive.turn(to: stretch(from, until), now: t(100_000))
    let question = archive.question(downTo: t(from))
    #expect(question.until == end)
    #expect(archive.entries(of: name).count == kept)
  }

  @Test func `goes back without end, and returns`() {
    var archive = archive()
    // Each page has 1,000 entries; the archive has room for 100 of them.
    for number in 1...Int64(250) {
      let until = 1_000_000 - number * 1_000
      archive.turn(to: stretch(until - 500, until + 500), now: t(1_000_000))
      #expect(archive.lacks(t(until - 1_000)))
      archive.take(page(until - 1_000..<until), downTo: .min)
      #expect(archive.entries(of: name).count <= EntryList.entriesMax + 1_000)
    }
    #expect(archive.entries(of: name).first?.entry == t(749_000))
    archive.turn(to: stretch(999_500, 1_000_500), now: t(1_000_000))
    #expect(archive.knownFrom == nil && archive.entries(of: name).isEmpty)
    #expect(archive.question(downTo: t(0)).until == nil)
  }

  @Test func `that is full keeps all entries while the stretch ends after now`() {
    var archive = archive()
    archive.take(page(0..<Int64(EntryList.entriesMax)), downTo: .min)
    archive.turn(to: stretch(50_000, 150_000), now: t(100_000))
    #expect(archive.entries(of: name).count == EntryList.entriesMax && !archive.lacks(.min))
    archive.turn(to: stretch(150_000, 250_000), now: t(240_000))
    #expect(archive.knownFrom == t(0))
    archive.turn(to: stretch(-50_000, 50_000), now: t(240_000))
    #expect(archive.entries(of: name).count == 50_000 && archive.lacks(.min))
  }

  /// Rows: a stretch that is shown then, and whether older entries are read for it.
  @Test(arguments: [
    (0, 300_000, false), (150_000, 250_000, false), (0, 100_000, true),
  ])
  func `does not read again what a stretch up to now has no room for`(
    from: Int64, until: Int64, isRead: Bool
  ) {
    var archive = archive()
    archive.turn(to: stretch(0, 300_000), now: t(200_000))
    archive.take(page(100_000..<200_000), downTo: t(50_000))
    archive.take(ReportedEntry(job: name, entry: ViewEntry(t(200_001), outcome: .failed)))
    #expect(archive.knownFrom == t(150_000) + .nanoseconds(1) && !archive.lacks(t(0)))
    archive.turn(to: stretch(from, until), now: t(200_002))
    #expect(archive.lacks(t(from)) == isRead)
  }

  /// Rows: a stretch, and the end of the next page after a reload that adds a job.
  @Test(arguments: [
    (10_000, 11_000, "1970-01-01T03:20:00.000000001Z"), (99_500, 100_500, nil),
  ])
  func `reads again from the end of the known entries for a job that is added`(
    from: Int64, until: Int64, end: String?
  ) {
    var archive = archive()
    archive.take(page(50_000..<51_000), downTo: .min)
    archive.turn(to: stretch(from, until), now: t(100_000))
    archive.take(page(11_000..<12_000), downTo: .min)
    archive.take([job(), JobReport(name: "b", plugin: "exec", schedule: "", next: nil, running: [])])
    #expect(archive.question(downTo: t(from)).until == end && archive.lacks(t(from)))
  }

  @Test func `looks for an older entry until the history ends`() {
    var archive = archive()
    let search = PastStretch(from: t(999_000), until: t(1_000_000), isSearch: true)
    for number in 1...Int64(150) {
      // A view is shown between two pages. It must not take a full archive for the end of the history.
      #expect(archive.past.hasOlder)
      archive.turn(to: search, now: t(1_000_000))
      #expect(archive.lacks(search.readFrom))
      #expect(archive.question(downTo: search.readFrom).since == nil)
      let until = 1_000_000 - number * 1_000
      archive.take(page(until - 1_000..<until, isCut: number < 150), downTo: search.readFrom)
    }
    #expect(!archive.lacks(search.readFrom) && !archive.past.hasOlder)
    #expect(archive.entries(of: name).first?.entry == t(849_000))
  }
}
