import Testing
import TimelineSystem
import TimelineTestSupport

@Suite struct `Negative numbers` {
  @Test(arguments: [
    (["next", "@daily", "-n", "-3"], "-n -3: expected a number from 1 to 10000"),
    (["history", "-n", "-3"], "-n -3: expected a number from 1 to 1000"),
    (["logs", "steady", "-n", "-3"], "-n -3: expected a number from 1 to 100"),
    (["explain", "@daily", "--years", "-1"], "--years -1: expected a number from 1 to 292"),
    (["dry-run", "--for", "-1h"], "--for -1h: "), (["plan", "a", "b", "--for", "-1h"], "--for -1h: "),
    (["next", "@daily", "--from", "-1h"], "--from -1h: "),
    (["status", "--timeout", "-5s"], "The value '-5s' is invalid for '--timeout <duration>': expected "),
    (["cancel", "-3"], "-3: not an option: "), (["why", "steady", "-2h"], "-2h: not an option: "),
    (["next", "@daily", "-3"], "-3: not an option: "),
  ])
  func `are named with what was expected`(words: [String], said: String) throws {
    let workshop = try Workshop()
    let path = try workshop.write("", to: "empty.toml")
    let file = words[0] == "dry-run" ? ["-c", path] : []
    let words = words.map { ["a", "b"].contains($0) ? path : $0 }
    let result = try StartedProgram.run([BuiltProgram.control] + words + file)
    #expect(result.end == .exited(64) && result.output.isEmpty, "\(result)")
    #expect(result.errors.hasPrefix("timelinectl: error: \(said)"), "\(result)")
  }
}
