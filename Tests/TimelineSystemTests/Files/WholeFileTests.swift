import Foundation
import Testing

@testable import TimelineSystem

@Suite struct `A file that is written as a whole` {
  private func contents(_ path: String) -> String? {
    FileManager.default.contents(atPath: path).map { String(decoding: $0, as: UTF8.self) }
  }

  private func names(in directory: TestDirectory) throws -> [String] {
    try DirectoryListing.names(in: directory.path)
  }

  @Test func `is made where there is none, with the permissions of the process`() throws {
    let directory = try TestDirectory()
    let path = directory.path + "/new.svg"
    try WholeFile.write(Array("hello".utf8), to: path)
    #expect(contents(path) == "hello")
    let mask = umask(0)
    umask(mask)
    #expect(try FileFacts(at: path).mode == 0o666 & ~mask)
    #expect(try names(in: directory) == ["new.svg"])
  }

  @Test func `takes the place of the former contents, and keeps their permissions`() throws {
    let directory = try TestDirectory()
    let path = try directory.file("old.svg", "a longer text than the new one")
    #expect(unsafe chmod(path, 0o640) == 0)
    let former = try FileFacts(at: path)
    try WholeFile.write(Array("short".utf8), to: path)
    #expect(contents(path) == "short")
    #expect(try FileFacts(at: path).mode == 0o640)
    #expect(try !FileFacts(at: path).isSameFile(as: former), "a reader of the former file goes on reading it")
    #expect(try names(in: directory) == ["old.svg"])
  }

  @Test func `is what a link leads to; the link stays`() throws {
    let directory = try TestDirectory()
    let path = try directory.file("real", "old")
    let link = directory.path + "/link"
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "real")
    try WholeFile.write(Array("new".utf8), to: link)
    #expect(contents(path) == "new")
    #expect(try FileFacts(ofLinkAt: link).kind == .link)
  }

  @Test func `is new or not written at all`() throws {
    let directory = try TestDirectory()
    let path = directory.path + "/new.toml"
    try WholeFile.writeNew(Array("first".utf8), to: path, mode: 0o600)
    let error = #expect(throws: SystemError.self) {
      try WholeFile.writeNew(Array("second".utf8), to: path, mode: 0o600)
    }
    #expect(error?.name == "EEXIST" && error?.subject == path)
    #expect(contents(path) == "first")
    #expect(try FileFacts(at: path).mode == 0o600)
    #expect(try names(in: directory) == ["new.toml"])
  }

  @Test(arguments: [
    ("/dev/full", "ENOSPC"), ("/nowhere/x.svg", "ENOENT"), ("/proc/x.svg", "ENOENT"), ("/tmp", "EISDIR"),
  ])
  func `fails with the reason of the system`(path: String, reason: String) {
    let error = #expect(throws: SystemError.self) { try WholeFile.write([1], to: path) }
    #expect(error?.name == reason && error?.subject == path)
  }
}
