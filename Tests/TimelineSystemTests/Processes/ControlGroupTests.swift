import Foundation
import Testing
import TimelineCore

@testable import TimelineSystem

/// Control groups, by directories that look like some; 70-systemd.sh has real ones.
@Suite struct ControlGroupTests {
  let directory: TestDirectory

  init() throws { directory = try TestDirectory() }

  @Test(
    arguments: [
      ("usage_usec 1500\nuser_usec 1000\nsystem_usec 500\n", .microseconds(1_500)),
      ("nr_periods 0\nusage_usec 0\n", .zero),
      ("usage_usec \(Int64.max)\n", .max),
      ("usage_usec -1\n", nil), ("usage_usec x\n", nil), ("usage_usec 1 2\n", nil), ("user_usec 7\n", nil),
      ("", nil),
    ] as [(String, ElapsedTime?)])
  func `processor time is the line usage_usec`(text: String, expected: ElapsedTime?) throws {
    #expect(ControlGroup.processorTime(in: text) == expected)
    _ = try directory.file("cpu.stat", text)
    #expect(ControlGroup(at: directory.path).processorTime == expected)
  }

  @Test(
    arguments: [
      ("0::/system.slice/timelined.service\n", "/system.slice/timelined.service"),
      ("4:memory:/a\n1:name=systemd:/b\n0::/b/daemon\n", "/b/daemon"),
      ("0::/a: b\n", "/a: b"),
      ("0::/\n", nil), ("0::/../other\n", nil), ("4:memory:/a\n", nil), ("", nil),
    ] as [(String, String?)])
  func `a membership is the line of version 2`(text: String, expected: String?) {
    #expect(DelegatedGroup.path(in: text) == expected)
  }

  @Test func `a group that is not there has no figures and cannot be killed`() {
    let group = ControlGroup(at: directory.path + "/none")
    #expect(group.processorTime == nil)
    #expect(!group.kill())
    #expect(group.remove(), "it is gone already")
  }

  @Test func `a group that cannot be entered is not left behind`() throws {
    let group = ControlGroup(at: directory.path + "/host-1-1")
    try group.make()
    try group.make()
    // A directory that is no group has no file to write the process to.
    #expect(throws: SystemError.self) { try group.enter() }
    #expect(throws: SystemError.self) { try FileFacts(at: group.directory) }
  }

  @Test func `empty groups of hosts are removed, and nothing else`() throws {
    let delegated = DelegatedGroup(at: directory.path)
    let names = ["host-7-10", "host-7-9", "host-8-1", "daemon", "host-9-1"]
    for name in names { try CurrentProcess.makeDirectory("\(directory.path)/\(name)", mode: 0o755) }
    // The kernel refuses a group with processes as it refuses a directory with files.
    _ = try directory.file("host-9-1/process")
    #expect(delegated.group(ofProcess: 7)?.directory == directory.path + "/host-7-10", "the latest")
    #expect(delegated.group(ofProcess: 77) == nil)
    delegated.removeEmptyGroups(except: [delegated.group(forProcess: 8, distinction: 1)])
    #expect(try DirectoryListing.names(in: directory.path) == ["daemon", "host-8-1", "host-9-1"])
  }

  @Test func `nothing is delegated to a process that systemd has not started so`() {
    #expect(DelegatedGroup.find() == nil)
  }
}
