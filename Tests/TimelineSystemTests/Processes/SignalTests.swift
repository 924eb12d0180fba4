import Foundation
import Testing
import TimelineCore

@testable import TimelineSystem

@Suite struct SignalTests {
  @Test func `signals arrive as events, one kind once`() throws {
    let loop = try EventLoop()
    var seen: [Signal] = []
    let source = try SignalSource(loop: loop, signals: [.user1, .user2]) { seen.append($0) }
    // Directed at this thread: another thread of the test program does not block them.
    pthread_kill(pthread_self(), SIGUSR2)
    pthread_kill(pthread_self(), SIGUSR1)
    pthread_kill(pthread_self(), SIGUSR1)
    #expect(loop.run(atMost: patience) { seen.count == 2 })
    #expect(!loop.runOnce(timeout: .zero))
    #expect(Set(seen) == [.user1, .user2])
    withExtendedLifetime(source) {}
  }

  @Test(arguments: [
    (Signal.terminate, "SIGTERM"), (.kill, "SIGKILL"), (Signal(rawValue: SIGSEGV), "SIGSEGV"),
    (Signal(rawValue: 40), "signal 40"),
  ])
  func `a signal has its name`(signal: Signal, name: String) {
    #expect("\(signal)" == name)
  }
}
