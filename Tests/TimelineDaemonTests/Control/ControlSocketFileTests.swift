import Foundation
import Glibc
import Testing
import TimelineControl
import TimelineCore
import TimelineSystem
import TimelineTestSupport

@Suite struct `The file of the control socket` {
  private static func daemon(_ workshop: Workshop) throws -> DaemonProcess {
    try workshop.compile(directory: "Tests/BrokenPlugins/steady")
    try workshop.configure("[job.steady]\nplugin = \"steady\"\nschedule = \(never)")
    let daemon = try DaemonProcess(
      workshop, arguments: ["--control", workshop.path + "/run/control.sock"])
    try daemon.begin()
    return daemon
  }

  private static func isReachable(_ path: String) -> Bool {
    (try? ByteStream.connect(to: path, atMost: Patience.usual)) != nil
  }

  enum Harm: CaseIterable { case removed, renamed, replacedByFile, directoryRemoved, directoryRenamed }

  @Test(arguments: Harm.allCases) func `is created again when lost, with a warning`(harm: Harm) throws {
    let workshop = try Workshop()
    let directory = workshop.path + "/run"
    let path = directory + "/control.sock"
    let files = FileManager.default
    try files.createDirectory(atPath: directory, withIntermediateDirectories: true)
    let daemon = try Self.daemon(workshop)
    #expect(Self.isReachable(path))
    switch harm {
    case .removed: try files.removeItem(atPath: path)
    case .renamed: try files.moveItem(atPath: path, toPath: path + ".old")
    case .replacedByFile:
      try workshop.write("mine", to: "run/file")
      #expect(unsafe rename(directory + "/file", path) == 0)
      try daemon.line(
        containing: "error: ", "control socket \(path): ", "cannot be made again", "not a socket")
      try files.removeItem(atPath: path)
    case .directoryRemoved:
      // In one step, because the daemon would create the file again in a directory that is emptied first.
      try files.moveItem(atPath: directory, toPath: directory + ".old")
      try files.removeItem(atPath: directory + ".old")
      try daemon.line(containing: "error: ", "control socket \(path): ", "cannot be made again")
      try files.createDirectory(atPath: directory, withIntermediateDirectories: true)
    case .directoryRenamed:
      try files.moveItem(atPath: directory, toPath: directory + ".old")
      try daemon.line(containing: "error: ", "control socket \(path): ", "cannot be made again")
      try files.createDirectory(atPath: directory, withIntermediateDirectories: true)
    }
    try daemon.line(
      containing: "warning: control socket \(path): its file was removed or replaced, and made again")
    #expect(Self.isReachable(path))
    #expect(try daemon.stop() == .exited(0))
    #expect(!files.fileExists(atPath: path), "it goes with the daemon")
  }

  @Test func `of a live daemon is not taken by a second one, which names its owner`() throws {
    let workshop = try Workshop()
    try FileManager.default.createDirectory(
      atPath: workshop.path + "/run", withIntermediateDirectories: true)
    let daemon = try Self.daemon(workshop)
    let second = try DaemonProcess(
      workshop,
      arguments: ["--control", workshop.path + "/run/control.sock", "--state", workshop.path + "/other"])
    #expect(try second.finish() == .exited(70))
    #expect(
      second.errors.contains("process \(daemon.child.pid) (timelined) answers there"), "\(second.errors)")
    let third = try DaemonProcess(workshop, arguments: ["--control", workshop.path + "/third.sock"])
    #expect(try third.finish() == .exited(70))
    #expect(
      third.errors.contains("process \(daemon.child.pid) (timelined) uses this ledger"), "\(third.errors)")
    #expect(Self.isReachable(workshop.path + "/run/control.sock"))
    #expect(try daemon.stop() == .exited(0))
  }
}
