import Testing
import TimelineCore
import TimelineEngine
import TimelineSystem
import TimelineTestSupport
import TimelineWire

@testable import TimelineHostPool

@Suite struct `The budget of a host's output` {
  private func instant(_ milliseconds: Int64) -> MonotonicInstant {
    MonotonicInstant(nanosecondsSinceBoot: milliseconds * 1_000_000)
  }

  @Test func `a burst passes, then a number of lines per second`() {
    var limits = OutputLimits()
    limits.burstLines = 10
    limits.linesPerSecond = 5
    var allowance = LogBudget(limits: limits)
    #expect((0..<20).count { _ in allowance.admit(length: 1, at: instant(0)) } == 10)
    #expect((0..<20).count { _ in allowance.admit(length: 1, at: instant(1_000)) } == 5)
    #expect((0..<20).count { _ in allowance.admit(length: 1, at: instant(100_000)) } == 10)
  }

  @Test func `all dropped bytes are reported, at most once a second`() {
    var limits = OutputLimits()
    limits.burstLines = 10
    limits.linesPerSecond = 100
    var allowance = LogBudget(limits: limits)
    var told: [Int64] = []
    var admitted = 0
    for millisecond in Int64(0)..<3_000 {
      for _ in 0..<10 {
        if allowance.admit(length: 1, at: instant(millisecond)) {
          admitted += 1
        } else {
          allowance.drop(bytes: 1)
        }
      }
      let dropped = allowance.takeDroppedBytes(dueAt: instant(millisecond))
      if dropped > 0 { told.append(dropped) }
    }
    #expect(told.count == 3)
    told.append(allowance.takeDroppedBytes())
    #expect(told.reduce(0, +) + Int64(admitted) == 30_000)
  }

  @Test
  func `a number of dropped bytes beyond the range of the counter is saturated`() {
    var allowance = LogBudget(limits: OutputLimits())
    for _ in 0..<3 { allowance.drop(bytes: .max) }
    let dropped = allowance.takeDroppedBytes()
    #expect(dropped == .max)
  }

  @Test func `long lines exhaust the budget sooner`() {
    var limits = OutputLimits()
    limits.burstBytes = 100
    var allowance = LogBudget(limits: limits)
    #expect((0..<20).count { _ in allowance.admit(length: 30, at: instant(0)) } == 4)
  }

  @Test func `a new run can always log some lines`() {
    var limits = OutputLimits()
    limits.burstLines = 10
    limits.linesPerRunMin = 3
    var allowance = LogBudget(limits: limits)
    for _ in 0..<20 { _ = allowance.admit(length: 1, at: instant(0)) }
    allowance.beginRun()
    #expect((0..<20).count { _ in allowance.admit(length: 1, at: instant(1)) } == 3)
  }

  @Test func `frequent checks lose no budget`() {
    var limits = OutputLimits()
    limits.burstLines = 100
    limits.linesPerSecond = 100
    var allowance = LogBudget(limits: limits)
    for _ in 0..<100 { _ = allowance.admit(length: 1, at: instant(0)) }
    let admitted = (1...1_000).count { allowance.admit(length: 1, at: instant($0)) }
    #expect((95...101).contains(admitted))
  }
}
