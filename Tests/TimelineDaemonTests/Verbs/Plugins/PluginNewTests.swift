import Foundation
import Testing
import TimelineSystem
import TimelineTestSupport

@Suite struct `A new plugin` {
  private func control(_ words: String...) throws -> FinishedProgram {
    try StartedProgram.run([BuiltProgram.control, "plugin"] + words)
  }

  @Test func `is a directory, and overwrites nothing`() throws {
    let workshop = try Workshop()
    for language in ["c", "swift", "rust", "python"] {
      let directory = "\(workshop.path)/\(language)"
      let made = try control("new", "my-plugin", "--language", language, "--directory", directory)
      #expect(made.end == .exited(0), "\(made)")
      let names = try FileManager.default.subpathsOfDirectory(atPath: directory)
      #expect(Set(names).isSuperset(of: ["Makefile", "README.md", "test.sh"]))
      for name in names {
        let text = (try? String(contentsOfFile: "\(directory)/\(name)", encoding: .utf8)) ?? ""
        #expect(!name.contains("@") && !text.contains("@name@"), "\(name)")
      }
      let again = try control("new", "my-plugin", "--language", language, "--directory", directory)
      #expect(again.end == .exited(1) && again.errors.contains("\(directory): file exists: choose another"))
    }
  }

  @Test(arguments: [
    ("A", "c"), ("two words", "c"), ("-a", "c"), ("a-", "c"), ("../a", "c"), ("", "c"), ("a", "basic"),
  ])
  func `is refused under a wrong name or in an unknown language`(name: String, language: String) throws {
    #expect(try control("new", "--language", language, "--", name).end == .exited(64))
  }
}
