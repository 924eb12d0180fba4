import Testing
import TimelineCore
import TimelineEngine
import TimelineSystem
import TimelineTestSupport
import TimelineWire

@testable import TimelineHostPool

@Suite struct `How much a host may write` {
  private func instant(_ milliseconds: Int64) -> MonotonicInstant {
    MonotonicInstant(nanosecondsSinceBoot: milliseconds * 1_000_000)
  }

  @Test func `A burst passes, then so many a second`() {
    var limits = OutputLimits()
    limits.burstLines = 10
    limits.linesPerSecond = 5
    var allowance = LogBudget(limits: limits)
    #expect((0..<20).count { _ in allowance.admit(length: 1, at: instant(0)) } == 10)
    #expect((0..<20).count { _ in allowance.admit(length: 1, at: instant(1_000)) } == 5)
    #expect((0..<20).count { _ in allowance.admit(length: 1, at: instant(100_000)) } == 10)
  }

  @Test func `What is dropped is told once a second, and all of it`() {
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
  func `A host that claims to have left out more than can be counted is believed to the end of counting`() {
    var allowance = LogBudget(limits: OutputLimits())
    for _ in 0..<3 { allowance.drop(bytes: .max) }
    let dropped = allowance.takeDroppedBytes()
    #expect(dropped == .max)
  }

  @Test func `Long lines use it up sooner`() {
    var limits = OutputLimits()
    limits.burstBytes = 100
    var allowance = LogBudget(limits: limits)
    #expect((0..<20).count { _ in allowance.admit(length: 30, at: instant(0)) } == 4)
  }

  @Test func `A new run can always say something`() {
    var limits = OutputLimits()
    limits.burstLines = 10
    limits.linesPerRunMin = 3
    var allowance = LogBudget(limits: limits)
    for _ in 0..<20 { _ = allowance.admit(length: 1, at: instant(0)) }
    allowance.beginRun()
    #expect((0..<20).count { _ in allowance.admit(length: 1, at: instant(1)) } == 3)
  }

  @Test func `Nothing is lost when it is asked often`() {
    var limits = OutputLimits()
    limits.burstLines = 100
    limits.linesPerSecond = 100
    var allowance = LogBudget(limits: limits)
    for _ in 0..<100 { _ = allowance.admit(length: 1, at: instant(0)) }
    let admitted = (1...1_000).count { allowance.admit(length: 1, at: instant($0)) }
    #expect((95...101).contains(admitted))
  }
}
