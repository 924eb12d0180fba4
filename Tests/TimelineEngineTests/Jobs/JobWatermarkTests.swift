import Testing
import TimelineCore
import TimelineEngineTestSupport

@testable import TimelineEngine

@Suite struct `The watermark of a job` {
  private let tens = job("a", every(10))

  private func watermark(_ decided: Int64?, ahead spans: [ClosedRange<Int64>] = []) -> JobWatermark {
    var watermark = JobWatermark(decided.map(t))
    for span in spans { watermark.decide(t(span.lowerBound)...t(span.upperBound)) }
    return watermark
  }

  @Test(
    arguments: [
      ([], 20, 20), ([20...20], 20, 30), ([20...40], 30, 50), ([20...20, 30...30], 20, 40),
      ([40...60], 20, 20), ([15...25], 20, 30), ([20...500], 20, 510),
    ] as [([ClosedRange<Int64>], Int64, Int64)])
  func `the first undecided entry comes after decided spans`(
    _ spans: [ClosedRange<Int64>], _ from: Int64, _ expected: Int64
  ) {
    var watermark = watermark(10, ahead: spans)
    let first = [t(from), nil].map { watermark.firstUndecided(from: $0, of: tens) }
    #expect(first == [t(expected), nil])
  }

  @Test func `spans that it has passed are forgotten`() {
    var watermark = watermark(10, ahead: [20...30, 60...60])
    watermark.move(to: t(40))
    let first = watermark.firstUndecided(from: t(50), of: tens)
    #expect(first == t(50))
    #expect(watermark.ahead == [t(60)...t(60)])
  }

  @Test func `undecided entries are ranges with decided ones between them`() {
    let watermark = watermark(10, ahead: [30...40, 75...95])
    let ranges = watermark.undecided(after: t(10), through: t(100), of: tens.schedule)
    #expect(
      ranges == [
        MissedRange(first: t(20), latest: t(20), count: 1),
        MissedRange(first: t(50), latest: t(70), count: 3),
        MissedRange(first: t(100), latest: t(100), count: 1),
      ])
    #expect(watermark.undecided(after: t(29), through: t(45), of: tens.schedule).isEmpty)
    #expect(watermark.separates(t(20), from: t(50)) && !watermark.separates(t(50), from: t(60)))
    #expect(watermark.contains(t(40)) && !watermark.contains(t(50)))
  }

  @Test func `it goes back with the clock and returns when the clock has reached its former value`() {
    var watermark = watermark(100)
    watermark.goBack(to: t(40))
    #expect(watermark.decided == t(40) && watermark.former == t(100))
    watermark.goBack(to: t(20))
    #expect(watermark.former == t(100), "the furthest counts")
    let returns = [t(99), t(100), t(200)].map { watermark.returnToFormer(at: $0, of: tens) }
    #expect(returns == [nil, t(100), nil])
    #expect(watermark.decided == t(100) && watermark.former == .min)
  }

  @Test func `it does not return to a former value that it has passed meanwhile`() {
    var watermark = watermark(100)
    watermark.goBack(to: t(40))
    watermark.advance(to: t(110))
    watermark.advance(to: t(105))
    let returned = watermark.returnToFormer(at: t(110), of: tens)
    #expect(returned == nil)
    #expect(watermark.decided == t(110) && watermark.former == .min)
  }

  @Test func `it returns to just before the first entry without an outcome`() {
    var watermark = watermark(20, ahead: [60...60])
    watermark.setFormer(t(100), sharing: [t(30)...t(50), t(80)...t(100)])
    let returned = watermark.returnToFormer(at: t(110), of: tens)
    #expect(returned == t(70) - .nanoseconds(1) && watermark.former == t(100))
    let undecided = [t(70), t(80)].map { watermark.firstUndecided(from: $0, of: tens) }
    #expect(undecided == [t(70), t(110)], "the others keep their outcomes")
    watermark.move(to: t(70))
    let further = watermark.returnToFormer(at: t(115), of: tens)
    #expect(further == t(100) && watermark.decided == t(100) && watermark.former == .min)
  }

  @Test func `entries are decided anew except those that keep their outcomes`() {
    var watermark = watermark(100)
    watermark.goBack(to: t(10))
    watermark.decide(t(30))
    watermark.decide(t(50)...t(60))
    let nanosecond = ElapsedTime.nanoseconds(1)
    let spans = watermark.decideAnew(after: t(10), through: t(70))
    #expect(spans.map(\.after) == [t(10), t(30), t(60)])
    #expect(spans.map(\.through) == [t(30) - nanosecond, t(50) - nanosecond, t(70)])
    #expect(watermark.former == t(100))
    let further = (0..<2).map { _ in watermark.decideAnew(after: t(90), through: t(100)).map(\.after) }
    #expect(further == [[t(90)], []], "the last of them is decided")
    #expect(watermark.former == .min)
  }

  @Test func `consecutive entries that a ledger has decided ahead form spans`() {
    var watermark = watermark(10, ahead: [5...25, 80...90])
    watermark.replaceAhead(of: t(20), with: [t(30), t(40), t(60)], of: tens)
    #expect(watermark.ahead == [t(5)...t(40), t(60)...t(60)])
  }

  @Test func `a release keeps what is decided up to now`() {
    var watermark = watermark(10, ahead: [20...60])
    watermark.setFormer(t(500), sharing: [])
    watermark.release(at: t(30))
    #expect(watermark.decided == t(10) && watermark.ahead == [t(20)...t(30)])
    #expect(watermark.former == t(30), "records may stand for the entries in between")
  }

  @Test func `a release forgets all that is later than now`() {
    var watermark = watermark(100, ahead: [120...130])
    watermark.setFormer(t(500), sharing: [])
    watermark.release(at: t(50))
    #expect(watermark == self.watermark(50))
    var unknown = JobWatermark(nil)
    unknown.release(at: t(50))
    #expect(unknown == JobWatermark(nil) && unknown.instant == .min)
  }
}

@Suite struct `The position in the omissions of a rule` {
  @Test func `is neither before the beginning nor before settled omissions`() {
    var cursor = OmissionCursor(nil)
    cursor.begin(at: t(50))
    cursor.begin(at: t(60))
    #expect(cursor.origin == t(50) - .nanoseconds(1))
    cursor.settle(through: t(70))
    #expect(cursor.origin == t(70))
    cursor.advance(to: t(65))
    #expect(cursor.through == t(70))
    cursor.restart()
    #expect(cursor.origin == .max - .nanoseconds(1))
    cursor.begin(at: t(90))
    #expect(cursor.origin == t(90) - .nanoseconds(1))
  }
}

@Suite struct `The waiting entries of a job` {
  private func entry(_ second: Int64, _ cause: RunCause = .schedule) -> DueEntry {
    DueEntry(nominal: t(second), cause: cause)
  }

  private var full: WaitingEntries {
    var waiting = WaitingEntries()
    waiting.hold(entry(1))
    for entry in [entry(30), entry(31, .trigger)] { waiting.awaitClaim(entry) }
    for entry in [entry(10), entry(20, .trigger), entry(40, .missed)] {
      waiting.awaitRoom(entry, since: entry.nominal)
    }
    return waiting
  }

  @Test func `are counted, and taken out once`() {
    var waiting = full
    #expect(waiting.count == 6 && !waiting.isEmpty && waiting.all.count == 6)
    let answered = [31, 31].map { waiting.takeUnclaimed(at: t($0))?.cause }
    #expect(answered == [.trigger, nil])
    let first = waiting.takeFirstBuffered()
    let buffered = waiting.takeReported()
    let rest = waiting.takeAll()
    #expect(first.nominal == t(10) && buffered.map(\.nominal) == [t(20), t(40)])
    #expect(rest.map(\.nominal) == [t(30), t(1)])
    #expect(waiting.isEmpty && waiting.count == 0)
  }

  @Test func `of the schedule are held by a pause, and others are not`() {
    var waiting = full
    waiting.beginPause()
    #expect(waiting.buffered.map(\.nominal) == [t(20)])
    waiting.hold(entry(50))
    let held = waiting.endPause()
    #expect(held.map(\.nominal) == [t(10), t(40), t(50)] && waiting.held.isEmpty)
  }

  @Test func `of the schedule that a step back puts ahead are taken out`() {
    var waiting = full
    let ahead = waiting.takeAhead(of: t(15))
    #expect(ahead.map(\.nominal) == [t(30), t(40)])
    #expect(waiting.all.map(\.nominal) == [t(31), t(1), t(10), t(20)])
  }

  @Test func `of the schedule that wait for claims are removed if it gets too fast for claims`() {
    var waiting = full
    let taken = waiting.takeUnclaimedOfSchedule()
    #expect(taken.map(\.nominal) == [t(30)])
    #expect(waiting.unclaimed.map(\.nominal) == [t(31)])
  }

  @Test func `keep their waiting time over a clock step, and have waited since now at the latest`() {
    var waiting = full
    waiting.clockStepped(by: .seconds(100), t(125))
    #expect(waiting.buffered.map(\.waitingSince) == [t(110), t(120), t(125)])
  }
}
