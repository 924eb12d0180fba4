import ArgumentParser
import TimelineCore
import TimelineSystem
import TimelineTrial
import TimelineWire

extension PluginCommand {
  /// `timelinectl plugin test`: one call of a plugin in a plugin host, with a test context.
  struct Test: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "test", abstract: "Call a plugin once in a plugin host, and show what it answers.",
      discussion:
        "The plugin does its real work. Instants are those that are given; nothing waits for them. Exits 0 if the run ended as expected, else 1."
    )

    @OptionGroup var plugin: TriedPlugin
    @OptionGroup var context: RunContextOptions

    @Option(
      parsing: .unconditional,
      help: ArgumentHelp("Ask the run to stop this long after its start.", valueName: "duration"),
      transform: { try Words.length($0) })
    var cancelAfter: ElapsedTime?

    @Option(
      help: ArgumentHelp(
        "The status that makes the exit status 0: ok, failed, retry or cancelled. Default: ok.",
        valueName: "status"),
      transform: { text in
        guard let status = RunStatus.allCases.first(where: { $0.word == text }) else {
          throw ValidationError("expected ok, failed, retry or cancelled")
        }
        return status
      })
    var expect = RunStatus.succeeded

    @OptionGroup var output: OutputOptions

    func run() throws {
      let path = try plugin.path()
      let (job, request) = (try context.jobName(), try context.request())
      let report = TrialReport(prints: !output.json)
      do {
        let load = try LoadRequest(path: path, user: plugin.user)
        let open = try OpenRequest(job: job, parameters: plugin.parameters, isRehearsal: context.rehearsal)
        try call(load, open, request, report)
      } catch let error as WireError {
        throw fail("error: \(path): \(error)")
      } catch let refusal as Refusal {
        try tell("\(refusal)", report)
        throw fail("error: \(refusal)")
      } catch let fault as TrialHost.Fault {
        try tell("\(fault)", report)
        throw fail("error: \(path): \(fault)")
      }
      try Output.print(output.json ? jsonLine(report.content) : report.closingText)
      guard report.content.status == expect.word else { throw ExitCode(ExitStatus.negative.rawValue) }
    }

    /// Prints the object for a call that has no answer.
    private func tell(_ failure: String, _ report: TrialReport) throws {
      report.end(failure: failure)
      if output.json { try Output.print(jsonLine(report.content)) }
    }

    private func call(
      _ load: LoadRequest, _ open: OpenRequest, _ request: RunRequest, _ report: TrialReport
    ) throws {
      let limit = plugin.callTimeout
      let host = try TrialHost(path: plugin.hostPath)
      host.listener = { report.take($0) }
      if case .failure(let refusal) = try host.load(load, within: limit) { throw refusal }
      if let failure = try host.open(open, within: limit) { return report.end(failure) }
      let stop = cancelAfter.map { TrialHost.Cancellation(after: $0, grace: plugin.grace) }
      report.end(try host.run(request, within: limit, stopping: stop))
      try host.close(within: limit)
      let end = host.exit()
      guard end == .exited(0) else { throw TrialHost.Fault.ended(end, exitCall: nil) }
    }
  }
}
