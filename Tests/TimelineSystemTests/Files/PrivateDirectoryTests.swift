import Foundation
import Testing

@testable import TimelineSystem

/// Removal of what a run has left in its private directory.
@Suite struct PrivateDirectoryTests {
  @Test func `removal deletes all contents and follows no link`() throws {
    let directory = try TestDirectory()
    let (root, other) = (directory.path + "/copies", directory.path + "/other")
    let files = FileManager.default
    for path in ["/copies/a/b", "/other"] {
      try files.createDirectory(atPath: directory.path + path, withIntermediateDirectories: true)
    }
    for path in ["copies/key", "copies/a/b/file", "other/kept"] {
      #expect(files.createFile(atPath: directory.path + "/" + path, contents: Data()))
    }
    try files.createSymbolicLink(atPath: root + "/a/link", withDestinationPath: other)
    #expect(try !PrivateDirectory.remove(files: ["key"], at: root), "more is in it than the copies")
    try PrivateDirectory.remove(at: root)
    #expect(!files.fileExists(atPath: root) && files.fileExists(atPath: other + "/kept"))
    try PrivateDirectory.remove(at: root)
  }

  @Test func `a directory that is nested too deeply is left, with an error`() throws {
    let directory = try TestDirectory()
    let root = directory.path + "/copies"
    try FileManager.default.createDirectory(
      atPath: root + String(repeating: "/d", count: 80), withIntermediateDirectories: true)
    #expect(throws: SystemError.self) { try PrivateDirectory.remove(at: root) }
  }
}
