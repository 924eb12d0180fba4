import Foundation
import Glibc
import Testing
import TimelineCore
import TimelineSystem
import TimelineTestSupport

@Suite struct `Entries to come, by dry-run and next` {
  static let jobs = """
    [job.long]
    plugin = "exec"
    schedule = { periodic = { from = 2027-01-01T00:00:00Z, by = "1m" } }
    expected-duration = "90s"
    [job.loop]
    plugin = "exec"
    schedule = { animation = { minimum-interval = "40s" } }
    [job.busy]
    plugin = "exec"
    schedule = { periodic = { by = "250ms" } }
    [job.once]
    plugin = "exec"
    schedule = { explicit = [2027-01-01T00:01:30.5Z] }
    """

  static func dryRun(_ workshop: Workshop, _ words: String...) throws -> FinishedProgram {
    let path = try workshop.configure(Self.jobs)
    return try StartedProgram.run(
      [BuiltProgram.control, "dry-run", "--config", path, "--from", "2027-01-01T00:00:00Z"] + words)
  }

  @Test func `dry-run prints a table of the entries to come, with overlaps, and a summary`() throws {
    let result = try Self.dryRun(try Workshop(), "--for", "2m")
    #expect(result.end == .exited(0))
    #expect(
      result.output == """
        ENTRY                         JOB   START                         END                           OUTCOME
        2027-01-01 00:00:00 UTC       long  2027-01-01 00:00:00 UTC       2027-01-01 00:01:30 UTC       succeeded
        2027-01-01 00:00:00 UTC       loop  2027-01-01 00:00:00 UTC       2027-01-01 00:00:00 UTC       succeeded
        2027-01-01 00:00:00 UTC       busy  240 in this minute                                          succeeded 240
        2027-01-01 00:00:40 UTC       loop  2027-01-01 00:00:40 UTC       2027-01-01 00:00:40 UTC       succeeded
        2027-01-01 00:01:00 UTC       long  -                             -                             overlapped
        2027-01-01 00:01:00 UTC       busy  240 in this minute                                          succeeded 240
        2027-01-01 00:01:20 UTC       loop  2027-01-01 00:01:20 UTC       2027-01-01 00:01:20 UTC       succeeded
        2027-01-01 00:01:30.500 UTC   once  2027-01-01 00:01:30.500 UTC   2027-01-01 00:01:30.500 UTC   succeeded

        """)
    #expect(
      result.errors == """
        From 2027-01-01 00:00:00 UTC until 2027-01-01 00:02:00 UTC:
        JOB   ENTRIES  PEAK  OUTCOMES
        long        2     1  succeeded 1, overlapped 1
        loop        3     1  succeeded 3
        busy      480     1  succeeded 480
        once        1     1  succeeded 1
        all       486     3  succeeded 485, overlapped 1

        """)
  }

  @Test func `dry-run with --summary prints counts and no rows`() throws {
    let workshop = try Workshop()
    let text = try Self.dryRun(workshop, "--for", "2m", "--summary")
    #expect(text.end == .exited(0) && text.errors.isEmpty, "\(text)")
    #expect(
      text.output.hasPrefix("From 2027-01-01 00:00:00 UTC until 2027-01-01 00:02:00 UTC:\nJOB"), "\(text)")
    #expect(text.output.hasSuffix("\nall       486     3  succeeded 485, overlapped 1\n"), "\(text)")
    let json = try Self.dryRun(workshop, "--for", "2m", "--summary", "--json", "long")
    #expect(json.end == .exited(0) && json.errors.isEmpty, "\(json)")
    #expect(
      json.output == """
        {"job":"long","entries":2,"peak":1,"outcomes":{"succeeded":1,"overlapped":1}}
        {"from":"2027-01-01T00:00:00Z","until":"2027-01-01T00:02:00Z","entries":2,"peak":1,"outcomes":{"succeeded":1,"overlapped":1}}

        """)
  }

  @Test func `dry-run reports a full disk, and is silent when its reader has gone`() throws {
    let workshop = try Workshop()
    let path = try workshop.configure(Self.jobs)
    func shell(_ script: String) throws -> FinishedProgram {
      try StartedProgram.run([
        "/bin/sh", "-c", "dry_run() { \"$0\" dry-run --config \"$1\" --for 30d \"$2\"; }; \(script)",
        BuiltProgram.control, path, "--json",
      ])
    }
    let full = try shell("dry_run \"$@\" >/dev/full")
    #expect(full.end == .exited(74) && full.errors.contains("no space left on device"), "\(full)")
    // A shell that ignores SIGPIPE passes this on to its children.
    let gone = try shell("trap '' PIPE; dry_run \"$@\" | head -n 1")
    #expect(gone.output.split(separator: "\n").count == 1 && gone.errors.isEmpty, "\(gone)")
  }

  @Test func `dry-run in JSON prints one object for each entry, also of a busy job if the job is named`()
    throws
  {
    let workshop = try Workshop()
    #expect(
      try Self.dryRun(workshop, "--for", "70s", "--json", "long").output == """
        {"job":"long","entry":"2027-01-01T00:00:00Z","start":"2027-01-01T00:00:00Z","end":"2027-01-01T00:01:30Z","outcome":"succeeded"}
        {"job":"long","entry":"2027-01-01T00:01:00Z","outcome":"overlapped"}

        """)
    #expect(
      try Self.dryRun(workshop, "--until", "2027-01-01T00:00:00.5Z", "--json", "busy").output == """
        {"job":"busy","entry":"2027-01-01T00:00:00Z","start":"2027-01-01T00:00:00Z","end":"2027-01-01T00:00:00Z","outcome":"succeeded"}
        {"job":"busy","entry":"2027-01-01T00:00:00.25Z","start":"2027-01-01T00:00:00.25Z","end":"2027-01-01T00:00:00.25Z","outcome":"succeeded"}

        """)
    for line in try Self.dryRun(workshop, "--for", "5m", "--json").output.split(separator: "\n") {
      #expect(throws: Never.self) { try JSONSerialization.jsonObject(with: Data(line.utf8)) }
    }
  }

  @Test func `dry-run in low frequency leaves animations out`() throws {
    let result = try Self.dryRun(try Workshop(), "--for", "2m", "--mode", "low-frequency", "--json")
    let loops = result.output.split(separator: "\n").filter { $0.contains("\"loop\"") }
    #expect(result.end == .exited(0) && loops.count == 1 && loops[0].contains("\"low-frequency\""))
    #expect(result.output.contains("\"long\""))
  }

  @Test(arguments: [
    (["low-frequency@2027-01-01T00:01:00Z"], "succeeded succeeded low-frequency"),
    (["normal@2027-01-01T00:00:30Z", "low-frequency"], "low-frequency succeeded succeeded succeeded"),
    (["low-frequency@2027-01-01T00:00:00Z"], "low-frequency 3 entries since 2027-01-01 00:00:00 UTC"),
  ])
  func `dry-run changes the mode as its options state`(modes: [String], outcomes: String) throws {
    let workshop = try Workshop()
    let path = try workshop.configure(Self.jobs)
    let result = try StartedProgram.run(
      [BuiltProgram.control, "dry-run", "-c", path, "--from", "2027-01-01T00:00:00Z", "--for", "2m", "loop"]
        + modes.flatMap { ["--mode", $0] })
    #expect(
      result.output.split(separator: "\n").dropFirst().map { row in
        row.split(separator: " ").drop { Outcome(rawValue: String($0)) == nil }.joined(separator: " ")
      }.joined(separator: " ") == outcomes, "\(result)")
  }

  @Test func `dry-run at a speed gives the same rows and ends`() throws {
    let workshop = try Workshop()
    let fast = try Self.dryRun(workshop, "--for", "2m", "--json")
    let paced = try Self.dryRun(workshop, "--for", "2m", "--json", "--speed", "1000")
    #expect(paced.end == .exited(0))
    #expect(paced.output == fast.output && paced.errors == fast.errors)
  }

  @Test(arguments: [
    (["--for", "0s"], "--for 0s"), (["--for", "soon"], "--for soon"),
    (["--until", "someday"], "--until someday"),
    (["--until", "2026-12-31T00:00:00Z"], "is not after --from"),
    (["--for", "1m", "--until", "2027-01-01T00:01:00Z"], "give one of them"),
    (["--speed", "0"], "expected a speed above 0"), (["--speed", "fast"], "--speed fast: expected a speed"),
    (["--mode", "slow"], "normal or low-frequency"), (["--mode", "normal@noon"], "--mode normal@noon"),
    (["--mode", "normal", "--mode", "low-frequency"], "a second initial mode"),
    (["--mode", "normal@2027-01-02T00:00:00Z"], "is not between"),
    (["--for", "1m", "nobody"], "there is no job nobody"),
  ])
  func `dry-run refuses invalid arguments`(words: [String], part: String) throws {
    let workshop = try Workshop()
    let path = try workshop.configure(Self.jobs)
    let result = try StartedProgram.run(
      [BuiltProgram.control, "dry-run", "--config", path, "--from", "2027-01-01T00:00:00Z"] + words)
    #expect(result.end == .exited(64) && result.output.isEmpty)
    #expect(result.errors.contains(part), "\(result.errors)")
  }

  @Test func `next shows a job's next entries`() throws {
    let workshop = try Workshop()
    let path = try workshop.configure(Self.jobs)
    let result = try `timelinectl without a daemon`.run(
      "next", "-c", path, "-n", "3", "--from", "2027-01-01T00:00:30Z", "long")
    let lines = result.output.split(separator: "\n")
    #expect(result.end == .exited(0) && lines.count == 4, "\(result)")
    #expect(lines.first == "every 1m from 2027-01-01T00:00:00Z")
    for (line, time) in zip(lines.dropFirst(), ["00:01:00", "00:02:00", "00:03:00"]) {
      #expect(line.hasPrefix("2027-01-01 \(time) UTC  "), "\(line)")
    }
    let json = try `timelinectl without a daemon`.run(
      "next", "-c", path, "--from", "2027-01-01T00:00:00Z", "--json", "once")
    #expect(json.output == "{\"job\":\"once\",\"entry\":\"2027-01-01T00:01:30.5Z\"}\n")
    let over = try `timelinectl without a daemon`.run(
      "next", "-c", path, "--from", "2028-01-01T00:00:00Z", "once")
    #expect(over.output.hasSuffix("\nno further entry\n"), "\(over)")
    let atStart = try workshop.write(
      "[job.a]\nplugin = \"log\"\nschedule = { cron = \"@reboot\" }\nwith = { message = \"a\" }\n",
      to: "start.toml")
    let start = try `timelinectl without a daemon`.run("next", "-c", atStart, "a")
    #expect(
      start.output == "at the start of the machine\nnext: at the next start of the machine\n", "\(start)")
    for words in [["-n", "0", "long"], ["-n", "10001", "long"], ["lnog"]] {
      #expect(try StartedProgram.run([BuiltProgram.control, "next", "-c", path] + words).end == .exited(64))
    }
  }
}
