import Foundation
import Testing
import TimelineSystem

@Suite struct `A processor` {
  /// What the kernel says of the processors that this thread may use, such as "0-3,8".
  private static func allowed() throws -> String {
    let status = try String(contentsOfFile: "/proc/thread-self/status", encoding: .utf8)
    let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("Cpus_allowed_list:") })
    return line.split(separator: "\t").last.map(String.init) ?? ""
  }

  @Test func `is left for another one where there is one, and may be used again`() throws {
    let before = try Self.allowed()
    let hasOthers = Int(before) == nil
    var hasLeft = false
    // The kernel may put the thread back at any time, and on another one before it is asked to.
    for _ in 1...1_000 where !hasLeft {
      let old = Processor.current
      guard old.leave() else { continue }
      hasLeft = Processor.current != old
      if !hasOthers { break }
    }
    #expect(hasLeft == hasOthers)
    #expect(try Self.allowed() == before)
  }

  @Test func `is not left by who is not on it`() {
    #expect(!Processor(number: .max).leave())
  }
}
