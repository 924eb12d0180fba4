import ArgumentParser
import TimelineControl
import TimelineMonitoring
import TimelineSystem

// `timelinectl status --exit-code`: a verdict for monitors that run commands.
extension StatusCommand {
  /// Prints the verdict on the daemon, and ends the program with its exit status.
  func judge(in zones: ShownZones) throws {
    let status = try call(Control.Status())
    let metrics = try call(Control.Metrics())
    let zone = zones.zone(named: status.zone)
    let health = Health(status, metrics, isClockSynchronized: SystemTime.isWallClockSynchronized) {
      Words.text($0, in: zone)
    }
    try Output.print(
      output.json ? jsonLine(health) : health.lines.map { $0.printable + "\n" }.joined())
    if !health.isWell { throw ExitCode(ExitStatus.negative.rawValue) }
  }
}
