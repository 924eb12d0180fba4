import Foundation
import Testing
import TimelineCore
import TimelineSystem
import TimelineTestSupport
import TimelineWire

/// The working directory of a plugin, and of its host between calls.
@Suite struct WorkingDirectoryTests {
  private static let tells = PluginSource.run(
    #"""
    char directory[512];
    host->set_result(context->call, getcwd(directory, sizeof directory));
    return TIMELINED_OK;
    """#)

  /// A workshop with two directories, and a link to one of them.
  private func deployed() throws -> (workshop: Workshop, link: String) {
    let workshop = try Workshop()
    for name in ["one", "two"] {
      try FileManager.default.createDirectory(
        atPath: "\(workshop.path)/\(name)", withIntermediateDirectories: false)
    }
    let link = workshop.path + "/current"
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: workshop.path + "/one")
    return (workshop, link)
  }

  private func place(_ host: HostProcess) throws -> String {
    try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(host.child.pid)/cwd")
  }

  @Test func `each run starts in the current target of a link, and an idle host is in the root directory`()
    throws
  {
    let (workshop, link) = try deployed()
    var setup = HostSetup()
    setup.workingDirectory = link
    let host = try HostProcess()
    try host.load(try workshop.compile(Self.tells), setup: setup)
    #expect(try place(host) == "/")
    #expect(try host.open() == .opened)
    #expect(try place(host) == "/")
    #expect(try host.run(1).end.text == workshop.path + "/one")
    #expect(try place(host) == "/")
    try FileManager.default.removeItem(atPath: link)
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: workshop.path + "/two")
    #expect(try host.run(2).end.text == workshop.path + "/two")
  }

  @Test func `a missing directory fails its run with the reason, and later runs succeed if it exists`() throws
  {
    let (workshop, link) = try deployed()
    var setup = HostSetup()
    setup.workingDirectory = link
    let host = try HostProcess()
    try host.load(try workshop.compile(Self.tells), setup: setup)
    let text =
      "working directory \(link): no such file or directory: create it, or correct `working-directory`"
    try FileManager.default.removeItem(atPath: link)
    #expect(try host.open() == .openFailed(OpenFailure(status: .failedForNow, text: text)))
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: workshop.path + "/two")
    #expect(try host.open() == .opened)
    try FileManager.default.removeItem(atPath: link)
    #expect(try host.run(1).end == RunEnd(run: 1, status: .failedForNow, text: text))
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: workshop.path + "/one")
    #expect(try host.run(2).end.text == workshop.path + "/one")
  }

  @Test func `a plugin that changes its directory leaves its host in the root directory`() throws {
    let workshop = try Workshop()
    let host = try HostProcess()
    try host.load(
      try workshop.compile(
        PluginSource.run("return chdir(\"/usr\") == 0 ? TIMELINED_OK : TIMELINED_FAILED;")))
    try host.open()
    #expect(try host.run().end.status == .succeeded)
    #expect(try place(host) == "/")
  }
}
