import Foundation
import Glibc
import Testing
import TimelineSystem
import TimelineTestSupport

@testable import TimelineDaemon

@Suite struct `The state directory` {
  @Test func `is created where possible, and used if it exists`() throws {
    let workshop = try Workshop()
    try StateDirectory.prepare(workshop.path + "/state")
    try workshop.write("", to: "state/ledger.sqlite")
    try StateDirectory.prepare(workshop.path + "/state")
  }

  @Test func `is refused with the kernel's error and the remedy`() throws {
    let workshop = try Workshop()
    let file = try workshop.write("", to: "file")
    #expect(
      text { () throws(DaemonFailure) in try StateDirectory.prepare(file) }.contains(
        "\(file): not a directory: move the file away"))
    let deep = text { () throws(DaemonFailure) in try StateDirectory.prepare(workshop.path + "/a/b") }
    #expect(
      deep.contains("no such file or directory: create the directory that it is to stand in"), "\(deep)")
    #expect(!deep.contains("move the file aside"), "\(deep)")
  }

  @Test
  func
    `is shown without two dots, like the control socket, so that what config show prints can be read again`()
    throws
  {
    let workshop = try Workshop()
    try workshop.configure("")
    try FileManager.default.createDirectory(
      atPath: workshop.path + "/here", withIntermediateDirectories: true)
    let daemon = try DaemonProcess(
      workshop,
      arguments: ["--state", "../state", "--control", "./../control.sock", "--plugins", "../here/.."],
      command: ["/bin/sh", "-c", "cd \"$0\" && exec \"$@\"", workshop.path + "/here"])
    try daemon.begin()
    let shown = try daemon.control("config", "show")
    #expect(shown.end == .exited(0), "\(shown)")
    let place = try #require(CurrentProcess.realPath(workshop.path))
    for path in ["\(place)/state", "\(place)/control.sock", place] {
      #expect(shown.output.contains("\"\(path)\""), "\(shown)")
    }
    let again = try workshop.write(shown.output, to: "again.toml")
    let checked = try daemon.control("check", again)
    #expect(checked.end == .exited(0), "\(checked)")
    #expect(try daemon.stop() == .exited(0))
  }

  @Test(.enabled(if: isRoot && canBeNobody, "only root can become another user"))
  func `is refused with permission denied where it cannot be written`() throws {
    let workshop = try Workshop()
    try workshop.configure("")
    try FileManager.default.createDirectory(
      atPath: workshop.path + "/state", withIntermediateDirectories: true)
    let daemon = try DaemonProcess(
      workshop, command: ["/usr/bin/setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups"])
    #expect(try daemon.finish() == .exited(70))
    #expect(
      daemon.errors.contains(
        "state directory: \(workshop.path)/state cannot be written: permission denied: give it to"),
      "\(daemon.errors)")
  }

  private func text(_ body: () throws(DaemonFailure) -> Void) -> String {
    do throws(DaemonFailure) {
      try body()
      return ""
    } catch {
      return error.description
    }
  }
}
