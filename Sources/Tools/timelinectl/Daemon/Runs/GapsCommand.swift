import ArgumentParser
import TimelineControl
import TimelineCore
import TimelineSystem

/// `timelinectl gaps`: entries without a success.
struct GapsCommand: DaemonVerb {
  static let configuration = CommandConfiguration(
    commandName: "gaps",
    abstract: "Show the entries of a job's schedule without a success.",
    discussion: """
      An entry with a rerun that has succeeded is no gap, nor is one that is still to be decided. Entries without a record \
      are counted. In a cluster it is this node's ledger that is asked.
      A moment is \(Moment.forms), in quotes if it has several words; without a zone it is meant in the job's.
      Exits 0 when the ledger was asked, whatever it has; 1 when there is no such job or a moment cannot be read; \
      69 when the daemon does not answer.
      """)

  @ParentCommand var root: Timelinectl
  @OptionGroup var daemon: DaemonConnection
  @OptionGroup var shown: ZoneOptions
  @OptionGroup var output: OutputOptions

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "From this moment on, at most \(ControlLimits.gapDaysMax) days before the end. Default: \(ControlLimits.gapDaysDefault) days before it.",
      valueName: "time"))
  var from: String?

  @Option(
    parsing: .unconditional, help: ArgumentHelp("Before this moment. Default: now.", valueName: "time"))
  var until: String?

  @Option(
    name: .short, parsing: .unconditional,
    help: ArgumentHelp("How many of the first gaps, at most 1,000.", valueName: "count"))
  var n = ControlLimits.gapsMax

  @Argument(help: "The job.", completion: .jobs)
  var job: String

  func validate() throws {
    let bound = ControlLimits.gapsMax
    guard (1...bound).contains(n) else {
      throw ValidationError(
        "-n \(n): expected a number from 1 to \(bound); --from and --until narrow the search")
    }
  }

  func run() throws {
    let zones = try shown.shown()
    let reply = try call { client in try search(client) }
    if output.json { return try Output.print(jsonLine(reply)) }
    let zone = zones.zone(named: reply.zone)
    if !reply.entries.isEmpty { try Output.print(table(of: reply, in: zone)) }
    CurrentProcess.printError(notes(on: reply, in: zone))
  }

  /// Asks for parts of the stretch, one after the other, until the gaps are enough.
  private func search(_ client: ControlClient) throws -> GapsReply {
    var whole = try client.call(Control.Gaps(job: job, from: from, until: until, limit: n))
    while whole.isCut, whole.entries.count < n {
      let part = try client.call(
        Control.Gaps(
          job: job, from: "\(whole.until.instant)", until: until, limit: n - whole.entries.count))
      whole.entries += part.entries
      whole.unknownCount += part.unknownCount
      (whole.until, whole.isCut) = (part.until, part.isCut)
    }
    return whole
  }

  private func table(of reply: GapsReply, in zone: Zone) -> String {
    var table = TextTable([
      ("ENTRY", .left), ("ENTRIES", .right), ("ENDED", .left), ("RUN", .right), ("REASON", .left),
    ])
    for entry in reply.entries {
      let first = entry.firstEntry.map { Words.text($0.instant, in: zone) + " to " } ?? ""
      table.add(
        [
          first + Words.text(entry.entry.instant, in: zone), "\(entry.entryCount)", entry.outcome ?? "-",
          entry.run.map { "\($0)" } ?? "-", entry.reason,
        ], colors: [2: Color(outcome: entry.outcome)])
    }
    return table.text
  }

  /// Lines for standard error: what is not in the table.
  private func notes(on reply: GapsReply, in zone: Zone) -> String {
    var text = ""
    if reply.entries.isEmpty { text += "no gaps\n" }
    if reply.unknownCount > 0 {
      let words = reply.unknownCount == 1 ? "1 entry has" : "\(reply.unknownCount) entries have"
      text += "\(words) no record\n"
    }
    if reply.isCut {
      text += "there may be later ones; --from \"\(reply.until.instant)\" shows them\n"
    }
    return text
  }
}
