import Testing
import TimelineCore
import TimelineEngine
import TimelineEngineTestSupport

@Suite struct `Jitter and accuracy` {
  private let a = name("a")

  private func jittered(_ schedule: ScheduleRule, by length: ElapsedTime = .minutes(30)) -> JobDefinition {
    var definition = job("a", schedule)
    definition.timing.jitter = length
    return definition
  }

  /// Instant at which the entry of an hourly job falls due on the machine whose seed is 7.
  private func due(_ nominal: WallInstant) -> WallInstant {
    ScheduleTiming(jitter: .minutes(30)).start(of: a, seed: 7, nominal: nominal, next: nominal + .hours(1))
  }

  private func engine(
    _ definition: JobDefinition, at start: WallInstant, watermark: WallInstant? = nil, seed: UInt64 = 7
  ) -> (EngineState, [EngineEffect]) {
    var engine = EngineState(
      jobs: [definition], startedAt: start, watermarks: watermark.map { [a: $0] } ?? [:], seed: seed)
    let effects = engine.handle(.wake, at: start)
    return (engine, effects)
  }

  /// An hourly job whose entry of one o'clock has passed and is delayed to `due`.
  private func waiting(_ definition: JobDefinition? = nil) -> (engine: EngineState, now: WallInstant) {
    var (engine, _) = engine(definition ?? jittered(every(3_600)), at: t(1), watermark: t(0))
    let key = EntryKey(job: a, nominal: t(3_600))
    _ = engine.handle(.claimsAnswered([ClaimAnswer(entry: key, verdict: .granted)]), at: t(2))
    return (engine, t(3_600) + .nanoseconds((due(t(3_600)) - t(3_600)).nanoseconds / 2))
  }

  @Test func `an entry is named and claimed by its nominal instant and started at the jittered one`() {
    var (engine, effects) = engine(jittered(every(3_600)), at: t(1), watermark: t(0))
    let instant = due(t(3_600))
    #expect(instant > t(3_600) && instant < t(3_600 + 1_800))
    let key = EntryKey(job: a, nominal: t(3_600))
    #expect(effects == [.claim([key]), .arm(instant)])
    #expect(engine.handle(.claimsAnswered([ClaimAnswer(entry: key, verdict: .granted)]), at: t(2)) == [])
    #expect(engine.handle(.wake, at: instant - .nanoseconds(1)) == [])
    let started = engine.handle(.wake, at: instant)
    #expect(started.starts.map(\.entry) == [key])
    #expect(started.starts.map(\.cause) == [.schedule])
    #expect(started.claims == [EntryKey(job: a, nominal: t(7_200))])
    #expect(started.arm == .some(due(t(7_200))))
    #expect(engine.status(of: a, at: instant)?.next == t(7_200))
  }

  @Test func `another machine has another jitter`() {
    let (_, effects) = engine(jittered(every(3_600)), at: t(1), watermark: t(0))
    let (_, others) = engine(jittered(every(3_600)), at: t(1), watermark: t(0), seed: 8)
    #expect(effects.claims == others.claims)
    #expect(effects.arm != others.arm)
  }

  @Test func `a daemon that starts while an entry is delayed has the same jitter and misses nothing`() {
    let instant = due(t(3_600))
    for start in [t(3_600), waiting().now, instant] {
      var (engine, effects) = engine(jittered(every(3_600)), at: start, watermark: t(0))
      let key = EntryKey(job: a, nominal: t(3_600))
      #expect(effects.claims.first == key)
      effects += engine.handle(.claimsAnswered([ClaimAnswer(entry: key, verdict: .granted)]), at: start)
      effects += engine.handle(.wake, at: instant)
      #expect(effects.settled == [])
      #expect(effects.starts.map(\.entry) == [key])
      #expect(effects.starts.map(\.startedAt) == [instant])
      #expect(effects.starts.map(\.cause) == [.schedule])
    }
  }

  @Test func `the last of several missed entries may still be to come`() {
    let now = t(3_600 * 4) + .nanoseconds((due(t(3_600 * 4)) - t(3_600 * 4)).nanoseconds / 2)
    var (engine, effects) = engine(jittered(every(3_600)), at: now, watermark: t(0))
    #expect(effects.settled.map(\.outcome) == [.missed])
    #expect(effects.settled.map(\.entryCount) == [2])
    #expect(effects.claims == [t(3_600 * 3), t(3_600 * 4)].map { EntryKey(job: a, nominal: $0) })
    #expect(effects.arm == .some(due(t(3_600 * 4))))
    let granted = effects.claims.map { ClaimAnswer(entry: $0, verdict: .granted) }
    let made = engine.handle(.claimsAnswered(granted), at: now)
    #expect(made.starts.map(\.entry.nominal) == [t(3_600 * 3)])
    #expect(made.starts.map(\.cause) == [.missed])
  }

  @Test func `the missed window begins when the jitter ends`() {
    var definition = jittered(every(3_600))
    definition.policies.missed.window = .seconds(1)
    var (engine, _) = waiting(definition)
    let instant = due(t(3_600))
    #expect(engine.handle(.wake, at: instant + .seconds(1)).starts.count == 1)
    (engine, _) = waiting(definition)
    #expect(engine.handle(.wake, at: instant + .seconds(2)).settled.map(\.outcome) == [.missed])
  }

  @Test func `neither a reload nor a clock step nor a pause loses a delayed entry`() {
    let instant = due(t(3_600))
    typealias Deed = (String, (inout EngineState, WallInstant) -> Void)
    var changed = jittered(every(3_600))
    changed.revision = 1
    let deeds: [Deed] = [
      ("nothing", { _, _ in }),
      ("a reload of a changed job", { _ = $0.handle(.reload([changed]), at: $1) }),
      ("a step forwards", { _ = $0.handle(.clockStepped(by: .nanoseconds(1)), at: $1) }),
      ("a step backwards", { _ = $0.handle(.clockStepped(by: .seconds(-10)), at: $1 - .seconds(10)) }),
      ("a step before the entry", { _ = $0.handle(.clockStepped(by: .hours(-1)), at: $1 - .hours(1)) }),
      (
        "a pause",
        {
          _ = $0.handle(.pause(name("a")), at: $1)
          _ = $0.handle(.resume(name("a"), catchUp: .skip), at: $1 + .nanoseconds(1))
        }
      ),
    ]
    for (what, deed) in deeds {
      var (engine, now) = waiting()
      deed(&engine, now)
      #expect(engine.status(of: a, at: now)?.next == t(3_600), "\(what)")
      #expect(engine.nextDeadline == instant, "\(what)")
      let key = EntryKey(job: a, nominal: t(3_600))
      _ = engine.handle(.claimsAnswered([ClaimAnswer(entry: key, verdict: .granted)]), at: now)
      let effects = engine.handle(.wake, at: instant)
      #expect(effects.starts.map(\.entry) == [key], "\(what)")
    }
  }

  @Test func `a delayed entry is missed if its schedule goes away, and held by a pause that lasts`() {
    for definitions in [[], [jittered(every(1_000))]] {
      var (engine, now) = waiting()
      let effects = engine.handle(.reload(definitions), at: now)
      #expect(effects.settled.map(\.outcome) == [.missed])
      #expect(effects.settled.map(\.entry.nominal) == [t(3_600)])
      #expect(effects.withdrawn == [])
    }
    var (engine, now) = waiting()
    _ = engine.handle(.pause(a), at: now)
    let effects = engine.handle(.resume(a, catchUp: .skip), at: due(t(3_600)))
    #expect(effects.settled.map(\.outcome) == [.paused])
    #expect(effects.claims == [EntryKey(job: a, nominal: t(7_200))])
  }

  @Test func `accuracy batches near entries, and never delays an entry as far as the next`() {
    func job(_ text: String, _ schedule: ScheduleRule, _ accuracy: Int64) -> JobDefinition {
      JobDefinition(
        name: name(text), schedule: schedule, timing: ScheduleTiming(accuracy: .seconds(accuracy)))
    }
    let picture = Picture(
      of: [
        job("a", every(10, from: 1), 5), job("b", every(10, from: 3), 10), job("c", every(4), 10),
      ], seconds: 24)
    #expect(
      picture.description == """
        a .....S.........S........
        b ..........S.........S...
        c S...S.....S.S...S...S...
        """)
  }
}
