import Foundation
import Testing
import TimelineSystem
import TimelineTestSupport

@Suite struct `The list of plugins` {
  @Test func `has each plugin of the directories, refused and hidden ones too`() throws {
    let workshop = try Workshop()
    let path = workshop.path + "/plugins.toml"
    try workshop.write("[daemon]\nplugin-directories = [\"\(workshop.path)/more\"]\n", to: "plugins.toml")
    try workshop.compile(directory: "Tests/BrokenPlugins/steady")
    try workshop.compile(directory: "Tests/BrokenPlugins/missing-entry")
    try workshop.compile(directory: "Tests/BrokenPlugins/crash-at-load")
    try FileManager.default.createDirectory(
      atPath: workshop.path + "/more", withIntermediateDirectories: true)
    try FileManager.default.copyItem(
      atPath: workshop.path + "/steady.so", toPath: workshop.path + "/more/steady.so")
    let words = ["plugin", "list", "-c", path, "--plugins", workshop.path, "--host", BuiltProgram.host]
    let listed = try StartedProgram.run([BuiltProgram.control] + words)
    #expect(listed.end == .exited(0) && listed.errors.isEmpty, "\(listed)")
    let lines = listed.output.split(separator: "\n").map(String.init)
    #expect(lines.first?.hasPrefix("NAME ") == true)
    #expect(lines.contains { $0.hasPrefix("steady ") && $0.hasSuffix("\(workshop.path)/steady.so") })
    #expect(lines.contains { $0.hasPrefix("steady ") && $0.contains("hidden by \(workshop.path)/steady.so") })
    #expect(lines.contains { $0.hasPrefix("missing-entry ") && $0.contains("refused: ") })
    #expect(
      lines.contains { $0.hasPrefix("crash-at-load ") && $0.contains("refused: crashed while") }, "\(lines)")
    let json = try StartedProgram.run([BuiltProgram.control] + words + ["--json"]).output
    #expect(
      json.split(separator: "\n").count >= 4 && json.contains("\"hiddenBy\":\"\(workshop.path)/steady.so\""))
  }
}
