import Foundation
import TimelineCore

@testable import TimelineSystem

/// A directory of a test's own, removed with everything in it when the test lets go of it.
final class TestDirectory {
  let path: String

  init() throws {
    path = FileManager.default.temporaryDirectory.path + "/timeline-\(UUID().uuidString.prefix(8))"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  func file(_ name: String, _ text: String = "") throws -> String {
    let file = "\(path)/\(name)"
    try Data(text.utf8).write(to: URL(fileURLWithPath: file))
    return file
  }
}

/// Time that a test waits for an event before it gives up; far beyond what a loaded machine needs.
let patience = ElapsedTime.seconds(30)
