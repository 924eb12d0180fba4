import Foundation
import TimelineCore
import TimelineTestSupport

@testable import TimelineSystem

/// A directory of one test, removed with everything in it when the test releases it.
final class TestDirectory {
  let path: String

  init() throws {
    // Short and reachable for each user, also where $TMPDIR is not: sockets are made in it.
    path = "/tmp/timeline-\(UUID().uuidString.prefix(8))"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  func file(_ name: String, _ text: String = "") throws -> String {
    let file = "\(path)/\(name)"
    try Data(text.utf8).write(to: URL(fileURLWithPath: file))
    return file
  }
}

/// Limit of a wait for an event.
let patience = Patience.usual
