import Foundation
import Testing
import TimelineCore

@testable import CTimelineSystem
@testable import TimelineSystem

/// Tests that change the clock run one after the other, and apart from those that would notice.
@Suite(.serialized) struct ClockTests {
  @Suite struct WallTimerTests {
    @Test(arguments: [.min, .epoch, WallInstant(nanosecondsSinceEpoch: -1), SystemTime.now()])
    func `an instant that has passed fires at once and once`(instant: WallInstant) throws {
      let loop = try EventLoop()
      var dues = 0
      let timer = try WallTimer(loop: loop) { if $0 == .due { dues += 1 } }
      timer.arm(at: instant)
      #expect(timer.deadline == instant)
      #expect(loop.run(atMost: patience) { dues > 0 })
      loop.runOnce(timeout: .zero)
      #expect(dues == 1 && timer.deadline == nil)
    }

    @Test func `an instant to come is never early`() throws {
      let loop = try EventLoop()
      var firedAt: WallInstant?
      let timer = try WallTimer(loop: loop) { if $0 == .due { firedAt = SystemTime.now() } }
      let instant = SystemTime.now() + .milliseconds(3)
      timer.arm(at: instant)
      #expect(loop.run(atMost: patience) { firedAt != nil })
      #expect(try #require(firedAt) >= instant)
    }

    @Test func `arming anew replaces an instant and disarming forgets it, also when it has passed unseen`()
      throws
    {
      let loop = try EventLoop()
      var dues = 0
      let timer = try WallTimer(loop: loop) { if $0 == .due { dues += 1 } }
      timer.arm(at: .epoch)
      timer.arm(at: .max)
      loop.runOnce(timeout: .zero)
      timer.arm(at: .epoch)
      timer.arm(at: nil)
      loop.runOnce(timeout: .zero)
      #expect(dues == 0)
      timer.arm(at: .epoch)
      #expect(loop.run(atMost: patience) { dues == 1 })
    }

    @Test(
      .enabled(if: geteuid() == 0, "only root may set the clock, even to the time that it is"),
      arguments: [true, false])
    func `a clock that is set is an event and leaves the timer armed`(isArmed: Bool) throws {
      let loop = try EventLoop()
      var events: [WallTimer.Event] = []
      let timer = try WallTimer(loop: loop) { events.append($0) }
      let instant = isArmed ? SystemTime.now() + .days(1) : nil
      timer.arm(at: instant)
      #expect(timeline_touch_wall_clock() == 0)
      #expect(loop.run(atMost: patience) { !events.isEmpty })
      #expect(events.first == .clockStepped && !events.contains(.due))
      #expect(timer.deadline == instant)
      timer.arm(at: .epoch)
      #expect(loop.run(atMost: patience) { events.last == .due })
    }

    @Test(.enabled(if: geteuid() == 0, "only root may set the clock, even to the time that it is"))
    func `a clock that is set between two armings is not overlooked`() throws {
      let loop = try EventLoop()
      var events: [WallTimer.Event] = []
      let timer = try WallTimer(loop: loop) { events.append($0) }
      timer.arm(at: SystemTime.now() + .days(1))
      #expect(timeline_touch_wall_clock() == 0)
      timer.arm(at: SystemTime.now() + .days(2))
      #expect(loop.run(atMost: patience) { events.contains(.clockStepped) })
    }
  }

  @Suite struct SystemClockTests {
    @Test func `now lies between two readings of the system's clock`() throws {
      let clock = try SystemClock()
      let before = SystemTime.now()
      let now = clock.now
      #expect(before <= now && now <= SystemTime.now())
    }

    @Test func `a sleep until now or before returns at once`() async throws {
      let clock = try SystemClock()
      try await clock.sleep(until: clock.now)
      try await clock.sleep(until: .min)
    }

    @Test func `a sleep is never early by the wall clock`() async throws {
      let clock = try SystemClock()
      for count in 1...5 {
        let deadline = clock.now + .microseconds(Int64(count) * 700)
        try await clock.sleep(until: deadline)
        #expect(clock.now >= deadline)
      }
    }

    @Test func `a cancelled sleep throws without waiting, before and while it sleeps`() async throws {
      let clock = try SystemClock()
      let sleeper = Task { try await clock.sleep(until: .max) }
      let early = Task {
        unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
        try await clock.sleep(until: .min)
      }
      sleeper.cancel()
      await #expect(throws: CancellationError.self) { try await sleeper.value }
      await #expect(throws: CancellationError.self) { try await early.value }
    }

    @Test func `many sleepers all wake, and half of them can be cancelled meanwhile`() async throws {
      let clock = try SystemClock()
      let start = clock.now
      let outcomes = await withTaskGroup(of: Bool.self) { group in
        for number in 0..<200 {
          group.addTask {
            let sleep = Task {
              try await clock.sleep(until: number.isMultiple(of: 2) ? start + .milliseconds(20) : .max)
            }
            if !number.isMultiple(of: 2) { sleep.cancel() }
            return (try? await sleep.value) != nil
          }
        }
        return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
      }
      #expect(outcomes == 100)
    }

    @Test(.enabled(if: geteuid() == 0, "only root may set the clock, even to the time that it is"))
    func `a clock that is set wakes no sleeper that is not due`() async throws {
      let clock = try SystemClock()
      let deadline = clock.now + .milliseconds(50)
      async let sleep: Void = clock.sleep(until: deadline)
      #expect(timeline_touch_wall_clock() == 0)
      try await sleep
      #expect(clock.now >= deadline)
    }

    @Test func `the thread ends with its clock`() async throws {
      let name = "timeline-clock"
      let before = Self.threads(named: name)
      do {
        let clock = try SystemClock()
        try await clock.sleep(until: clock.now + .milliseconds(1))
      }
      // Other tests have clocks of their own; theirs end as well.
      let loop = try EventLoop()
      let hasEnded = loop.run(atMost: patience) {
        _ = loop.after(.milliseconds(1)) {}
        return Self.threads(named: name).subtracting(before).isEmpty
      }
      #expect(hasEnded)
    }

    private static func threads(named name: String) -> Set<String> {
      let tasks = (try? DirectoryListing.names(in: "/proc/self/task")) ?? []
      return Set(
        tasks.filter {
          (try? String(contentsOfFile: "/proc/self/task/\($0)/comm", encoding: .utf8)) == "\(name)\n"
        })
    }
  }
}
