import Testing
import TimelineCore
import TimelineSystem
import TimelineTestSupport

@testable import TimelineDaemon

@Suite struct `A rate-limited notice` {
  private final class Ear {
    var told: [Int] = []
  }

  @Test func `reports the first event at once, and later ones together after an interval`() throws {
    let loop = try EventLoop()
    let ear = Ear()
    let notice = RateLimitedNotice(loop: loop, atMostEvery: .milliseconds(20)) { ear.told.append($0) }
    notice.note()
    #expect(ear.told == [1])
    for _ in 1...40 { notice.note() }
    #expect(ear.told == [1])
    #expect(loop.run(atMost: Patience.usual) { ear.told.count == 2 })
    #expect(ear.told == [1, 40])
    #expect(loop.run(atMost: Patience.usual) { loop.delayCount == 0 }, "of nothing nothing is told")
    notice.note()
    #expect(ear.told == [1, 40, 1])
  }

  @Test func `leaves no timer behind`() throws {
    let loop = try EventLoop()
    var notice: RateLimitedNotice? = RateLimitedNotice(loop: loop) { _ in }
    notice?.note()
    #expect(loop.delayCount == 1)
    notice = nil
    #expect(loop.delayCount == 0)
  }
}
