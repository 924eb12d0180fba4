import ArgumentParser
import TimelineControl
import TimelineCore
import TimelineSystem

/// `timelinectl release`: releases a job that waits because the clock was set back.
struct ReleaseCommand: DaemonVerb {
  static let configuration = CommandConfiguration(
    commandName: "release",
    abstract: "Let a job go on that waits because the clock was set back.",
    discussion: """
      After the clock was set back, entries that were decided while it was ahead are not run again, so that a job may wait for \
      long; status and list say which do. Release makes their times count again: each such entry is run once more when its time \
      comes, with the same run key, and its former row is dropped from the history.
      Exits 0 when the job does not wait any more, also when it did not before; 1 when there is no such job.
      """)

  @ParentCommand var root: Timelinectl
  @OptionGroup var daemon: DaemonConnection
  @OptionGroup var output: OutputOptions

  @Argument(help: "The job.", completion: .jobsWaitingForClock)
  var job: String

  func run() throws {
    if output.json { return try Output.print(jsonLine(call(Control.Release(job: job)))) }
    let zone = try ShownZones(utc: false, zone: nil).zone(named: call(Control.List()).zone(of: job))
    try Output.print(text(of: call(Control.Release(job: job)), in: zone))
  }

  private func text(of reply: ReleaseReply, in zone: Zone) -> String {
    let next = reply.next.map { "; next: \(Words.text($0.instant, in: zone))" } ?? ""
    guard let until = reply.waitedUntil else { return "\(reply.job): did not wait for the clock\(next)\n" }
    return "\(reply.job): released; it waited until \(Words.text(until.instant, in: zone))\(next)\n"
  }
}
