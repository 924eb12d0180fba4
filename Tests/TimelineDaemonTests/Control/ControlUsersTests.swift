import Foundation
import Synchronization
import Testing
import TimelineCore
import TimelineSystem
import TimelineTestSupport

@testable import TimelineDaemon

@Suite struct `The users who may change something` {
  /// A name service that answers once the test opens it.
  private final class SlowDirectory: Sendable {
    private let isOpen = Mutex(false)
    private let lock = NSCondition()
    let askedCount = Mutex(0)

    func open() {
      lock.lock()
      isOpen.withLock { $0 = true }
      lock.broadcast()
      lock.unlock()
    }

    func answer(_ name: String) -> Result<UInt32, SystemError> {
      askedCount.withLock { $0 += 1 }
      lock.lock()
      while !isOpen.withLock({ $0 }) { lock.wait() }
      lock.unlock()
      let numbers: [String: UInt32] = ["alice": 70_001, "bob": 70_002]
      return numbers[name].map { .success($0) }
        ?? .failure(SystemError(code: 2, call: "getpwnam_r", subject: name))
    }
  }

  private final class Heard { var lines: [String] = [] }

  private static func users(
    _ directory: SlowDirectory, _ loop: EventLoop, _ heard: Heard = Heard()
  ) -> ControlUsers {
    let announcer = Announcer(usesJournal: false, now: { .epoch }, write: { heard.lines.append($0) })
    return ControlUsers(
      loop: loop, announcer: announcer,
      directory: ControlUsers.Directory(number: { directory.answer($0) }, name: { _ in "me" }))
  }

  @Test func `a name service that does not answer delays nothing, and its late answer counts`() throws {
    let (loop, directory, heard) = (try EventLoop(), SlowDirectory(), Heard())
    let users = Self.users(directory, loop, heard)
    var isKnown = false
    users.adopt(["alice", "nobody-here"]) { isKnown = true }
    #expect(!isKnown && !users.contains(70_001))
    #expect(users.contains(0) && users.contains(CurrentProcess.effectiveUser))
    var turns = 0
    loop.after(.milliseconds(5)) { turns += 1 }
    #expect(loop.run(atMost: Patience.usual) { turns == 1 }, "the loop goes on")
    directory.open()
    #expect(loop.run(atMost: Patience.usual) { isKnown })
    #expect(users.contains(70_001) && users.name(of: 70_001) == "alice" && users.name(of: 0) == "root")
    #expect(heard.lines.contains { $0.contains("there is no user \"nobody-here\"") }, "\(heard.lines)")
  }

  @Test func `a removed user loses access at once, and the others keep it during the look-up`() throws {
    let (loop, directory) = (try EventLoop(), SlowDirectory())
    directory.open()
    let users = Self.users(directory, loop)
    var count = 0
    users.adopt(["alice", "bob"]) { count += 1 }
    #expect(loop.run(atMost: Patience.usual) { count == 1 })
    users.adopt(["bob"]) { count += 1 }
    #expect(!users.contains(70_001) && users.contains(70_002))
    users.adopt([]) { count += 1 }
    #expect(!users.contains(70_002))
    #expect(loop.run(atMost: Patience.usual) { count == 3 })
    #expect(!users.contains(70_002))
  }
}
