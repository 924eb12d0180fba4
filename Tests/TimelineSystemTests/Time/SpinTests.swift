import Glibc
import Testing
import TimelineCore
import TimelineSystem

extension ClockTests {
  @Suite struct `Spinning to an instant` {
    @Test func `ends when the wall clock shows it and not before`() {
      let instant = SystemTime.now() + .microseconds(200)
      SystemTime.spin(until: instant, atMost: .seconds(60))
      #expect(SystemTime.now() >= instant)
    }

    @Test func `ends at its limit where the wall clock does not come to show it`() {
      let begin = SystemTime.monotonic()
      SystemTime.spin(until: .max, atMost: .microseconds(200))
      #expect(SystemTime.monotonic() - begin >= .microseconds(200))
    }

    @Test func `to an instant that has passed is over at once, though there is no limit`() {
      SystemTime.spin(until: SystemTime.now(), atMost: .max)
      SystemTime.spin(until: .min, atMost: .max)
    }
  }
}

extension ClockTests {
  @Suite struct `Waiting for an instant` {
    @Test func `ends when it has come and not before, though the sleep ends earlier each time`() {
      var margin = SleepMargin()
      for _ in 0..<20 {
        let instant = SystemTime.monotonic() + .microseconds(300)
        SystemTime.wait(until: instant, atMost: .seconds(60), margin: &margin)
        #expect(SystemTime.monotonic() >= instant)
      }
      #expect(margin.length > .zero, "no machine wakes a thread in no time")
    }

    @Test func `is over at once where it has passed, and at its limit where it is far`() {
      var margin = SleepMargin()
      SystemTime.wait(until: SystemTime.monotonic(), atMost: .seconds(60), margin: &margin)
      #expect(margin == SleepMargin(), "nothing was slept, nothing learned")
      let begin = SystemTime.monotonic()
      let never = MonotonicInstant(nanosecondsSinceBoot: .max)
      SystemTime.wait(until: never, atMost: .microseconds(200), margin: &margin)
      #expect(SystemTime.monotonic() - begin >= .microseconds(200))
    }
  }
}
