import Foundation
import Glibc
import Testing
import TimelineCore
import TimelineSystem
import TimelineTestSupport

/// Findings of `timelinectl check`, which are those of a daemon.
@Suite struct `timelinectl check` {
  private static func check(_ workshop: Workshop, _ path: String, _ words: String...) throws
    -> FinishedProgram
  {
    try StartedProgram.run([BuiltProgram.control, "check", path, "--plugins", workshop.path] + words)
  }

  /// A workshop with one plugin that loads.
  private static func workshop() throws -> Workshop {
    let workshop = try Workshop()
    try workshop.compileGate()
    return workshop
  }

  private static func job(_ name: String, _ more: String = "") -> String {
    "[job.\(name)]\nplugin = \"gate\"\nschedule = \(never)\n\(more)\n"
  }

  // MARK: expectations

  @Test func `counts proven expectations, and lists the others as undecided`() throws {
    let workshop = try Self.workshop()
    let loop = "[job.loop]\nplugin = \"gate\"\nschedule = { animation = {} }\n"
    func expectation(_ job: String, _ property: String) -> String {
      "[[expect-schedule]]\njob = \"\(job)\"\n\(property)\nover = \"1d\"\n"
    }
    let proven = expectation("rare", "min-gap = \"1h\"")
    let untold = expectation("loop", "min-gap = \"1h\"")
    for (expectations, summary) in [
      (proven, ", 1 expectation held"), (proven + proven, ", 2 expectations held"),
      (untold, ", 0 of 1 expectations held, 1 undecided"),
      (proven + untold, ", 1 of 2 expectations held, 1 undecided"),
    ] {
      let path = try workshop.configure(Self.job("rare") + loop + expectations)
      let checked = try Self.check(workshop, path)
      #expect(checked.end == .exited(0), "\(checked)")
      #expect(checked.output == "\(path): 2 jobs\(summary), no errors\n", "\(checked)")
      #expect(checked.errors.contains("undecided") == summary.contains("undecided"), "\(checked)")
    }
  }

  // MARK: missing users, directories and files

  @Test(.enabled(if: isRoot, "only root knows that nobody may"))
  func `reports missing users, directories and files, and all other errors`() throws {
    let workshop = try Self.workshop()
    let path = try workshop.configure(
      Self.job("alone", "user = \"nobody-of-that-name\"")
        + Self.job("astray", "working-directory = \"/no/such/directory\"")
        + Self.job("confused", "working-directory = \"/etc/passwd\"")
        + Self.job("locked", "credentials = { ok = \"/etc/passwd\", key = \"/no/such/key\", dir = \"/etc\" }")
        + Self.job("wordless", "with = { wrod = \"x\" }")
        + Self.job("off", "enabled = false\nuser = \"nobody-of-that-name\"")
        + "[[expect-schedule]]\njob = \"alone\"\nper-day = 1\nover = \"5d\"\n")
    let checked = try Self.check(workshop, path)
    #expect(checked.end == .exited(1) && checked.output.isEmpty, "\(checked)")
    var rest = checked.errors[...]
    for part in [
      "\(path):7:8: error: there is no user \"nobody-of-that-name\"",
      "\(path):11:21: error: there is no directory \"/no/such/directory\"",
      "\(path):15:21: error: \"/etc/passwd\" is no directory",
      "\(path):19:43: error: there is no file /no/such/key",
      "\(path):19:65: error: /etc is not a regular file",
      "\(path):23:10: error: ", "\(path):31:11: error: `alone`", "\(path): 7 errors",
    ] {
      let found = try #require(rest.range(of: part), "\(part) in its place of: \(checked.errors)")
      rest = rest[found.upperBound...]
    }
    #expect(try Self.check(workshop, path, "--skip-plugins").errors.hasSuffix("\(path): 1 error\n"))
  }

  @Test(.enabled(if: isRoot, "only root can look as another user"))
  func `names the directory that the job's user may not enter`() throws {
    let workshop = try Self.workshop()
    #expect(unsafe chmod(workshop.path, 0o755) == 0)
    let (closed, open) = (workshop.path + "/closed", workshop.path + "/open")
    #expect(unsafe mkdir(closed, 0o700) == 0 && mkdir(open, 0o755) == 0)
    func configure(_ directory: String) throws -> String {
      try workshop.configure(Self.job("let-in", "user = \"nobody\"\nworking-directory = \"\(directory)\""))
    }
    let path = try configure(open)
    #expect(try Self.check(workshop, path).output == "\(path): 1 job, no errors\n")
    _ = try configure(closed)
    let refused = try Self.check(workshop, path)
    #expect(refused.end == .exited(1), "\(refused)")
    #expect(refused.errors.contains("\(path):5:10: error: "), "\(refused)")
    #expect(refused.errors.contains("working directory \(closed) cannot be set"), "\(refused)")
  }

  @Test(
    .enabled(
      if: isRoot && canBeNobody, "only root can become another user, who must be able to reach the build"))
  func `warns of paths that the checking user may not read`() throws {
    let workshop = try Self.workshop()
    #expect(unsafe chmod(workshop.path, 0o755) == 0)
    let closed = workshop.path + "/closed"
    #expect(unsafe mkdir(closed, 0o700) == 0)
    let path = try workshop.configure(
      Self.job("alone", "user = \"nobody-of-that-name\"")
        + Self.job(
          "hidden", "working-directory = \"\(closed)/inside\"\ncredentials = { key = \"\(closed)/key\" }"))
    #expect(unsafe chmod(path, 0o644) == 0)
    let member = ["/usr/bin/setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups"]
    let words = member + [BuiltProgram.control, "check", path, "--plugins", workshop.path]
    let checked = try StartedProgram.run(words)
    #expect(checked.end == .exited(0) && checked.output == "\(path): 2 jobs, no errors\n", "\(checked)")
    for part in [
      "\(path):7:8: warning: there is no user \"nobody-of-that-name\"",
      "\(path):11:21: warning: user 65534, who checks, may not look at \"\(closed)/inside\"",
      "\(path):12:23: warning: user 65534, who checks, may not look at \"\(closed)/key\"",
    ] {
      #expect(checked.errors.contains(part), "\(part) in: \(checked.errors)")
    }
    try workshop.configure(Self.job("astray", "working-directory = \"/no/such/directory\""))
    let missing = try StartedProgram.run(words)
    #expect(missing.end == .exited(1), "\(missing)")
    #expect(missing.errors.contains("\(path):7:21: error: there is no directory"), "\(missing)")
  }

  @Test func `reports a missing group, as a reload and a start do`() throws {
    let workshop = try Self.workshop()
    let wrong = Self.job("held") + "[control]\ngroup = \"nobody-of-that-name\"\n"
    let path = try workshop.configure(Self.job("held"))
    let place = "\(path):9:9: error: there is no group \"nobody-of-that-name\""
    let daemon = try DaemonProcess(workshop)
    try daemon.begin()
    try workshop.configure(wrong)
    let reload = try daemon.control("reload")
    #expect(reload.end == .exited(1) && reload.errors.contains(place), "\(reload)")
    #expect(try daemon.stop() == .exited(0))
    let checked = try Self.check(workshop, path)
    #expect(checked.end == .exited(1) && checked.errors.contains(place), "\(checked)")
    #expect(checked.errors.contains("groupadd"), "\(checked)")
    #expect(try Self.check(workshop, path, "--skip-plugins").end == .exited(0))
    let next = try DaemonProcess(workshop)
    #expect(try next.finish() == .exited(78))
    #expect(next.errors.contains(place), "\(next.errors)")
  }

  // MARK: bounds

  @Test func `accepts parameters up to the limit of a run, and no more`() throws {
    let workshop = try Self.workshop()
    let credential = try workshop.write("secret", to: "key")
    let lengthMax = JobLimits.environmentMax / JobLimits.variablesMax - 4
    func configure(wordLength: Int) throws -> String {
      let variables = (0..<JobLimits.variablesMax).map { number in
        "V\(100 + number) = \"\(String(repeating: "v", count: lengthMax))\""
      }
      let credentials = (0..<JobLimits.credentialsMax).map { "c\($0) = \"\(credential)\"" }
      return try workshop.configure(
        Self.job("full", "with = { word = \"\(String(repeating: "w", count: wordLength))\" }")
          + "[job.full.environment]\n" + variables.joined(separator: "\n")
          + "\n[job.full.credentials]\n" + credentials.joined(separator: "\n"))
    }
    // {"word":""} around the word.
    let path = try configure(wordLength: JobLimits.parametersMax - 11)
    #expect(try Self.check(workshop, path).output == "\(path): 1 job, no errors\n")
    let daemon = try DaemonProcess(workshop)
    try daemon.begin()
    let run = try daemon.control("trigger", "full", "--wait")
    #expect(run.end == .exited(0), "\(run)")
    _ = try configure(wordLength: JobLimits.parametersMax - 10)
    let (checked, reload) = (try Self.check(workshop, path), try daemon.control("reload"))
    for refused in [checked, reload] {
      #expect(refused.end == .exited(1), "\(refused)")
      #expect(refused.errors.contains("\(path):7:1: error: `with` has 49153 bytes"), "\(refused)")
    }
    #expect(try daemon.stop() == .exited(0))
  }
}
