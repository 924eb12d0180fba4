import Testing
import TimelineCore
import TimelineEngineTestSupport
import TimelineTestSupport

@testable import TimelineEngine

@Suite struct `Closed loops whose group is full` {
  private let g = group("g")

  private func ms(_ milliseconds: Int64) -> WallInstant { .epoch + .milliseconds(milliseconds) }

  private func member(_ text: String, every interval: Int64 = 4, priority: Int = 0) -> JobDefinition {
    job(text, loop(.milliseconds(interval))) {
      $0.groups = [g]
      $0.priority = priority
    }
  }

  private func end(_ number: UInt64) -> EngineEvent {
    .attemptEnded(.number(number), success)
  }

  @Test func `join the queue without a wake-up of their own, before the next event`() {
    var engine = EngineState(
      jobs: [member("a"), member("b", priority: -1), member("c", priority: 1)], groups: [g: 1],
      startedAt: ms(0),
      claims: .grant)
    #expect(engine.handle(.wake, at: ms(0)).starts.map(\.entry.job.text) == ["c"])
    let second = engine.handle(end(1), at: ms(1))
    #expect(second.starts.map(\.entry.job.text) == ["a"])
    #expect(second.arm == .some(ms(4) + EngineLimits.enqueueDelayMax), "c falls due at 4 ms")
    // c was due before this end, and starts before b, which has waited from the beginning but has a lower priority.
    let third = engine.handle(end(2), at: ms(6))
    #expect(third.starts.map(\.entry) == [EntryKey(job: name("c"), nominal: ms(4))])
  }

  @Test func `join the queue after a short delay if no event comes`() {
    var engine = EngineState(
      jobs: [member("a"), member("b")], groups: [g: 1], startedAt: ms(0), claims: .grant)
    _ = engine.handle(.wake, at: ms(0))
    let wake = ms(4) + EngineLimits.enqueueDelayMax
    #expect(engine.handle(end(1), at: ms(2)).arm == .some(wake))
    #expect(engine.nextDeadline != wake, "no deadline to be met")
    #expect(engine.waitingEntries(of: name("a")).isEmpty)
    #expect(engine.handle(.wake, at: wake).arm == .some(nil))
    #expect(engine.waitingEntries(of: name("a")) == [ms(4)])
  }

  @Test func `join the queue when another loop becomes due`() {
    let other = job("other", every(.milliseconds(10)))
    var engine = EngineState(
      jobs: [member("a"), member("b"), other], groups: [g: 1], startedAt: ms(1), claims: .grant)
    _ = engine.handle(.wake, at: ms(1))
    #expect(engine.handle(end(1), at: ms(2)).arm == .some(ms(5)))
  }

  /// Starts and ends in half a second in which the engine is woken for each deadline, or when it asks to be.
  private func life(seed: UInt64, isWokenForEach: Bool) -> (upstream: [String], wakes: Int) {
    var dice = SeededGenerator(seed: seed)
    let groups = (0..<Int.random(in: 1...3, using: &dice)).map { group("g\($0)") }
    let jobs = (0..<Int.random(in: 2...7, using: &dice)).map { number in
      job("j\(number)", loop(.milliseconds(Int64.random(in: 1...8, using: &dice)))) {
        $0.groups = groups.filter { _ in Bool.random(using: &dice) }
        $0.priority = Int.random(in: -1...1, using: &dice)
      }
    }
    let limits = Dictionary(uniqueKeysWithValues: groups.map { ($0, Int.random(in: 1...2, using: &dice)) })
    var engine = EngineState(jobs: jobs, groups: limits, startedAt: ms(0), claims: .grant)
    var (upstream, wakes, armed) = ([String](), 0, WallInstant?.none)
    var ends: [(at: WallInstant, run: RunID)] = []
    var (now, event) = (ms(0), EngineEvent.wake)
    while now < ms(500) {
      for effect in engine.handle(event, at: now) {
        switch effect {
        case .arm(let instant): armed = instant
        case .start(let attempt):
          upstream.append("\(attempt.entry) started \(now)")
          // Seeded with the number of the run, so that both simulations draw the same lengths.
          var own = SeededGenerator(seed: seed << 20 | attempt.run.number)
          ends.append((now + .microseconds(Int64.random(in: 100...9_000, using: &own)), attempt.run))
        case .settle(let record): upstream.append("\(record.entry) \(record.outcome) \(now)")
        default: break
        }
      }
      let wake = isWokenForEach ? engine.nextDeadline : armed
      if let first = ends.indices.min(by: { ends[$0].at < ends[$1].at }), ends[first].at <= wake ?? .max {
        (now, event) = (ends[first].at, .attemptEnded(ends[first].run, success))
        ends.remove(at: first)
      } else if let wake {
        (now, event) = (wake, .wake)
        wakes += 1
      } else {
        break
      }
    }
    return (upstream, wakes)
  }

  @Test(arguments: 1...200 as ClosedRange<UInt64>)
  func `do the same as if each deadline had its own wake-up`(seed: UInt64) {
    let (each, asked) = (life(seed: seed, isWokenForEach: true), life(seed: seed, isWokenForEach: false))
    #expect(asked.upstream == each.upstream)
    #expect(asked.upstream.count > 20 && asked.wakes <= each.wakes)
  }
}
