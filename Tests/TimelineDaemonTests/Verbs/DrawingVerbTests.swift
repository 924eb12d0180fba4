import Foundation
import Testing
import TimelineSystem
import TimelineTestSupport

@Suite struct `Drawings of timelinectl` {
  private static let window = ["--from", "2027-03-28T00:00:00Z", "--for", "3h"]

  private func configured() throws -> (workshop: Workshop, file: String) {
    let workshop = try Workshop()
    let file = try workshop.configure(
      "[job.tick]\nplugin = \"log\"\nschedule = \"every-minute\"\nwith = { message = \"x\" }")
    return (workshop, file)
  }

  /// Runs the program while the workshop is there.
  private func run(_ words: [String], in workshop: Workshop? = nil) throws -> FinishedProgram {
    try withExtendedLifetime(workshop) { try StartedProgram.run([BuiltProgram.control] + words) }
  }

  private func contents(_ path: String) -> String {
    FileManager.default.contents(atPath: path).map { String(decoding: $0, as: UTF8.self) } ?? ""
  }

  @Test func `go to files, or to standard output, with the summary on standard error`() throws {
    let (workshop, file) = try configured()
    let (svg, html) = (workshop.path + "/a.svg", workshop.path + "/a.html")
    let both = try run(["dry-run", "-c", file, "--svg", svg, "--html", html] + Self.window, in: workshop)
    #expect(both.end == .exited(0) && both.output.isEmpty, "\(both)")
    #expect(both.errors.hasPrefix("From 2027-03-28 00:00:00 UTC until "), "\(both)")
    #expect(both.errors.hasSuffix("all       180     1  succeeded 180\n"), "\(both)")
    #expect(contents(html).contains("<h3>tick<small>180 runs</small></h3>"))
    #expect(contents(svg).contains("timelinectl dry-run -c \(file) --svg \(svg) --html \(html) --from "))
    let piped = try run(["dry-run", "-c", file, "--svg", "-"] + Self.window, in: workshop)
    #expect(piped.end == .exited(0) && piped.errors == both.errors)
    // Only the command at the end differs.
    let lines = (contents(svg).split(separator: "\n"), piped.output.split(separator: "\n"))
    #expect(lines.0.count == lines.1.count && lines.0.dropLast(2) == lines.1.dropLast(2))
  }

  @Test func `show only the jobs that are named`() throws {
    let (workshop, file) = try configured()
    let none = try run(
      ["dry-run", "-c", file, "--html", "-", "tick", "--zone", "Europe/Berlin"] + Self.window, in: workshop)
    #expect(none.output.contains("CET → CEST, +1h") && none.output.contains("1 job, 180 entries"), "\(none)")
    let wrong = try run(["dry-run", "-c", file, "--svg", "-", "tock"] + Self.window, in: workshop)
    #expect(wrong.end == .exited(64) && wrong.output.isEmpty && wrong.errors.contains("there is no job tock"))
  }

  @Test(arguments: [
    (
      ["--svg", "a", "--json"],
      "--svg draws the rows and --json is about printing them; leave out one of the two"
    ),
    (
      ["--html", "a", "--summary"],
      "--html draws the rows and --summary is about printing them; leave out one of the two"
    ),
    (
      ["--svg", "a", "--speed", "60"],
      "--svg draws the rows and --speed 60 is about printing them; leave out one of the two"
    ),
    (
      ["--svg", "-", "--html", "-"],
      "--svg - and --html - both mean standard output; write one of them to a file"
    ),
    (["--svg", "a", "--html", "a"], "--svg and --html both name a; give each a file of its own"),
  ])
  func `refuse contradictory options`(words: [String], said: String) throws {
    let result = try run(["dry-run", "-c", "absent.toml"] + words)
    #expect(result.end == .exited(64) && result.output.isEmpty, "\(result)")
    #expect(result.errors.hasPrefix("timelinectl: error: \(said)\n"), "\(result)")
  }

  @Test(arguments: [
    ("/dev/full", "no space left on device: a file system or a kernel limit is full; make room"),
    ("/nowhere/a.svg", "no such file or directory"),
  ])
  func `that cannot be written fail with 74`(path: String, reason: String) throws {
    let (workshop, file) = try configured()
    let result = try run(["dry-run", "-c", file, "--svg", path] + Self.window, in: workshop)
    #expect(result.end == .exited(74) && result.output.isEmpty, "\(result)")
    #expect(result.errors == "timelinectl: error: \(path): \(reason)\n", "\(result)")
  }

  @Test func `leave the former file unchanged when the new one cannot be written`() throws {
    let (workshop, file) = try configured()
    let path = try workshop.write("old", to: "drawings/a.svg")
    // A file may have one block: 512 bytes in some shells, 1,024 in others.
    let script = "trap '' XFSZ; ulimit -f 1; exec \"$0\" \"$@\""
    let words = [BuiltProgram.control, "dry-run", "-c", file, "--svg", path] + Self.window
    let result = try StartedProgram.run(["/bin/sh", "-c", script] + words)
    #expect(result.end == .exited(74), "\(result)")
    #expect(result.errors == "timelinectl: error: \(path): file too large\n", "\(result)")
    #expect(contents(path) == "old")
    #expect(try FileManager.default.contentsOfDirectory(atPath: workshop.path + "/drawings") == ["a.svg"])
  }

  @Test func `have a counterpart, which is a plan in Markdown`() throws {
    let (workshop, file) = try configured()
    let new = try workshop.write(
      contents(file).replacingOccurrences(of: "\"every-minute\"", with: "{ periodic = { by = \"30s\" } }"),
      to: "new.toml")
    let window = ["--from", "2027-03-28T00:00:00Z", "--for", "2m"]
    let plan = try run(["plan", file, new, "--markdown"] + window)
    #expect(plan.end == .exited(1) && plan.errors.isEmpty, "\(plan)")
    #expect(
      plan.output == """
        ### Plan: `\(file)` → `\(new)`

        1 of 1 jobs change in the 2m from 2027-03-28 00:00:00 UTC; entries: 2 added.

        | job | change | added | removed | moved | newly overlapping | ending otherwise | starts moved |
        |---|---|--:|--:|--:|--:|--:|--:|
        | `tick` | changed | 2 | – | – | – | – | – |

        | job | entry | before | after |
        |---|---|---|---|
        | `tick` | added | – | 2027-03-28 00:00:30 UTC |
        | `tick` | added | – | 2027-03-28 00:01:30 UTC |

        """)
    let later = try workshop.write(
      contents(file).replacingOccurrences(
        of: "\"every-minute\"", with: "{ every-minute = true, accuracy = \"7s\" }"), to: "later.toml")
    let starts = try run(["plan", file, later, "--json"] + window)
    #expect(starts.end == .exited(1), "\(starts)")
    #expect(
      starts.output.contains(
        #""startsMoved":2"#) && starts.output.contains(#""startsMovedBy":"6s""#), "\(starts)")
    #expect(
      starts.output.contains(
        #""entry":"2027-03-28T00:00:00Z""#) && starts.output.contains(#""after":"2027-03-28T00:00:03Z""#),
      "\(starts)")
    let both = try run(["plan", file, new, "--markdown", "--json"] + window)
    #expect(
      both.end == .exited(64) && both.errors.contains("--markdown is for people and --json for programs"))
  }
}
