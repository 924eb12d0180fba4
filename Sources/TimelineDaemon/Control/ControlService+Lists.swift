import TimelineControl
import TimelineLedger

// Answers whose length grows with the configuration or the history.
extension ControlService {
  func list(_ call: VarlinkCall, _ connection: ControlConnection) throws {
    let (daemon, jobs) = (daemon, daemon.jobs.all)
    guard call.wantsMore || jobs.count <= ControlLimits.listMax else {
      throw ControlError.replyTooLong(method: call.method)
    }
    PagedReply(to: call, on: connection, of: daemon, count: jobs.count) { range in
      ListReply(jobs: daemon.answers.reports(of: jobs[range]))
    }.begin()
  }

  func metrics(_ call: VarlinkCall, _ connection: ControlConnection) throws {
    let (daemon, jobs) = (daemon, daemon.jobs.all)
    guard call.wantsMore || jobs.count <= ControlLimits.listMax else {
      throw ControlError.replyTooLong(method: call.method)
    }
    PagedReply(to: call, on: connection, of: daemon, count: jobs.count) { range in
      MetricsReply(daemon: daemon.answers.metrics, jobs: daemon.answers.metrics(of: jobs[range]))
    }.begin()
  }

  func history(_ parameters: HistoryParameters, _ call: VarlinkCall, _ connection: ControlConnection) throws {
    let (daemon, history) = (daemon, try daemon.answers.history(parameters))
    PagedReply(to: call, on: connection, of: daemon, count: history.entries.count) { range in
      var reply = HistoryReply(
        entries: history.entries[range].map(HistoryEntry.init), isCut: history.isCut,
        isCounted: history.isCounted, zone: history.zone)
      reply.zones = daemon.answers.zoneNames(of: reply.entries.lazy.map(\.job))
      return reply
    }.begin()
  }
}
