import Synchronization
import Testing
import TimelineSystem

/// The slices in which threads take turns on a busy processor. A kernel before 6.12 reports 0 for each and allows no
/// choice.
@Suite struct TimeSliceTests {
  private let usual = TimeSlice.nanoseconds()
  private var short: UInt64 { usual == 0 ? 0 : TimeSlice.short.rawValue }

  @Test func `a thread chooses its own, and has the usual one back`() {
    TimeSlice.short.begin()
    #expect(TimeSlice.nanoseconds() == short)
    TimeSlice.usual.begin()
    #expect(TimeSlice.nanoseconds() == usual)
  }

  @Test func `a thread waits with a short one, and has the usual one afterwards`() {
    #expect(TimeSlice.short { TimeSlice.nanoseconds() } == short)
    #expect(TimeSlice.nanoseconds() == usual)
  }

  @Test func `a thread beside a loop has the usual one, regardless of its starter's`() throws {
    TimeSlice.short.begin()
    defer { TimeSlice.usual.begin() }
    let found = Atomic<UInt64>(.max)
    let thread = try SideThread(name: "side", loop: try EventLoop()) {}
    thread.begin { found.store(TimeSlice.nanoseconds(), ordering: .relaxed) }
    thread.wait()
    #expect(found.load(ordering: .relaxed) == usual)
  }
}
