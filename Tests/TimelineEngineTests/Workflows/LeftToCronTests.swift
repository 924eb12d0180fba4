import Testing
import TimelineCore
import TimelineEngine
import TimelineEngineTestSupport
import TimelineRehearsal

/// Jobs of crontabs while cron is active: what they would have run is recorded.
@Suite struct `A job that is left to cron` {
  private static func tick(leftToCron isLeft: Bool, _ adjust: (inout JobPolicies) -> Void = { _ in })
    -> JobDefinition
  {
    var tick = job("tick", every(3), lasts: 1, adjust)
    tick.isLeftToCron = isLeft
    return tick
  }

  private func picture(
    startsLeft isLeft: Bool, _ events: [(second: Int64, event: EngineEvent)]
  ) -> Picture {
    Picture(
      of: [Self.tick(leftToCron: isLeft)], seconds: 16,
      in: ScriptedWorld(script: events.map { ($0.second, .event($0.event)) }))
  }

  @Test(
    arguments: [
      (true, [], "k..k..k..k..k..k"),
      (true, [(7, .reload([tick(leftToCron: false)]))], "k..k..k..S..S..S"),
      (false, [(7, .reload([tick(leftToCron: true)]))], "S..S..S..k..k..k"),
      // An entry that is due at the very instant of the change is left to cron: it may have been there before.
      (true, [(6, .reload([tick(leftToCron: false)]))], "k..k..k..S..S..S"),
      (false, [(6, .reload([tick(leftToCron: true)]))], "S..S..k..k..k..k"),
      (true, [(4, .trigger(name("tick")))], "k..kS.k..k..k..k"),
      (true, [(4, .pause(name("tick"))), (10, .resume(name("tick"), catchUp: .latest))], "k..k..z..k..k..k"),
    ] as [(Bool, [(Int64, EngineEvent)], String)])
  func `has one outcome for each entry, and runs manual triggers`(
    _ isLeft: Bool, _ events: [(Int64, EngineEvent)], _ line: String
  ) {
    #expect(picture(startsLeft: isLeft, events).description == "tick \(line)")
  }

  @Test func `records the instant of each entry, and starts nothing`() {
    let settled = picture(startsLeft: true, []).effects.settled
    #expect(settled.map(\.entry.nominal) == [0, 3, 6, 9, 12, 15].map(t))
    #expect(settled.allSatisfy { $0.startedAt == nil && !$0.reason.isEmpty })
  }

  @Test func `misses entries that fell due while no daemon ran`() {
    var tick = Self.tick(leftToCron: true) { $0.missed.choice = .skip }
    tick.schedule = every(3, from: -30)
    let picture = Picture(
      of: [tick], seconds: 4,
      watermarks: [name("tick"): t(-7)])
    #expect(Set(picture.effects.settled.filter { $0.entry.nominal < .epoch }.map(\.outcome)) == [.missed])
  }

  @Test func `differs from one that is not, so that a reload applies the change`() {
    #expect(Self.tick(leftToCron: true) != Self.tick(leftToCron: false))
    #expect(Set([Self.tick(leftToCron: true), Self.tick(leftToCron: false)]).count == 2)
  }
}
