import TimelineClient
import TimelineControl
import TimelineCore
import TimelineRehearsal
import TimelineSystem
import TimelineTerminal

extension DaemonSnapshot {
  /// Makes the daemon's current snapshot, with its future.
  init(_ status: StatusReply, _ jobs: [JobReport], _ future: FutureEntries, _ zones: ShownZones) {
    let shown = jobs.compactMap { report in
      JobName(report.name).map { name in
        var job = ViewJob(name: name, report, in: zones)
        job.policies = future.policies(of: name)
        return job
      }
    }
    self.init(
      jobs: shown, now: status.now.instant, speed: status.speed, zone: zones.zone(named: status.zone),
      future: future.ofView, simulated: shown.map { future.places[$0.name] },
      futureSource: future.source)
    usualLength = future.usualLength
  }
}

extension ViewJob {
  /// Makes the job from the daemon's report.
  fileprivate init(name: JobName, _ report: JobReport, in zones: ShownZones) {
    let zone = zones.zone(named: report.zone)
    self.init(name: name, zone: zone, schedule: report.schedule.printable)
    pause = report.pausedSince.map { since in
      "since \(Words.text(since.instant, in: zone))\(Words.origin(report.pausedBy, report.pauseReason))"
    }
    next = report.next?.instant
  }
}

extension FutureEntries {
  /// The future for a view; `nil` if the configuration cannot be read.
  fileprivate var ofView: DaemonSnapshot.Future? {
    guard let plan, let simulation else { return nil }
    return DaemonSnapshot.Future(plan: plan, paused: paused, simulation: simulation)
  }
}
