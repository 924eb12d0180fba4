import TimelineConfiguration
import TimelineControl
import TimelineCore
import TimelineEngine
import TimelineLedger
import TimelineSystem

// Jobs that start nothing because the clock was set back to before entries that are already decided.
extension Daemon {
  /// Largest number of these jobs in the log and in a status: few beside 100,000 jobs.
  static let clockWaitsMax = 20

  /// Logs a warning about the jobs that wait until the clock has passed their decided entries.
  func tellOfClockWaits() {
    let now = now
    // Shorter waits, after a small correction of the clock, are not reported.
    let waiting = ask { $0.waitingForClock(at: now) }.filter { $0.nominal - now >= .seconds(1) }
    for entry in waiting.prefix(Self.clockWaitsMax) {
      let zone = jobs[entry.job]?.job.zone ?? settings.zone
      announcer.announce(
        .warning,
        "\(entry.job): waits until \(entry.nominal.text(in: zone)): its entries before that were decided while the clock was ahead: `timelinectl release \(entry.job)` runs them again"
      )
    }
    let more = waiting.count - Self.clockWaitsMax
    if more > 0 {
      announcer.announce(
        .warning,
        "\(more) more jobs wait until the clock has passed what they decided: `timelinectl list` shows when")
    }
  }

  /// Releases a job whose entries were decided while the clock was ahead; must not be called from within an effect.
  func release(_ text: String, by: Operator) throws(ControlError) -> ReleaseReply {
    let configured = try ownRow(named: text).job
    let job = configured.name
    let former = engine.status(of: job, at: now)
    let isWaiting = former?.settledThrough != nil
    var forgotten = 0
    if isWaiting {
      announce(
        .release, on: job, by: by,
        details: "; entries that were decided while the clock was ahead are run again")
      file(.release, on: job, by: by)
      forgotten = writer.release(job, configured.definition.schedule, at: now)
      post(.release(job))
    }
    let next = engine.status(of: job, at: now)?.next
    return ReleaseReply(
      job: job.text, waitedUntil: isWaiting ? former?.next : nil, next: next, forgottenCount: forgotten)
  }
}
