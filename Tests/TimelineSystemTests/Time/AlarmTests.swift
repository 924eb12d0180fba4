import Testing
import TimelineCore
import TimelineSystem

@Suite struct `An alarm` {
  @Test func `goes off for a thread that waits, and can be set again`() throws {
    let alarm = try Alarm()
    for elapsed in [ElapsedTime.zero, .nanoseconds(1), .milliseconds(1)] {
      #expect(alarm.set(after: elapsed) && alarm.wait())
    }
  }

  @Test func `counts from when it was last set`() throws {
    let alarm = try Alarm()
    #expect(alarm.set(after: .days(1)) && alarm.set(after: .zero) && alarm.wait())
  }
}
