import Foundation
import Testing
import TimelineCore

@testable import TimelineSystem

@Suite struct `Watching directories` {
  /// Changes of a directory, and whether they are reported.
  static let deeds: [(name: String, isTold: Bool, deed: @Sendable (TestDirectory) throws -> Void)] = [
    ("a file is made", true, { _ = try $0.file("new") }),
    ("a file is written", true, { _ = try $0.file("old", "other") }),
    (
      "a file is exchanged by a rename", true,
      { directory in
        try #require(unsafe rename("\(directory.path)/other", "\(directory.path)/old") == 0)
      }
    ),
    ("a file is removed", true, { try FileManager.default.removeItem(atPath: $0.path + "/old") }),
    ("a file is read", false, { _ = try Data(contentsOf: URL(fileURLWithPath: $0.path + "/old")) }),
  ]

  @Test(arguments: deeds.indices) func `each change is reported, and a read is not`(_ index: Int) throws {
    let deed = Self.deeds[index]
    let directory = try TestDirectory()
    _ = try directory.file("old", "one")
    _ = try directory.file("other", "two")
    let loop = try EventLoop()
    var count = 0
    let watch = try DirectoryWatch(loop: loop, quiet: .milliseconds(1)) { count += 1 }
    #expect(watch.watch(directories: [directory.path]).isEmpty)
    try deed.deed(directory)
    if deed.isTold {
      #expect(loop.run(atMost: patience) { count > 0 }, "\(deed.name)")
    } else {
      #expect(!loop.runOnce(timeout: .zero), "\(deed.name)")
    }
  }

  @Test func `a burst is reported once, after its end`() throws {
    let directory = try TestDirectory()
    let loop = try EventLoop()
    var count = 0
    let watch = try DirectoryWatch(loop: loop, quiet: .milliseconds(50)) { count += 1 }
    watch.watch(directories: [directory.path])
    for number in 0..<200 { _ = try directory.file("file-\(number)") }
    #expect(loop.run(atMost: patience) { count > 0 })
    #expect(!loop.runOnce(timeout: .zero))
    #expect(count == 1)
    withExtendedLifetime(watch) {}
  }

  @Test func `a directory that is no longer watched is not reported, and any missing one is returned`() throws
  {
    let (first, second) = (try TestDirectory(), try TestDirectory())
    let loop = try EventLoop()
    var count = 0
    let watch = try DirectoryWatch(loop: loop, quiet: .milliseconds(1)) { count += 1 }
    watch.watch(directories: [first.path])
    #expect(watch.watch(directories: [second.path, "/no/such/directory"]) == ["/no/such/directory"])
    // The end of a watch is itself an event of the kernel's.
    _ = loop.run(atMost: .milliseconds(20)) { false }
    count = 0
    _ = try first.file("new")
    #expect(!loop.runOnce(timeout: .zero))
    _ = try second.file("new")
    #expect(loop.run(atMost: patience) { count > 0 })
    withExtendedLifetime(watch) {}
  }
}
