import Testing
import TimelineCore
import TimelineEngine
import TimelineSystem
import TimelineTestSupport
import TimelineWire

@testable import TimelineHostPool

@Suite struct `Where a plugin is looked for` {
  private let search = PluginSearch(directories: ["/first", "/second/"])

  @Test(arguments: [
    ("exec", "/second/exec.so"), ("exec.so", "/second/exec.so"),
    ("/anywhere/at/all.so", "/anywhere/at/all.so"),
    ("both", "/first/both.so"),
  ])
  func `A name is looked for in each directory, a path is taken as it is`(name: String, expected: String)
    throws
  {
    let files: Set<String> = ["/second/exec.so", "/first/both.so", "/second/both.so"]
    #expect(try search.path(of: name, isFile: files.contains) == expected)
  }

  @Test(arguments: [
    ("absent", "absent.so was not found in /first, /second/"),
    ("", "neither a plugin's name nor an absolute path"),
    ("../exec", "neither"), ("here/exec.so", "neither"), (".hidden", "neither"),
  ])
  func `What is not found is said with the directories searched`(name: String, expected: String) {
    let failure = #expect(throws: HostFailure.self) { try search.path(of: name, isFile: { _ in false }) }
    #expect(failure?.message.contains(expected) == true, "\(failure?.message ?? "")")
    #expect(failure?.message.contains(";") == true, "there is a remedy")
  }
}
