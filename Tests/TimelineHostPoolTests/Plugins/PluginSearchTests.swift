import Testing
import TimelineCore
import TimelineEngine
import TimelineSystem
import TimelineTestSupport
import TimelineWire

@testable import TimelineHostPool

@Suite struct `The search for a plugin` {
  private let search = PluginSearch(directories: ["/first", "/second/"])

  @Test(arguments: [
    ("exec", "/second/exec.so"), ("exec.so", "/second/exec.so"),
    ("/anywhere/at/all.so", "/anywhere/at/all.so"),
    ("both", "/first/both.so"),
  ])
  func `a name is searched in each directory, and a path is used unchanged`(name: String, expected: String)
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
  func `the failure of a search names the searched directories`(name: String, expected: String) {
    let failure = #expect(throws: HostFailure.self) { try search.path(of: name, isFile: { _ in false }) }
    #expect(failure?.message.contains(expected) == true, "\(failure?.message ?? "")")
    #expect(failure?.message.contains(";") == true, "there is a remedy")
  }
}
