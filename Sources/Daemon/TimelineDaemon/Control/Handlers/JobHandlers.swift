import TimelineControl
import TimelineCore
import TimelineLedger
import TimelineSystem

// Calls that show or change jobs.
extension ControlHandlers {
  mutating func addQuestions() {
    on(Control.List.self) { call in
      let (daemon, jobs) = (call.daemon, call.daemon.jobs.all)
      try call.refuseOneReply(of: jobs.count)
      call.replyInPages(of: jobs.count) { range in
        var reports = daemon.answers.reports(of: jobs[range])
        daemon.backfills.addProgress(to: &reports)
        return ListReply(jobs: reports)
      }
    }
    answer(Control.Why.self) { call in
      let why = call.parameters
      return try call.daemon.answers.why(job: why.job, moment: why.moment, shownIn: why.zone)
    }
    answer(Control.Gaps.self) { try $0.daemon.answers.gaps($0.parameters) }
    answer(Control.Next.self) { try $0.daemon.answers.next($0.parameters) }
    answer(Control.Explain.self) { try $0.daemon.answers.explain($0.parameters) }
    on(Control.History.self) { call in
      let (daemon, history) = (call.daemon, try call.daemon.answers.history(call.parameters))
      call.replyInPages(of: history.entries.count) { range in
        var reply = HistoryReply(
          entries: history.entries[range].map(EntryReport.init), isCut: history.isCut,
          isCounted: history.isCounted, zone: history.zone)
        reply.zones = daemon.answers.zoneNames(of: reply.entries.lazy.map(\.job))
        return reply
      }
    }
  }

  mutating func addChangesOfJobs() {
    answer(Control.Pause.self) { call in
      let reason = (call.parameters.reason ?? "").printable
      return try call.daemon.operators.pause(call.parameters.jobs, by: try call.caller, reason: reason)
    }
    answer(Control.Resume.self) { call in
      try call.daemon.operators.resume(call.parameters.job, call.parameters.choice, by: try call.caller)
    }
    answer(Control.Release.self) { try $0.daemon.operators.release($0.parameters.job, by: try $0.caller) }
  }
}

extension ReceivedCall {
  /// Throws an error if `count` jobs are too many for one reply, and the client does not accept more replies.
  func refuseOneReply(of count: Int) throws(ControlError) {
    guard wantsMore || count <= ControlLimits.listMax else { throw .replyTooLong(method: call.method) }
  }
}
