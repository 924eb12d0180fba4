import ArgumentParser
import TimelineCore
import TimelineSystem
import TimelineTrial
import TimelineWire

extension PluginCommand {
  /// `timelinectl plugin conformance`: checks the requirements of the header for every plugin.
  struct Conformance: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "conformance", abstract: "Check what timelined expects of every plugin.",
      discussion:
        "One line for each check. The plugin does its real work, many times. Exits 1 if a check fails."
    )

    @OptionGroup var plugin: TriedPlugin

    @Option(
      help: ArgumentHelp(
        "The parameters of a run that lasts until it is asked to stop. Default: those of --with.",
        valueName: "JSON"))
    var cancelWith: String?

    @Option(
      help: ArgumentHelp(
        "The number of runs after which nothing may have grown, 50 to 100000.", valueName: "number"))
    var runs = 1_000

    @OptionGroup var output: OutputOptions

    /// A finding as JSON.
    private struct Line: Encodable {
      var check: String
      var verdict: String
      var sentence: String
      var text: String
    }

    func validate() throws {
      if let cancelWith { try TriedPlugin.requireObject(cancelWith, option: "--cancel-with") }
      guard (50...100_000).contains(runs) else {
        throw ValidationError("--runs \(runs): expected a number from 50 to 100000")
      }
    }

    func run() throws {
      let path = try plugin.path()
      let findings: [ConformanceFinding]
      do {
        guard let job = JobName("conformance") else { throw ExitCode(ExitStatus.usage.rawValue) }
        let setup = ConformanceSuite.Setup(
          hostPath: plugin.hostPath, load: try LoadRequest(path: path, user: plugin.user),
          parameters: plugin.parameters, cancelParameters: cancelWith ?? plugin.parameters, runs: runs,
          limit: plugin.callTimeout, grace: plugin.grace)
        var suite = ConformanceSuite(setup, job: job)
        findings = try suite.run()
      } catch let error as WireError {
        throw fail("error: \(path): \(error)")
      } catch let fault as TrialHost.Fault {
        throw fail("error: \(path): \(fault)")
      }
      try Output.print(
        output.json ? findings.map { try jsonLine(Self.line($0)) }.joined() : Self.text(findings))
      let failed = findings.count { $0.verdict == .failed }
      guard failed == 0 else {
        throw fail("error: \(path): \(failed == 1 ? "1 check" : "\(failed) checks") failed")
      }
    }

    private static func line(_ finding: ConformanceFinding) -> Line {
      Line(
        check: finding.check.rawValue, verdict: finding.verdict.rawValue, sentence: finding.check.sentence,
        text: finding.text)
    }

    private static func text(_ findings: [ConformanceFinding]) -> String {
      var table = TextTable([("CHECK", .left), ("VERDICT", .left), ("FOUND", .left)])
      for finding in findings {
        let isGood = finding.verdict == .passed && finding.text.isEmpty
        let text =
          finding.verdict == .failed ? "\(finding.text); expected: \(finding.check.sentence)" : finding.text
        table.add([finding.check.rawValue, finding.verdict.rawValue, isGood ? "-" : text.printable])
      }
      return table.text
    }
  }
}
