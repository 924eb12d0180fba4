import Testing
import TimelineCore

@testable import TimelineSystem

@Suite struct ProcessUsageTests {
  @Test func `a process shows its memory, descriptors and threads until it is gone`() throws {
    let (stdin, hold) = try ByteStream.pipe()
    stdin.setNonBlocking(false)
    let child = try ChildProcess.spawn(
      executable: "/bin/cat", descriptors: [.init(stdin.rawValue, as: 0)])
    stdin.close()
    let usage = try #require(ProcessUsage(of: child.pid))
    #expect(usage.threads == 1 && usage.descriptors >= 1)
    #expect((0..<(64 << 20)).contains(usage.anonymousBytes))
    hold.close()
    #expect(child.wait() == .exited(0))
    #expect(ProcessUsage(of: child.pid) == nil)
  }
}
