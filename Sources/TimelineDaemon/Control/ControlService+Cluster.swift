import TimelineConfiguration
import TimelineControl
import TimelineCore
import TimelineLedger
import TimelineStoreWire

// Calls about the cluster. A call that needs the store is answered after the store's reply.
extension ControlService {
  private func keeper() throws(ControlError) -> ClusterMember {
    guard let cluster = daemon.cluster else { throw .noCluster }
    return cluster
  }

  func cluster(_ call: VarlinkCall, _ connection: ControlConnection) throws {
    let cluster = try keeper()
    cluster.questions.ask(.status(StatusCall(cluster: cluster.name))) { [weak connection] result in
      guard let connection else { return }
      var state = cluster.state
      switch result {
      case .success(.status(let reply)): state.store = ClusterStoreReport(reply)
      case .success: state.storeFault = "it answered another question"
      case .failure(let failure): state.storeFault = failure.message
      }
      connection.reply(to: call, ClusterReply(state: state))
    }
  }

  func clusterHistory(
    _ parameters: HistoryParameters, _ call: VarlinkCall, _ connection: ControlConnection
  ) throws {
    let cluster = try keeper()
    let (question, zone) = try daemon.answers.storeQuestion(parameters, cluster.name)
    cluster.questions.ask(.history(question)) { [weak self, weak connection] result in
      guard let self, let connection else { return }
      switch result {
      case .success(.history(let reply)):
        var answer = ClusterHistoryReply(reply, limit: question.limit, zone: zone.name)
        answer.zones = daemon.answers.zoneNames(of: answer.entries.map(\.job))
        connection.reply(to: call, answer)
      case .success:
        connection.fail(call, ControlError.storeFailed(reason: "it answered another question").varlink)
      case .failure(let failure):
        connection.fail(call, ControlError.storeFailed(reason: failure.message).varlink)
      }
    }
  }

  func activate(_ texts: [String], _ call: VarlinkCall, _ connection: ControlConnection) throws {
    let cluster = try keeper()
    var names: [JobName] = []
    for text in texts { names.append(try daemon.answers.row(named: text).job.name) }
    let by = try caller(of: connection)
    daemon.operators.activate(names, in: cluster, by: by)
    connection.reply(to: call, ClusterReply(state: cluster.state))
  }

  func leaveCluster(_ call: VarlinkCall, _ connection: ControlConnection) throws {
    let cluster = try keeper()
    daemon.operators.note(.leave, by: try caller(of: connection))
    cluster.leave { [weak connection] in
      guard let connection else { return }
      connection.reply(to: call, ClusterReply(state: cluster.state))
    }
  }
}

extension ClusterHistoryReply {
  /// Makes a reply from the store's reply: records and claims together, oldest first.
  init(_ reply: StoreHistoryReply, limit: Int, zone: String) {
    let records = reply.records.map(ClusterEntryReport.init)
    let claims = reply.claims.map(ClusterEntryReport.init)
    let all = (records + claims).sorted { ($0.entry.instant, $0.job) > ($1.entry.instant, $1.job) }
    self.init(
      entries: all.prefix(limit).reversed(), isCut: all.count > limit || reply.records.count >= limit,
      zone: zone)
  }
}

extension ClusterEntryReport {
  init(_ record: StoredRecord) {
    self.init(
      job: record.key.job, entry: WallInstant(nanosecondsSinceEpoch: record.key.nominal),
      firstEntry: record.entryCount > 1 ? WallInstant(nanosecondsSinceEpoch: record.firstNominal) : nil,
      entryCount: record.entryCount, node: record.node, token: record.token, cause: record.cause,
      outcome: record.outcome, reason: record.reason,
      startedAt: record.startedAt.map(WallInstant.init(nanosecondsSinceEpoch:)),
      endedAt: WallInstant(nanosecondsSinceEpoch: record.endedAt), attempts: record.attempts)
  }

  init(_ claim: ClaimedEntry) {
    self.init(
      job: claim.key.job, entry: WallInstant(nanosecondsSinceEpoch: claim.key.nominal), node: claim.node,
      token: claim.token, outcome: nil, claimedAt: WallInstant(nanosecondsSinceEpoch: claim.claimedAt),
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
