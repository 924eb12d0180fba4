import Testing
import TimelineControl
import TimelineSystem
import TimelineTestSupport

@Suite struct `What bash completes` {
  /// Completes the last of the arguments in bash, with the completion script of the program that is the first argument. Prints a
  /// line for each candidate.
  private static let bash = [
    "/bin/bash", "-c",
    """
    source <("$1" --generate-completion-script bash)
    COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMP_LINE="$*" COMP_POINT=${#COMP_LINE}
    _timelinectl "$1" "${!#}" "${@: -2:1}"
    printf '%s\\n' "${COMPREPLY[@]}"
    """,
    "bash",
  ]

  private static func candidates(_ result: FinishedProgram) throws -> [String] {
    try #require(result.end == .exited(0) && result.errors.isEmpty, "\(result)")
    return result.output.split(separator: "\n").map(String.init)
  }

  private static func candidates(for words: String...) throws -> [String] {
    try candidates(StartedProgram.run(bash + [BuiltProgram.control] + words))
  }

  @Test func `commands, options and the words of a choice`() throws {
    #expect(try Self.candidates(for: "hi") == ["history"])
    #expect(try Self.candidates(for: "plugin", "insp") == ["inspect"])
    #expect(try Self.candidates(for: "clock", "l") == ["leap"])
    #expect(try Self.candidates(for: "clock", "speed", "") == ["max"])
    #expect(try Self.candidates(for: "history", "--si") == ["--since"])
    #expect(try Self.candidates(for: "resume", "--catch-up", "") == ["latest", "all", "skip"])
    #expect(try Self.candidates(for: "next", "--gap", "r") == ["run-at-end"])
    #expect(try Self.candidates(for: "next", "--zone", "Europe/Berl") == ["Europe/Berlin"])
  }

  @Test func `jobs of the file that is named`() throws {
    let workshop = try Workshop()
    let path = try workshop.configure(
      """
      [job.backup]
      plugin = "exec"
      schedule = \(never)
      [job.report]
      plugin = "exec"
      schedule = \(never)
      """)
    for (verb, option) in [("next", "-c"), ("explain", "--config"), ("dry-run", "-c")] {
      #expect(try Self.candidates(for: verb, option, path, "") == ["backup", "report"])
      #expect(try Self.candidates(for: verb, option, path, "rep") == ["report"])
      #expect(try Self.candidates(for: verb, option, path + ".not", "").isEmpty)
    }
    // Bash splits words at `=`; zsh and fish pass them whole, with their quotes.
    for option in ["--config=\(path)", "--config='\(path)'"] {
      let words = [
        "---completion", "next", "--", "positional@0", "3", "0", "timelinectl", "next", option, "",
      ]
      #expect(
        try Self.candidates(StartedProgram.run([BuiltProgram.control] + words)) == ["backup", "report"])
    }
  }

  @Test func `jobs and runs of the daemon, as each verb can use them`() throws {
    let workshop = try Workshop()
    let (daemon, gate) = try `The control socket of a real daemon`.daemon(workshop)
    func candidates(_ verb: String) throws -> [String] {
      try Self.candidates(daemon.control(verb, "", command: Self.bash))
    }
    #expect(try candidates("trigger") == ["steady", "held", "failing"])
    #expect(try candidates("resume").isEmpty)
    #expect(try daemon.control("pause", "steady").end == .exited(0))
    #expect(try candidates("resume") == ["steady"])
    try daemon.wait(for: "the last run of the paused job") {
      (try? daemon.list().allSatisfy(\.running.isEmpty)) == true
    }
    #expect(try candidates("cancel").isEmpty)
    #expect(try daemon.control("trigger", "held").end == .exited(0))
    let run = try #require(daemon.list().flatMap(\.running).first)
    #expect(try candidates("cancel") == ["\(run.run)", "held"])

    try daemon.halt()
    #expect(try candidates("trigger").isEmpty, "a daemon that does not answer is not waited for")
    try daemon.resume()
    try gate.open()
    #expect(try daemon.stop() == .exited(0))
  }

  @Test func `nothing without a daemon, and without a message`() throws {
    #expect(try Self.candidates(for: "--socket", "/nonexistent", "trigger", "").isEmpty)
  }
}
