import Foundation
import Testing
import TimelineCore

@testable import TimelineSystem

@Suite struct `Watching folders` {
  /// What may be done to a folder, and whether it is told.
  static let deeds: [(name: String, isTold: Bool, deed: @Sendable (TestFolder) throws -> Void)] = [
    ("a file is made", true, { _ = try $0.file("new") }),
    ("a file is written", true, { _ = try $0.file("old", "other") }),
    (
      "a file is exchanged by a rename", true,
      { folder in
        try #require(unsafe rename("\(folder.path)/other", "\(folder.path)/old") == 0)
      }
    ),
    ("a file is removed", true, { try FileManager.default.removeItem(atPath: $0.path + "/old") }),
    ("a file is read", false, { _ = try Data(contentsOf: URL(fileURLWithPath: $0.path + "/old")) }),
  ]

  @Test(arguments: deeds.indices) func `what is told`(_ index: Int) throws {
    let deed = Self.deeds[index]
    let folder = try TestFolder()
    _ = try folder.file("old", "one")
    _ = try folder.file("other", "two")
    let loop = try EventLoop()
    var count = 0
    let watch = try FolderWatch(loop: loop, quiet: .milliseconds(1)) { count += 1 }
    #expect(watch.watch(folders: [folder.path]).isEmpty)
    try deed.deed(folder)
    if deed.isTold {
      #expect(loop.run(atMost: patience) { count > 0 }, "\(deed.name)")
    } else {
      #expect(!loop.runOnce(timeout: .zero), "\(deed.name)")
    }
  }

  @Test func `a burst is told once, when it is over`() throws {
    let folder = try TestFolder()
    let loop = try EventLoop()
    var count = 0
    let watch = try FolderWatch(loop: loop, quiet: .milliseconds(50)) { count += 1 }
    watch.watch(folders: [folder.path])
    for number in 0..<200 { _ = try folder.file("file-\(number)") }
    #expect(loop.run(atMost: patience) { count > 0 })
    #expect(!loop.runOnce(timeout: .zero))
    #expect(count == 1)
    withExtendedLifetime(watch) {}
  }

  @Test func `a folder that is not watched any more is not told of, one that is missing is named`() throws {
    let (first, second) = (try TestFolder(), try TestFolder())
    let loop = try EventLoop()
    var count = 0
    let watch = try FolderWatch(loop: loop, quiet: .milliseconds(1)) { count += 1 }
    watch.watch(folders: [first.path])
    #expect(watch.watch(folders: [second.path, "/no/such/folder"]) == ["/no/such/folder"])
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
