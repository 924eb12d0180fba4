import Testing
import TimelineCore
import TimelineEngineTestSupport

@testable import TimelineEngine

@Suite struct `The timetable alone` {
  private func timetable(
    _ definitions: JobDefinition..., mode: ScheduleMode = .normal, claims: ClaimRule = .ask,
    horizon: WallInstant? = nil
  ) -> Timetable {
    var timetable = Timetable(
      startedAt: t(0), attended: [], watermarks: Watermarks(unknownThrough: .min), mode: mode,
      claims: claims, seed: 0, horizon: horizon)
    timetable.removeAllJobs(makingRoomFor: definitions.count)
    for definition in definitions { timetable.jobs.append(JobState(definition, at: t(0), decided: nil)) }
    return timetable
  }

  private func claims(_ timetable: inout Timetable) -> [EngineEffect] {
    var effects: [EngineEffect] = []
    timetable.flushClaims(&effects)
    return effects
  }

  @Test func `an entry is claimed and queued as it is planned, and given up as another is`() {
    var timetable = timetable(job("a", every(10)))
    let key = { EntryKey(job: name("a"), nominal: t($0)) }
    timetable.planNext(0, at: t(10))
    #expect(timetable.firstDeadline == DeadlineQueue.Record(deadline: t(10), handle: .job(0)))
    let asked = claims(&timetable)
    #expect(asked == [.claim([key(10)])])
    timetable.replan(0, since: t(15), t(15))
    #expect(timetable.jobs[0].next == t(20))
    let moved = claims(&timetable)
    #expect(moved == [.withdraw([key(10)]), .claim([key(20)])])
    timetable.unplan(0)
    #expect(timetable.jobs[0].next == nil && timetable.firstDeadline == nil)
    let given = claims(&timetable)
    #expect(given == [.withdraw([key(20)])])
  }

  @Test func `an entry that is planned and given up in one event is not asked for`() {
    var timetable = timetable(job("a", every(10)))
    timetable.planNext(0, at: t(10))
    timetable.unplan(0)
    let told = claims(&timetable)
    #expect(told == [])
  }

  @Test(
    arguments: [(nil, t(20)), (t(21), t(20)), (t(20), nil), (t(5), nil)] as [(WallInstant?, WallInstant?)])
  func `no entry is planned at or after the horizon`(_ horizon: WallInstant?, _ next: WallInstant?) {
    var timetable = timetable(job("a", every(10)), claims: .grant, horizon: horizon)
    timetable.planNext(0, at: t(20))
    #expect(timetable.jobs[0].next == next)
    #expect(timetable.firstDeadline?.deadline == next)
  }

  enum Obstacle: CaseIterable {
    case nothing, run, wait, removal, pause, drain
  }

  @Test(arguments: Obstacle.allCases, [ScheduleMode.normal, .lowFrequency])
  func `a closed loop is planned, or left out, when nothing of it runs or waits`(
    _ obstacle: Obstacle, _ mode: ScheduleMode
  ) {
    var timetable = timetable(job("a", loop(.seconds(5))), mode: mode)
    switch obstacle {
    case .nothing: break
    case .run: timetable.jobs[0].countRun(1)
    case .wait: timetable.jobs[0].waiting.hold(DueEntry(nominal: t(1), cause: .schedule))
    case .removal: timetable.jobs[0].retire()
    case .pause: timetable.jobs[0].beginPause(since: t(1), holdingAfter: t(1))
    case .drain: timetable.lifecycle.drain(nil, at: t(1))
    }
    timetable.planClosedLoop(0, t(30))
    let begin = obstacle == .nothing ? t(30) : nil
    #expect(timetable.jobs[0].next == (mode == .normal ? begin : nil))
    #expect(timetable.jobs[0].leftOutSince == (mode == .lowFrequency ? begin : nil))
  }

  @Test func `looking ahead finds the same entries as single look-ups`() {
    var (asking, looking) = (
      timetable(job("a", every(7))), timetable(job("a", every(7)), claims: .grant, horizon: t(1_000))
    )
    var nominal: WallInstant? = t(0)
    while let last = nominal, last < t(1_000) {
      let next = looking.undecided(0, after: last)
      #expect(next == asking.undecided(0, after: last))
      nominal = next
    }
    #expect(nominal == t(1_001))
  }
}
