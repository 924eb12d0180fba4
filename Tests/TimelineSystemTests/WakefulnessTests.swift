import Synchronization
import Testing
import TimelineCore

@testable import TimelineSystem

/// A clock that goes on by a microsecond each time it is read.
private final class ReadClock: Sendable {
  private let nanoseconds = Mutex<Int64>(0)

  var now: MonotonicInstant {
    MonotonicInstant(
      nanosecondsSinceBoot: nanoseconds.withLock { nanoseconds in
        nanoseconds += 1_000
        return nanoseconds
      })
  }

  func pass(_ time: ElapsedTime) { nanoseconds.withLock { $0 += time.nanoseconds } }
}

private final class Counter: Sendable {
  private let total = Mutex(0)

  var value: Int { total.withLock { $0 } }

  func count() { total.withLock { $0 += 1 } }
}

@Suite struct `Staying awake for an answer` {
  private let clock = ReadClock()
  private var wakefulness: Wakefulness

  /// How long it takes to leave the one processor that it is on, and how often it was left; of another one it cannot get away.
  private static let timeToLeave = ElapsedTime.microseconds(80)
  private static let own = Processor(number: 3)
  private static let only = Processor(number: 5)
  private let left = Counter()

  init() {
    wakefulness = Wakefulness(
      clock: { [clock] in clock.now },
      leave: { [clock, left] processor in
        guard processor == Self.own else { return processor != Self.only }
        clock.pass(Self.timeToLeave)
        left.count()
        return true
      })
  }

  /// How many answers are slept for before it looks once more, and finds what is `there`.
  private mutating func sleptFor(findingWhatIs there: Bool) -> Int {
    var (count, hasLooked) = (0, false)
    while true {
      let found = wakefulness.stay { () -> Int? in
        hasLooked = true
        return there ? 1 : nil
      }
      #expect((found != nil) == (hasLooked && there))
      if hasLooked { return count }
      count += 1
    }
  }

  @Test mutating func `who was awake in vain sleeps for more and more answers, and who was not for fewer`() {
    var slept: [Int] = []
    for _ in 1...10 { slept.append(sleptFor(findingWhatIs: false)) }
    #expect(slept == [0, 1, 2, 4, 8, 16, 32, 64, 128, 256])
    slept = []
    for _ in 1...11 { slept.append(sleptFor(findingWhatIs: true)) }
    #expect(slept == [256, 128, 64, 32, 16, 8, 4, 2, 1, 0, 0])
  }

  @Test(arguments: [(.microseconds(5), 5), (.seconds(1), 100)] as [(ElapsedTime, Int)])
  mutating func `for what does not come it looks for a limited time`(limit: ElapsedTime, looks: Int) {
    var count = 0
    let found = wakefulness.stay(atMost: limit) { () -> Int? in
      count += 1
      return nil
    }
    #expect(found == nil && count == looks)
  }

  @Test mutating func `after many times in vain it looks for a shorter time`() {
    var looks: [Int] = []
    for _ in 1...8 {
      var (count, hasLooked) = (0, false)
      while !hasLooked {
        let found = wakefulness.stay { () -> Int? in
          (count, hasLooked) = (count + 1, true)
          return nil
        }
        #expect(found == nil)
      }
      looks.append(count)
    }
    #expect(looks == [100, 100, 100, 100, 50, 50, 50, 50])
  }

  @Test(arguments: [(3, 1), (4, 0), (nil, 0)] as [(UInt32?, Int)])
  mutating func `it leaves the other's processor, and looks no shorter for that`(other: UInt32?, times: Int) {
    var looks = 0
    let found = wakefulness.stay(besides: other.map(Processor.init)) { () -> Int? in
      looks += 1
      return nil
    }
    #expect(found == nil && looks == 100 && left.value == times)
  }

  @Test
  mutating func `where it cannot leave the other's processor it sleeps, and tries that more and more rarely`()
  {
    var looks = 0
    for _ in 1...300 {
      let found = wakefulness.stay(besides: Self.only) { () -> Int? in
        looks += 1
        return 1
      }
      #expect(found == nil)
    }
    #expect(looks == 0)
    // 1 + 2 + 4 + ... + 128 answers were slept for between nine times, and of the 256 after those 36.
    #expect(sleptFor(findingWhatIs: true) == 220)
  }

  @Test mutating func `for what is promised it looks longer, unless that was in vain before`() {
    var looks: [Int] = []
    for answer in [nil, 30, 1, 1_500, nil, nil] {
      var (count, hasLooked) = (0, false)
      while !hasLooked {
        let found = wakefulness.stay(isPromised: true) { () -> Int? in
          (count, hasLooked) = (count + 1, true)
          return count == answer ? count : nil
        }
        #expect(found == nil || found == answer)
      }
      looks.append(count)
    }
    #expect(looks == [2_000, 30, 1, 1_500, 2_000, 100])
  }

  @Test mutating func `where it may not stay awake it leaves no processor`() {
    for _ in 1...3 { #expect(wakefulness.stay(besides: Self.own) { nil as Int? } == nil) }
    #expect(left.value == 2, "the answer after the first time in vain is slept for")
  }

  @Test mutating func `what it takes to leave counts as time spent awake`() {
    for _ in 1...1_000 { _ = wakefulness.stay(besides: Self.own) { 1 } }
    let most = Wakefulness.timePerSecond.nanoseconds / Self.timeToLeave.nanoseconds
    #expect(left.value > 200 && left.value <= most)
  }

  @Test mutating func `what comes while it looks is found`() {
    var count = 0
    let found = wakefulness.stay { () -> Int? in
      count += 1
      return count == 7 ? count : nil
    }
    #expect(found == 7 && count == 7)
  }

  @Test mutating func `no more than a part of each second is spent awake`() {
    for _ in 1...3 {
      var looks = 0
      var mayLook = true
      while mayLook {
        mayLook = false
        var hasFound = false
        _ = wakefulness.stay { () -> Int? in
          (looks, mayLook) = (looks + 1, true)
          defer { hasFound = looks.isMultiple(of: 50) }
          return hasFound ? 1 : nil
        }
      }
      let most = Int((Wakefulness.timePerSecond + Wakefulness.timeMax).nanoseconds / 1_000)
      #expect(looks > most / 2 && looks <= most)
      clock.pass(.seconds(1))
    }
  }
}
