import Foundation
import Testing
import TimelineCore
import TimelineSystem
import TimelineTestSupport
import TimelineWire

/// Directory in which a plugin is called, and that of its host in between.
@Suite struct WorkplaceTests {
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

  @Test func `A link that a deploy switches is followed by each run, and an idle host stands in the root`()
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

  @Test func `A missing directory fails its run in plain words, and the run after it is back is fine`() throws
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

  @Test func `A plugin that goes elsewhere leaves its host in the root`() throws {
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
