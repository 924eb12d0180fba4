import Testing
import TimelineCore
import TimelineEngineTestSupport

@testable import TimelineEngine

@Suite struct `The parts of the engine's state` {
  private func key(_ text: String, _ second: Int64) -> EntryKey {
    EntryKey(job: name(text), nominal: t(second))
  }

  private func effects(of flush: (inout [EngineEffect]) -> Void) -> [EngineEffect] {
    var effects: [EngineEffect] = []
    flush(&effects)
    return effects
  }

  @Test func `the claims withdraw earlier requests, and request the entries that stay`() {
    var book = ClaimTable(.ask)
    for job in ["a", "b", "c"] { book.ask(for: key(job, 1)) }
    book.withdraw(key("b", 1))
    book.withdraw(key("d", 1))
    let cancelled = [book.cancelRequest(for: key("c", 1)), book.cancelRequest(for: key("c", 1))]
    #expect(cancelled == [true, false])
    let told = effects(of: { book.flush(&$0) })
    #expect(told == [.withdraw([key("d", 1)]), .claim([key("a", 1)])])
    let again = effects(of: { book.flush(&$0) })
    #expect(again == [], "each is told once")
  }

  @Test(arguments: [(ClaimState.granted, true), (.asked, true), (.denied, false), (.unknown, false)])
  func `a claim is given up only where there is one`(_ state: ClaimState, _ isHeld: Bool) {
    #expect(state.isHeld == isHeld)
  }

  @Test func `the watermarks are noted once each, and the latest of removed jobs are kept`() {
    var book = Watermarks(unknownThrough: .min)
    let watermark = Watermark(job: name("a"), decided: t(1), furthest: t(9))
    #expect(book.isEmpty)
    book.append(watermark)
    let told = [effects(of: { book.flush(&$0) }), effects(of: { book.flush(&$0) })]
    #expect(told == [[.noteWatermarks([watermark])], []])

    book.keep((0...Int64(EngineLimits.removedJobsMax)).map { (name("j\($0)"), t($0)) })
    let taken = ["j0", "j1", "j1"].map { book.take(name($0)) }
    #expect(taken == [nil, t(1), nil], "the oldest has made room, and one that comes back is not kept")
  }

  @Test func `the latest pauses are kept, and the others are removed from the ledger`() {
    var book = Pauses()
    for second in 0...Int64(EngineLimits.removedJobsMax) { book.keep(name("j\(second)"), since: t(second)) }
    let told = [effects(of: { book.prune(&$0) }), effects(of: { book.prune(&$0) })]
    #expect(told == [[.notePause(name("j0"), since: nil)], []])
    let taken = ["j0", "j1", "j1"].map { book.take(name($0)) }
    #expect(taken == [nil, t(1), nil])
  }

  @Test func `inherited work is decided once, by instant and then by job`() {
    var work = InheritedWork()
    #expect(work.isEmpty)
    for (job, second) in [(1, 20), (0, 20), (2, 10)] as [(Int, Int64)] {
      let entry = DueEntry(nominal: t(second), cause: .schedule)
      work.append(InheritedWork.Entry(job: job, entry: entry, goesOn: true, hasWaited: false))
    }
    let cut = RangeCut(job: name("a"), after: t(0), through: t(1), schedule: every(1))
    work.append(cut)
    work.append(EntryRecord(entry: key("a", 1), outcome: .missed, endedAt: t(2)))
    work.sort()
    var effects: [EngineEffect] = []
    let (interrupted, entries) = work.takeAll(&effects)
    #expect(entries.map(\.job) == [2, 0, 1] && interrupted.map(\.outcome) == [.missed])
    #expect(effects == [.cutRanges([cut])])
    #expect(work.isEmpty)
  }

  @Test func `the queue of reactions keeps the order of settlement, and upstream entries until the end`() {
    var queue = ReactionQueue()
    let report = IncidentReport(kind: .failure, phase: .opened, count: 3, since: t(1))
    let upstream = EntryRecord(entry: key("a", 1), outcome: .failed, endedAt: t(2))
    queue.append(upstream, for: Listener(name: name("z"), report: nil))
    queue.append(upstream, for: Listener(name: name("y"), report: report))
    let reactions = queue.takeAll()
    #expect(reactions.map(\.listener) == [name("z"), name("y")] && queue.isEmpty && queue.takeAll().isEmpty)
    #expect(reactions.map(\.upstream.incident) == [nil, report])
    queue[upstreamOf: key("z", 3)] = upstream
    #expect(queue[upstreamOf: key("z", 3)] == upstream)
    queue[upstreamOf: key("z", 3)] = nil
    #expect(queue[upstreamOf: key("z", 3)] == nil)
  }

  @Test func `the plan of the wake-up arms only what is not armed`() {
    var plan = WakePlan()
    let told = [nil, nil, t(5), t(5)].map { instant in effects(of: { plan.arm(instant, &$0) }) }
    #expect(told == [[.arm(nil)], [], [.arm(t(5))], []])
    #expect(plan.armed(after: t(4), through: t(5)) == t(5))
    #expect(plan.armed(after: t(5), through: t(9)) == nil && plan.armed(after: t(0), through: t(4)) == nil)
    plan.forget()
    #expect(plan.armed(after: t(4), through: t(5)) == nil)
    let again = effects(of: { plan.arm(t(5), &$0) })
    #expect(again == [.arm(t(5))])
  }

  @Test func `the engine ends after a drain, whose patience only gets shorter`() {
    var life = Lifecycle()
    #expect(life.isRunning && !life.isLeaving && life.patienceEnd == nil)
    var ends: [WallInstant?] = []
    for (patience, second) in [(nil, 1), (30, 2), (60, 3), (-5, 4)] as [(Int64?, Int64)] {
      life.drain(patience.map { .seconds($0) }, at: t(second))
      ends.append(life.patienceEnd)
    }
    #expect(ends == [nil, t(32), t(32), t(4)])
    #expect(life.isDraining && !life.isRunning)
    life.clockStepped(by: .seconds(100))
    #expect(life.patienceEnd == t(104))
    life.leave(at: t(5))
    life.leave(at: t(6))
    #expect(life.leftAt == t(5) && life.isLeaving)
    life.end()
    #expect(life.hasEnded && !life.isDraining)
  }
}
