import Testing
import TimelineClocks
import TimelineCore
import TimelineEngine
import TimelineHostPool
import TimelineSystem
import TimelineTestSupport

@testable import TimelineDaemon

/// Records of runs whose host has reported when the plugin was called.
@Suite struct CallRecordTests {
  private static let start = WallInstant(secondsSinceEpoch: 1_800_000_000)
  private static let run = RunID(number: 9)

  private func entry() throws -> EntryKey { EntryKey(job: try #require(JobName("a")), nominal: Self.start) }

  private func attempt(_ number: Int = 1, at startedAt: WallInstant) throws -> Attempt {
    Attempt(run: Self.run, entry: try entry(), cause: .schedule, number: number, startedAt: startedAt)
  }

  private func reading(
    _ instant: WallInstant, _ monotonic: Int64, speed: Speed? = nil
  ) -> DaemonClock.Reading {
    DaemonClock.Reading(
      instant: instant, monotonic: MonotonicInstant(nanosecondsSinceBoot: monotonic),
      line: speed.map { AffineTime(base: Self.start, virtual: instant, speed: $0) })
  }

  private func call(_ began: Int64, _ ended: Int64) -> CallInstants {
    CallInstants(
      began: MonotonicInstant(nanosecondsSinceBoot: began),
      ended: MonotonicInstant(nanosecondsSinceBoot: ended))
  }

  private func record(endedAt: WallInstant, attempts: Int = 1) throws -> EntryRecord {
    EntryRecord(
      entry: try entry(), outcome: .succeeded, run: Self.run, startedAt: Self.start, endedAt: endedAt,
      attempts: attempts)
  }

  @Test(arguments: [ElapsedTime.zero, .hours(1), .zero - .hours(1)])
  func `a run that waited in its host has the host's time of the call, however late the daemon reads it`(
    step: ElapsedTime
  ) throws {
    // Due at the start, handled by the daemon after 300 us, called after 40 us, ended after 90 us, reported after 500 us.
    var run = ActiveRun(
      try attempt(at: Self.start + .microseconds(300)), decidedAt: Self.start,
      clocks: reading(Self.start + .microseconds(310), 1_310_000))
    run.clockWasMoved(by: step)
    run.take(call(1_040_000, 1_090_000), reading(Self.start + .microseconds(500) + step, 1_500_000))
    let end = run.completing(try record(endedAt: Self.start + .microseconds(510) + step), endedByItself: true)
    #expect(end.startedAt == Self.start + .microseconds(40))
    #expect(end.endedAt == Self.start + .microseconds(90) + step)
    #expect(end.elapsed == .microseconds(50))
    #expect(run.attempt.startedAt == end.startedAt)
  }

  @Test(arguments: [ElapsedTime.zero, .hours(1), .zero - .hours(1)])
  func `a wait for a host is counted once, however often it is read and the clock is set`(
    step: ElapsedTime
  )
    throws
  {
    var first = ActiveRun(try attempt(at: Self.start))
    first.clockWasMoved(by: .minutes(5))
    let second = Self.start + .minutes(6)
    var run = ActiveRun(try attempt(at: second), following: first)
    run.clockWasMoved(by: step)
    #expect(run.waited(until: second + .seconds(3) + step) == .seconds(3))
    #expect(run.waited(until: second + .seconds(5) + step) == .seconds(2))
    #expect(run.waited(until: second + .seconds(4) + step) == .zero)
  }

  @Test func `no call is recorded before the instant that the engine decided on, after any clock correction`()
    throws
  {
    var run = ActiveRun(
      try attempt(at: Self.start), decidedAt: Self.start, clocks: reading(Self.start, 1_000))
    run.take(call(900, 950), reading(Self.start + .microseconds(5), 6_000))
    let end = run.completing(try record(endedAt: Self.start + .microseconds(5)), endedByItself: true)
    #expect(end.startedAt == Self.start && end.elapsed == .zero)
  }

  @Test func `a call after a wait is not recorded before its entry, even if the host was ready`() throws {
    var run = ActiveRun(
      try attempt(at: Self.start), decidedAt: Self.start, clocks: reading(Self.start, 1_000))
    run.begin(at: Self.start, by: reading(Self.start - .microseconds(400), 1_000))
    #expect(run.attempt.startedAt == Self.start)
    run.take(call(401_000, 901_000), reading(Self.start + .milliseconds(1), 1_401_000))
    let end = run.completing(try record(endedAt: Self.start + .milliseconds(1)), endedByItself: true)
    #expect(end.startedAt == Self.start && end.elapsed == .microseconds(500))
  }

  @Test func `a run whose host died without a report has the daemon's instants`() throws {
    let started = Self.start + .microseconds(300)
    let run = ActiveRun(try attempt(at: started), decidedAt: Self.start, clocks: reading(started, 1))
    let end = run.completing(try record(endedAt: Self.start + .seconds(1)), endedByItself: true)
    #expect(end.startedAt == started && end.endedAt == Self.start + .seconds(1))
  }

  @Test func `a run that was stopped by its timeout lasted at least as long as the timeout`() throws {
    // The host called the plugin late: by its instants the run lasted a tenth of its timeout of 1 s.
    let started = Self.start + .microseconds(300)
    var run = ActiveRun(
      try attempt(at: started), decidedAt: Self.start, clocks: reading(started, 1_000_000))
    run.wasAskedToStop(.timeout, at: MonotonicInstant(nanosecondsSinceBoot: 1_000_300_000))
    let heard = started + .seconds(1)
    run.take(call(901_000_000, 1_000_900_000), reading(heard, 1_001_000_000))
    let end = run.completing(try record(endedAt: heard), endedByItself: true)
    #expect(end.startedAt == started && end.endedAt == heard && end.elapsed == .seconds(1))
    #expect(!run.endedBeforeStop(call(901_000_000, 1_000_900_000)))
  }

  @Test func `a run that ended before the stop request has the duration that its host reports`() throws {
    let started = Self.start + .microseconds(300)
    var run = ActiveRun(
      try attempt(at: started), decidedAt: Self.start, clocks: reading(started, 1_000_000))
    run.wasAskedToStop(.timeout, at: MonotonicInstant(nanosecondsSinceBoot: 1_001_000_000))
    run.wasAskedToStop(.shutDown, at: MonotonicInstant(nanosecondsSinceBoot: 1_800_000_000))
    let heard = started + .seconds(2)
    let call = call(1_000_000, 901_000_000)
    #expect(run.endedBeforeStop(call))
    run.take(call, reading(heard, 2_001_000_000))
    let end = run.completing(try record(endedAt: heard), endedByItself: true)
    #expect(end.elapsed == .milliseconds(900))
  }

  @Test func `a run that is stopped in its back-off ends at the stop, and began with its first attempt`()
    throws
  {
    var first = ActiveRun(
      try attempt(at: Self.start), decidedAt: Self.start, clocks: reading(Self.start, 1_000))
    first.take(call(1_500, 1_900), reading(Self.start + .microseconds(2), 3_000))
    let paused = first.completing(try record(endedAt: Self.start + .seconds(5)), endedByItself: false)
    #expect(paused.startedAt == Self.start + .nanoseconds(500) && paused.endedAt == Self.start + .seconds(5))

    let again = Self.start + .seconds(1)
    var second = ActiveRun(
      try attempt(2, at: again), decidedAt: again, clocks: reading(again, 1_000_001_000), following: first)
    second.take(call(1_000_001_700, 1_000_002_000), reading(again + .microseconds(2), 1_000_003_000))
    let end = second.completing(
      try record(endedAt: again + .microseconds(3), attempts: 2), endedByItself: true)
    #expect(end.startedAt == Self.start + .nanoseconds(500))
    #expect(second.attempt.startedAt == again + .nanoseconds(700))
    #expect(end.endedAt == again + .microseconds(1))
  }

  @Test
  func
    `A rehearsal's clock counts its own time for a call, and one that an earlier daemon began keeps its start`()
    throws
  {
    let reading = reading(Self.start + .seconds(60), 1_000_000_000, speed: 60)
    for (moment, seconds) in [(1_500_000_000, 90), (1_000_000_000, 60), (500_000_000, 30)] as [(Int64, Int64)]
    {
      let instant = reading.instant(at: MonotonicInstant(nanosecondsSinceBoot: moment))
      #expect(instant == Self.start + .seconds(seconds))
    }
    var run = ActiveRun(try attempt(at: Self.start))
    run.take(call(0, 900_000_000), reading)
    let end = run.completing(try record(endedAt: Self.start + .seconds(61)), endedByItself: true)
    #expect(end.startedAt == Self.start && end.endedAt == Self.start + .seconds(54))
  }

  @Test(arguments: [(1, 100_000_000), (60, 6_000_000_000), (nil, 100_000_000)] as [(Speed?, Int64)])
  func `the start of a rehearsal's run is computed at the speed that was in force then`(
    first: Speed?, nanoseconds: Int64
  ) throws {
    var run = ActiveRun(
      try attempt(at: Self.start), decidedAt: Self.start, clocks: reading(Self.start, 0, speed: first))
    let now = reading(Self.start + .hours(1), 1_000_000_000, speed: 3_600)
    run.take(call(100_000_000, 1_000_000_000), now)
    #expect(run.attempt.startedAt == Self.start + .nanoseconds(nanoseconds))
  }

  @Test func `a rehearsal's run whose clock is paused at its start does not start later than it ends`() throws
  {
    var run = ActiveRun(
      try attempt(at: Self.start), decidedAt: Self.start, clocks: reading(Self.start, 0, speed: 3_600))
    let now = reading(Self.start + .seconds(1), 9_000_000, speed: 0)
    run.take(call(2_000_000, 8_000_000), now)
    let end = run.completing(try record(endedAt: now.instant), endedByItself: true)
    #expect(end.startedAt == now.instant && end.endedAt == now.instant)
  }
}
