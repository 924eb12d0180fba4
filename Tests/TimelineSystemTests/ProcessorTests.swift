import Foundation
import Testing
import TimelineSystem

@Suite struct `A processor` {
  /// Which processors this thread may use, by number; those that are switched off are not among them.
  private static func allowed() throws -> Set<Int> {
    let status = try String(contentsOfFile: "/proc/thread-self/status", encoding: .utf8)
    let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("Cpus_allowed_list:") })
    let online = try String(contentsOfFile: "/sys/devices/system/cpu/online", encoding: .utf8)
    return try numbers(line.split(separator: "\t").last ?? "").intersection(numbers(online[...]))
  }

  /// What the kernel writes as "0-3,8".
  private static func numbers(_ list: Substring) throws -> Set<Int> {
    try list.split(whereSeparator: { $0 == "," || $0.isWhitespace }).reduce(into: []) { numbers, range in
      let bounds = try range.split(separator: "-").map { try #require(Int($0)) }
      numbers.formUnion(try #require(bounds.first)...(try #require(bounds.last)))
    }
  }

  @Test func `is left for another one where there is one, and may be used again`() throws {
    let before = try Self.allowed()
    let hasOthers = before.count > 1
    var hasLeft = false
    // The kernel may put the thread back at any time, and on another one before it is asked to.
    for _ in 1...1_000 where !hasLeft {
      let old = Processor.current
      hasLeft = old.leave() && Processor.current != old
      if !hasOthers { break }
    }
    #expect(hasLeft == hasOthers, "the only one cannot be left")
    #expect(try Self.allowed() == before)
  }

  @Test func `that the thread is not on need not be left`() {
    #expect(Processor(number: .max).leave())
  }
}
