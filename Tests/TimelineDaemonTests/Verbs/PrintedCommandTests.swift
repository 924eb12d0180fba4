import Foundation
import Testing
import TimelineSystem
import TimelineTestSupport

/// Command lines in backquotes that a program or the web page prints. The program accepts each of them.
@Suite struct PrintedCommandTests {
  /// A command line in a text of a program.
  struct Command: Sendable, CustomTestStringConvertible {
    /// The program, then what follows.
    let words: [String]
    /// The file and the line.
    let place: String
    var testDescription: String { "\(words.joined(separator: " ")) in \(place)" }
  }

  /// Each command once, with the first place. An interpolated value counts as a word.
  static let all: [Command] = {
    var commands: [String: Command] = [:]
    let root = URL(fileURLWithPath: sourceRoot + "/Sources")
    let files = FileManager.default.enumerator(at: root, includingPropertiesForKeys: nil)
    for case let file as URL in files ?? .init() where ["swift", "js", "html"].contains(file.pathExtension) {
      guard let text = try? String(contentsOf: file, encoding: .utf8) else { continue }
      for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
      where !line.drop(while: \.isWhitespace).hasPrefix("//") {
        for match in line.matches(of: /`(timelinectl [^`]+)`/) {
          let command = String(match.output.1.replacing(/\\\((?:[^()]|\([^()]*\))*\)/) { _ in "a" })
          guard commands[command] == nil else { continue }
          commands[command] = Command(
            words: command.replacing("\\\"", with: "").split(separator: " ").map(String.init),
            place: "\(file.lastPathComponent):\(index + 1)")
        }
      }
    }
    return commands.values.sorted { $0.testDescription < $1.testDescription }
  }()

  @Test func `printed commands are found in the sources`() {
    #expect(Self.all.count > 20)
    #expect(Self.all.contains { $0.words == ["timelinectl", "takeover", "--dry-run"] })
  }

  /// Asks for help, which has no effect. The answer proves that the command exists, has a place for each word, and has the named
  /// options.
  @Test(arguments: all) func `a printed command has a known verb and options`(command: Command) throws {
    let options = command.words.filter { $0.hasPrefix("--") && $0 != "--" }
    let verb = command.words.dropFirst().prefix { !$0.hasPrefix("-") }
    let help = try StartedProgram.run([BuiltProgram.control] + verb + ["--help"])
    #expect(help.end == .exited(0), "\(help)")
    for option in options { #expect(help.output.contains(option), "\(option) in: \(help.output)") }
  }
}
