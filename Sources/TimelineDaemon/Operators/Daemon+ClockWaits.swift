import TimelineConfiguration
import TimelineControl
import TimelineCore
import TimelineEngine
import TimelineLedger
import TimelineSystem

// Jobs that start nothing because the clock was set back to before entries that are already decided.
extension Daemon {
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
      events.post(.release(job))
    }
    let next = engine.status(of: job, at: now)?.next
    return ReleaseReply(
      job: job.text, waitedUntil: isWaiting ? former?.next : nil, next: next, forgottenCount: forgotten)
  }
}
