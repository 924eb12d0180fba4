import ArgumentParser
import TimelineConfiguration
import TimelineCore
import TimelineImport
import TimelineLoading
import TimelineSystem

/// `timelinectl import`: converts the jobs of cron or systemd, or the events of a calendar.
struct ImportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import",
    abstract: "Turn crontabs, systemd timers or a calendar file into a configuration.",
    discussion: """
      The configuration goes to standard output or a new file, and the report to standard error. With --json the report has every \
      line and goes to standard output. Exits 0 when all lines are carried, with or without a difference, and 1 when one is not. \
      Nothing is changed or run.
      """,
    subcommands: [Crontab.self, Timers.self, Ics.self])
}

/// Options of an import.
struct ImportOptions: ParsableArguments {
  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      "Write the configuration to this file, which must not be there yet.", valueName: "file"),
    completion: .file(extensions: ["toml"]))
  var output: String?

  @Flag(
    help:
      "Print the report, and the proof, as JSON, one object a line; the configuration is the last object, unless --output is given."
  )
  var json = false

  @Flag(help: "Compare the next 1,000 instants of each rule with those of its job.")
  var prove = false

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("With --prove: where to begin (RFC 3339). Default: now.", valueName: "instant"))
  var from: String?

  func validate() throws {
    if from != nil, !prove { throw ValidationError("--from is where the proof begins; give --prove too") }
    if let from { _ = try Words.instant(from, option: "--from") }
  }

  /// The instant of `--from`, or now.
  func start() throws -> WallInstant {
    try from.map { try Words.instant($0, option: "--from") } ?? SystemTime.now()
  }

  /// Writes the imported jobs, and ends the program with status 1 if something could not be imported.
  ///
  /// - Parameter isPrivate: Whether a source is not world-readable. The written file then has mode 0600.
  func conclude(_ file: ImportedFile, _ report: ImportReport, _ rules: [ImportedRule], isPrivate: Bool) throws
  {
    let text = file.text(schema: Self.schemaPath)
    if let output {
      do throws(SystemError) {
        try WholeFile.writeNew(Array(text.utf8), to: output, mode: isPrivate ? 0o600 : 0o666)
      } catch {
        throw fail("timelinectl: error: \(error)", status: .inputOutput)
      }
    }
    let proofs = prove ? try prove(rules, of: text) : []
    if json {
      for line in report.lines { try Output.print(try jsonLine(line)) }
      for proof in proofs { try Output.print(try jsonLine(proof)) }
      if output == nil { try Output.print(try jsonLine(["configuration": text])) }
    } else {
      if output == nil { try Output.print(text) }
      CurrentProcess.printError((report.text + proofs.map(\.text).joined()).printableLines)
    }
    if let conflict = ImportOrigins(of: text).conflict(below: "") {
      CurrentProcess.printError(
        "timelinectl: warning: \(conflict.fact.printable): do not reload timelined before that is stopped: \(conflict.remedy.printable)\n"
      )
    }
    let isRight = proofs.allSatisfy(\.isExplained)
    if !report.isComplete || !isRight { throw ExitCode(ExitStatus.negative.rawValue) }
  }

  private func prove(_ rules: [ImportedRule], of text: String) throws -> [ImportProof] {
    let start = try start()
    let source = ConfigurationSource(path: output ?? "<import>", bytes: Array(text.utf8))
    let configuration: Configuration
    do {
      configuration = try Loader(of: source, installation: Installation()).read(
        refusingForeignWriters: false, refusingUnknownPlugins: false, now: SystemTime.now())
    } catch {
      throw fail(error.text(color: CurrentProcess.errorShowsColors))
    }
    let jobs = Dictionary(
      configuration.jobs.map { ($0.name.text, $0) }, uniquingKeysWith: { first, _ in first })
    return rules.compactMap { rule in
      jobs[rule.job].map { ImportProver(rule: rule, job: $0, start: start).proof() }
    }
  }

  /// The path of the schema that is installed with this program. If it does not exist, the path in the packages.
  private static var schemaPath: String {
    let directory = CurrentProcess.executablePath.parentDirectory.parentDirectory
    let path = directory.appending(fileName: "share/timelined/timelined.schema.json")
    return (try? FileFacts(at: path)) != nil ? path : "/usr/share/timelined/timelined.schema.json"
  }
}

extension String {
  /// The text with control characters replaced, line by line.
  fileprivate var printableLines: String {
    split(separator: "\n", omittingEmptySubsequences: false).map { String($0).printable }.joined(
      separator: "\n")
  }
}
