import Foundation
import Synchronization
import Testing
import TimelineCore
import TimelineTestSupport

@testable import TimelineSystem

@Suite struct SideThreadTests {
  @Test func `work is done on the thread, and its completion follows on the loop's`() throws {
    let loop = try EventLoop()
    let here = pthread_self()
    var completions = 0
    let thread = try SideThread(name: "side", loop: loop) {
      #expect(pthread_equal(pthread_self(), here) != 0)
      completions += 1
    }
    let count = Atomic<Int>(0)
    let isHere = Atomic<Bool>(true)
    let number = UInt(here)
    for round in 1...3 {
      thread.begin {
        isHere.store(UInt(pthread_self()) == number, ordering: .relaxed)
        count.add(1, ordering: .relaxed)
      }
      #expect(loop.run(atMost: Patience.usual) { completions == round })
      #expect(count.load(ordering: .relaxed) == round && !isHere.load(ordering: .relaxed))
    }
  }

  @Test func `work can be waited for, also right after other work, and its completion follows all the same`()
    throws
  {
    let loop = try EventLoop()
    var completions = 0
    let thread = try SideThread(name: "side", loop: loop) { completions += 1 }
    let count = Atomic<Int>(0)
    for round in 1...100 {
      thread.begin { count.add(1, ordering: .relaxed) }
      thread.wait()
      #expect(count.load(ordering: .relaxed) == round && completions == 0)
    }
    thread.wait()
    #expect(loop.run(atMost: Patience.usual) { completions == 1 })
    loop.runOnce(timeout: .zero)
    #expect(completions == 1)
  }

  @Test func `a thread whose owner is gone has done its work`() throws {
    let loop = try EventLoop()
    let gate = try Waker()
    let count = Atomic<Int>(0)
    var thread: SideThread? = try SideThread(name: "side", loop: loop) {
      Issue.record("nobody is there to be told")
    }
    thread?.begin {
      gate.wait()
      count.add(1, ordering: .relaxed)
    }
    gate.wake()
    thread = nil
    #expect(count.load(ordering: .relaxed) == 1)
    loop.runOnce(timeout: .zero)
  }
}
