import Glibc
import Testing
import TimelineCore
import TimelineSystem

@testable import TimelineDaemon

/// Wake-ups of the daemon before a deadline.
@Suite struct WakeLeadTests {
  let start = WallInstant(secondsSinceEpoch: 1_800_000_000)

  @Test func `the daemon wakes a little before a deadline`() {
    #expect(WakeLead().lead(for: start) == WakeLead.lead)
    #expect(WakeLead().lead(for: start, count: 0) == WakeLead.lead, "a run's deadline")
  }

  @Test func `the daemon wakes less early for deadlines that follow closely`() {
    var wakeLead = WakeLead()
    wakeLead.begin(start)
    #expect(wakeLead.lead(for: start + .milliseconds(1)) == .zero)
    #expect(wakeLead.lead(for: start + .milliseconds(1), count: 10_000) == .zero)
    #expect(
      wakeLead.lead(for: start + WakeLead.gapMin) + WakeLead.handedOver == .microseconds(500), "a tenth")
    #expect(wakeLead.lead(for: start + .milliseconds(8), count: 10_000) == .microseconds(750))
    #expect(wakeLead.lead(for: start + .milliseconds(11)) == WakeLead.lead)
    #expect(wakeLead.lead(for: start + .milliseconds(20)) == WakeLead.lead)
    #expect(wakeLead.lead(for: start - .seconds(1)) == WakeLead.lead, "the clock was set back")
  }

  @Test func `for many entries the daemon wakes earlier, within bounds`() {
    let few = WakeLead.entriesInLead
    #expect(WakeLead().lead(for: start, count: few) == WakeLead.lead)
    #expect(
      WakeLead().lead(for: start, count: few + 1) == WakeLead.lead + WakeLead.leadPerEntry * Int64(few + 1))
    #expect(WakeLead().lead(for: start, count: .max) == WakeLead.leadMax)
    #expect(WakeLead.leadMax <= .milliseconds(120))
  }

  @Test func `waking earlier takes a small share of the time between two deadlines`() {
    var wakeLead = WakeLead()
    wakeLead.begin(start)
    let gap = WakeLead.lead(for: 10_000) * WakeLead.partsOfGap
    #expect(wakeLead.lead(for: start + gap, count: 10_000) == WakeLead.lead(for: 10_000))
    #expect(wakeLead.lead(for: start + gap - .nanoseconds(1), count: 10_000) == WakeLead.lead)
  }

  @Test func `the daemon spins for a limited number of deadlines in a second, also after clock steps`() {
    var wakeLead = WakeLead()
    let instants =
      (0..<WakeLead.spinsPerSecond).map { start + .milliseconds(Int64($0)) }
      + [start + .milliseconds(999), start + .seconds(1), start - .seconds(1)]
    let spun = instants.map { wakeLead.maySpin(to: $0) }
    #expect(spun == instants.map { $0 != start + .milliseconds(999) })
  }

  @Test(arguments: [
    // Woken alone, in time or ahead of it: all that was sent before has been read.
    (lateness: ElapsedTime.zero, readyCount: 1, mayHaveUnread: false),
    (.microseconds(900), 1, false),
    // Another event came with it, for example the end of a run that a long turn left unread.
    (.zero, 2, true),
    (.microseconds(40), 2, true),
    // No wake-up is as late as that.
    (.milliseconds(2), 1, true),
    (.milliseconds(2), 0, true),
    // Nothing is due yet.
    (.microseconds(-1), 2, false),
  ])
  func `unread ends of runs are read before due entries are handled`(
    _ lateness: ElapsedTime, _ readyCount: Int, _ mayHaveUnread: Bool
  ) {
    #expect(WakeLead.mayHaveUnread(lateness: lateness, readyCount: readyCount) == mayHaveUnread)
  }

  @Test func `spinning takes a small share of one processor`() {
    let share = Double(WakeLead.spinsPerSecond) * Double(WakeLead.spin.nanoseconds) / 1e9
    #expect(share <= 0.02)
    #expect(WakeLead.spin < WakeLead.lead)
    let approaches = Double(ElapsedTime.seconds(1).nanoseconds / WakeLead.gapMin.nanoseconds)
    #expect(approaches * Double(SleepMargin.max.nanoseconds) / 1e9 <= 0.03)
  }

  @Test(arguments: [false, true], [false, true])
  func `a wait ends when the clock shows the deadline and not before`(isSpun: Bool, isCalling: Bool) throws {
    let clock = try DaemonClock(.system, loop: try EventLoop()) { _ in }
    for _ in 0..<20 {
      let deadline = clock.now + WakeLead.lead
      clock.wait(until: deadline, isSpun: isSpun, isCalledHere: isCalling)
      #expect(clock.now >= (isCalling ? deadline : deadline + WakeLead.handedOver))
    }
  }

  @Test(arguments: [false, true])
  func `the clock wakes ahead of a deadline, and of nothing else`(isDeadline: Bool) throws {
    let loop = try EventLoop()
    var woken: (ahead: WallInstant?, at: WallInstant)?
    let clock = try DaemonClock(.system, loop: loop) {
      if case .due(let ahead) = $0 { woken = (ahead, SystemTime.now()) }
    }
    let instant = clock.now + .milliseconds(5)
    clock.arm(at: instant, isDeadline: isDeadline)
    #expect(loop.run(atMost: DaemonProcess.patience) { woken != nil })
    let (ahead, moment) = try #require(woken)
    // A busy machine may wake it too late to be ahead of the instant.
    #expect(ahead == nil ? moment >= instant : isDeadline && ahead == instant)
  }

  @Test func `input that is ready before the deadline neither ends the wait for it nor is handled`()
    throws
  {
    let loop = try EventLoop()
    let clock = try DaemonClock(.system, loop: loop) { _ in }
    let pipe = try ByteStream.pipe()
    var isServed = false
    let watch = try loop.watch(pipe.reading.rawValue, for: .reading) { _ in isServed = true }
    _ = try pipe.writing.write([1])
    let deadline = clock.now + WakeLead.lead
    clock.wait(until: deadline, isSpun: false, isCalledHere: false)
    #expect(clock.now >= deadline + WakeLead.handedOver && !isServed)
    watch.cancel()
  }

  @Test func `a queue returns its elements in order`() {
    var queue = Queue<Int>()
    for length in [0, 1, 2, 2_000, 3] {
      for number in 0..<length { queue.append(number) }
      var found: [Int] = []
      while let number = queue.popFirst() { found.append(number) }
      #expect(found == Array(0..<length))
    }
  }
}
