import TimelineConfiguration
import TimelineControl
import TimelineCore
import TimelineEngine
import TimelineLedger
import TimelineStoreWire

// Calls about the cluster. A call that needs the store is answered after the store's reply.
extension ControlHandlers {
  mutating func addCluster() {
    on(Control.Cluster.self) { try $0.status() }
    on(Control.ClusterHistory.self) { try $0.history() }
    answer(Control.ActivateJobs.self) { call in
      let (daemon, cluster) = (call.daemon, try call.cluster)
      var names: [JobName] = []
      for text in call.parameters.jobs { names.append(try daemon.answers.row(named: text).job.name) }
      let by = try call.caller
      daemon.operators.activate(names, in: cluster, by: by)
      return ClusterReply(state: cluster.state)
    }
    on(Control.LeaveCluster.self) { call in
      let cluster = try call.cluster
      try call.note()
      cluster.leave { call.reply(ClusterReply(state: cluster.state)) }
    }
  }
}

extension ReceivedCall {
  fileprivate var cluster: ClusterMember {
    get throws(ControlError) {
      guard let cluster = daemon.cluster else { throw .noCluster }
      return cluster
    }
  }
}

extension ReceivedCall<Control.Cluster> {
  fileprivate func status() throws(ControlError) {
    let cluster = try cluster
    cluster.questions.ask(.status(StatusCall())) { result in
      var state = cluster.state
      switch result {
      case .success(.status(let reply)): state.store = ClusterStoreReport(reply)
      case .success: state.storeFault = "it answered another question"
      case .failure(let failure): state.storeFault = failure.message
      }
      reply(ClusterReply(state: state))
    }
  }
}

extension ReceivedCall<Control.ClusterHistory> {
  fileprivate func history() throws(ControlError) {
    let cluster = try cluster
    let (question, zone) = try daemon.answers.storeQuestion(parameters.history)
    cluster.questions.ask(.history(question)) { result in
      switch result {
      case .success(.history(let found)):
        var answer = ClusterHistoryReply(found, limit: question.limit, zone: zone.name)
        answer.zones = daemon.answers.zoneNames(of: answer.entries.map(\.job))
        reply(answer)
      case .success: fail(.storeFailed(reason: "it answered another question"))
      case .failure(let failure): fail(.storeFailed(reason: failure.message))
      }
    }
  }
}

extension ClusterHistoryReply {
  /// Makes a reply from the store's reply, with records and claims in one list, oldest first.
  init(_ reply: StoreHistoryReply, limit: Int, zone: String) {
    let records = reply.records.map(EntryReport.init)
    let claims = reply.claims.map(EntryReport.init)
    let all = (records + claims).sorted { ($0.entry.instant, $0.job) > ($1.entry.instant, $1.job) }
    self.init(
      entries: all.prefix(limit).reversed(), isCut: all.count > limit || reply.records.count >= limit,
      zone: zone)
  }
}

extension EntryReport {
  init(_ record: StoredRecord) {
    self.init(
      job: record.key.job.text, entry: record.key.nominal,
      firstEntry: record.entryCount > 1 ? WallInstant(nanosecondsSinceEpoch: record.firstNominal) : nil,
      entryCount: record.entryCount, cause: record.cause,
      isOfSchedule: RunCause(rawValue: record.cause)?.isOfSchedule ?? false, outcome: nil,
      reason: record.reason, node: record.node, token: record.token,
      startedAt: record.startedAt.map(WallInstant.init(nanosecondsSinceEpoch:)),
      endedAt: WallInstant(nanosecondsSinceEpoch: record.endedAt), attempts: record.attempts)
    outcome = record.outcome
  }

  init(_ claim: ClaimedEntry) {
    self.init(
      job: claim.key.job.text, entry: claim.key.nominal, outcome: nil, node: claim.node, token: claim.token,
      claimedAt: WallInstant(nanosecondsSinceEpoch: claim.claimedAt),
      leaseUntil: WallInstant(nanosecondsSinceEpoch: claim.leaseUntil))
  }
}

extension ClusterStoreReport {
  init(_ reply: StoreStatusReply) {
    let standbys = reply.standbys.map { standby in
      "\(standby.name), \(standby.isSynchronous ? "synchronous" : "asynchronous")"
        + (standby.bytesBehind.map { ", \($0) bytes behind" } ?? "")
    }
    let asynchronous = reply.standbys.filter { !$0.isSynchronous }
    let warning =
      asynchronous.isEmpty
      ? nil
      : "\(asynchronous.map(\.name).joined(separator: ", ")) may lack the last claims if it takes over; entries may then run twice"
    self.init(server: reply.server, identity: reply.identity, standbys: standbys, warning: warning)
  }
}
