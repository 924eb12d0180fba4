import Foundation
import Synchronization
import Testing
import TimelineCore
import TimelineTestSupport

@testable import TimelineSystem

@Suite struct `A thread that hands messages over` {
  /// A receiver that blocks until ``open()`` is called.
  private final class Reader: Sendable {
    private let gate = NSCondition()
    private let state = Mutex((isOpen: false, taken: [String]()))

    var taken: [String] { state.withLock { $0.taken } }

    func open() {
      gate.lock()
      state.withLock { $0.isOpen = true }
      gate.broadcast()
      gate.unlock()
    }

    func take(_ text: String) {
      gate.lock()
      while !state.withLock({ $0.isOpen }) { gate.wait() }
      gate.unlock()
      state.withLock { $0.taken.append(text) }
    }
  }

  @Test func `keeps their order, and no sender waits for a blocked receiver`() throws {
    let reader = Reader()
    let thread = try OutboundThread(name: "outlet")
    for number in 1...500 { #expect(thread.put(byteCount: 10) { reader.take("\(number)") }) }
    #expect(!thread.flush(atMost: .milliseconds(20)) && reader.taken.isEmpty)
    reader.open()
    #expect(thread.flush(atMost: Patience.usual))
    let all: [String] = (1...500).map { "\($0)" }
    #expect(reader.taken == all)
    thread.close()
  }

  @Test func `drops messages beyond the bound, and reports their number before the next`() throws {
    let reader = Reader()
    let thread = try OutboundThread(name: "outlet") { reader.take("\($0) lost") }
    let megabyte = 1 << 20
    let taken = (1...20).map { number in thread.put(byteCount: megabyte) { reader.take("\(number)") } }
    let count = taken.count { $0 }
    #expect(count == 8 && taken.prefix(8).allSatisfy { $0 }, "8 MiB may wait")
    reader.open()
    #expect(thread.flush(atMost: Patience.usual))
    #expect(thread.put(byteCount: 1) { reader.take("next") })
    #expect(thread.flush(atMost: Patience.usual))
    let kept: [String] = (1...8).map { "\($0)" }
    #expect(reader.taken == kept + ["12 lost", "next"])
    thread.close()
  }
}
