import TimelineConfiguration
import TimelineControl
import TimelineCore

// Answers about the schedule of a configured job.
extension Answers {
  /// Returns the next entries of a job.
  func next(_ parameters: Control.Next) throws(ControlError) -> NextReply {
    let job = try row(named: parameters.job).job
    var entries: [WallInstant] = []
    var instant = parameters.from?.instant ?? now
    let limit = parameters.limit ?? ControlLimits.nextMax
    while entries.count < limit,
      let next = job.schedule.next(after: instant)
    {
      entries.append(next)
      instant = next
    }
    return NextReply(
      job: job.name.text, zone: job.zone.name, schedule: job.schedule.description, now: now, entries: entries,
      withoutNext: entries.count < limit ? job.schedule.occasion : nil)
  }

  /// Returns the schedule of a job in words.
  func explain(_ parameters: Control.Explain) throws(ControlError) -> ExplainReply {
    let job = try row(named: parameters.job).job
    let start = parameters.from?.instant ?? now
    return ExplainReply(
      job: job.name.text, zone: job.zone,
      job.schedule, from: start, years: parameters.years ?? 2)
  }
}
