import Testing
import TimelineClocks
import TimelineCore
import TimelineTestSupport

@Suite struct AffineTimeTests {
  private func instant(_ nanoseconds: Int64) -> WallInstant {
    WallInstant(nanosecondsSinceEpoch: nanoseconds)
  }

  @Test(
    arguments: [
      // speed, base elapsed, virtual elapsed, base needed for that
      (Speed.normal, 7, 7, 7), (60, 1, 60, 1), (60, 3, 180, 3), (0.5, 1, 0, 0), (0.5, 2, 1, 2),
      (0.5, 3, 1, 2),
      (0.3, 10, 3, 10), (0.3, 9, 2, 7), (1.5, 1, 1, 1), (1.5, 3, 4, 3), (1.5, 2, 3, 2),
    ] as [(Speed, Int64, Int64, Int64)])
  func `conversion rounds down to clock time and up to base time`(
    _ speed: Speed, _ base: Int64, _ virtual: Int64, _ needed: Int64
  ) {
    let time = AffineTime(base: instant(1_000), virtual: instant(50_000), speed: speed)
    #expect(time.now(base: instant(1_000 + base)) == instant(50_000 + virtual))
    #expect(time.baseInstant(for: instant(50_000 + virtual)) == instant(1_000 + needed))
  }

  @Test func `a wake-up is neither early nor a nanosecond late`() throws {
    var random = SeededGenerator(seed: 0xAF)
    for _ in 0..<20_000 {
      let speed = try Speed(random.next(in: 1...Speed.limit), over: random.next(in: 1...Speed.limit))
      let time = AffineTime(
        base: instant(random.next(in: -1_000_000...1_000_000)),
        virtual: instant(random.next(in: -(1 << 60)...(1 << 60))), speed: speed)
      let virtual = instant(time.virtualAnchor.nanosecondsSinceEpoch + random.next(in: 1...(1 << 50)))
      guard let base = time.baseInstant(for: virtual) else { continue }
      #expect(time.now(base: base) >= virtual, "seed \(random.seed), speed \(speed)")
      let before = instant(base.nanosecondsSinceEpoch - 1)
      #expect(time.now(base: before) < virtual, "seed \(random.seed), speed \(speed)")
    }
  }

  @Test func `time never goes back at a change of the speed`() throws {
    var random = SeededGenerator(seed: 0xBAC)
    var time = AffineTime(base: instant(0), virtual: instant(0), speed: 60)
    var base: Int64 = 0
    var latest = instant(0)
    for _ in 0..<20_000 {
      base += random.next(in: 0...1_000)
      switch random.next(in: 0...4) {
      case 0: time = time.settingSpeed(try Speed(random.next(in: 0...1_000), over: 7), at: instant(base))
      case 1: time = time.pausing(at: instant(base))
      case 2: time = time.resuming(at: instant(base))
      case 3: time = time.leaping(to: latest + .nanoseconds(random.next(in: -500...500)), at: instant(base))
      default: break
      }
      let now = time.now(base: instant(base))
      #expect(now >= latest, "seed \(random.seed)")
      #expect(time.now(base: instant(base - 10)) >= time.virtualAnchor, "seed \(random.seed)")
      latest = now
    }
  }

  @Test func `a paused clock stands still and wakes no sleeper`() {
    let time = AffineTime(base: instant(0), virtual: instant(0), speed: 60).pausing(at: instant(10))
    #expect(time.isPaused)
    #expect(time.now(base: .max) == instant(600))
    #expect(time.baseInstant(for: instant(601)) == nil)
    #expect(time.baseInstant(for: instant(600)) == instant(10))
    #expect(time.resuming(at: instant(20)).now(base: instant(21)) == instant(660))
    #expect(time.settingSpeed(2, at: instant(20)).now(base: instant(21)) == instant(602))
    #expect(
      AffineTime(base: instant(0), virtual: instant(0), speed: 0).resuming(at: instant(5)).speed == .normal)
  }

  @Test func `a leap only moves ahead`() {
    let time = AffineTime(base: instant(0), virtual: instant(0), speed: 2)
    #expect(time.leaping(to: instant(100), at: instant(10)).now(base: instant(11)) == instant(102))
    #expect(time.leaping(to: instant(5), at: instant(10)).now(base: instant(10)) == instant(20))
  }

  @Test func `times at the ends of the range are exact`() throws {
    let fast = AffineTime(base: .min, virtual: .min, speed: try Speed(Speed.limit))
    #expect(fast.now(base: .max) == .max)
    #expect(fast.baseInstant(for: .max) != nil)
    let slow = AffineTime(base: .epoch, virtual: .min, speed: try Speed(1, over: Speed.limit))
    #expect(slow.now(base: .max) > .min)
    #expect(slow.baseInstant(for: .max) == nil)
    #expect(fast.length(of: .max) == .max && fast.length(of: .min) == .min)
  }

  @Test(arguments: [0, 1, 3, 1_000_000_001] as [Int64])
  func `a length is the time that passes meanwhile, backward and forward`(_ nanoseconds: Int64) throws {
    for (speed, passed) in [(Speed.normal, nanoseconds), (60, nanoseconds * 60), (0.5, nanoseconds / 2)] {
      let time = AffineTime(base: .epoch, virtual: .epoch + .hours(1), speed: speed)
      let length = time.length(of: .nanoseconds(nanoseconds))
      #expect(length == .nanoseconds(passed))
      #expect(time.length(of: .nanoseconds(-nanoseconds)) == .nanoseconds(-passed))
      #expect(time.now(base: .epoch + .nanoseconds(nanoseconds)) == time.virtualAnchor + length)
      #expect(time.pausing(at: .epoch).length(of: .nanoseconds(nanoseconds)) == .zero)
    }
  }
}
